// After a mouse click on a button, the space bar should play and pause, not press the button again.

/** For the click of a bar of buttons: returns the focus to the page, unless the keyboard was used. */
export function letGo(event: MouseEvent) {
  const button = (event.target as Element).closest<HTMLElement>('button')
  if (event.detail > 0 && button && !button.hasAttribute('aria-expanded') && !button.closest('[role=menu]'))
    button.blur()
}
