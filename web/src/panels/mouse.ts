// Who clicks a button with the mouse wants the space bar to play and pause after that, not to press the button again.

/** For the click of a bar of buttons: gives the focus back to the page, unless the keyboard was used. */
export function letGo(event: MouseEvent) {
  const button = (event.target as Element).closest<HTMLElement>('button')
  if (event.detail > 0 && button && !button.hasAttribute('aria-expanded') && !button.closest('[role=menu]'))
    button.blur()
}
