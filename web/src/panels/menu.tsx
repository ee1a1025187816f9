// A button that opens a list of actions.

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, tipHandlers } from '../ui/button'
import type { IconName } from '../ui/icon'

export type MenuItem = { label: string; hint: string; disabled?: boolean; action: () => void }

export function Menu(props: { label: string; tip: string; icon?: IconName; items: MenuItem[] }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const opener = () => box.current?.querySelector<HTMLElement>('button')
  const entries = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  // Before it is visible: a key pressed then is meant for the list.
  useLayoutEffect(() => {
    const button = opener()
    button?.setAttribute('aria-haspopup', 'menu')
    button?.setAttribute('aria-expanded', String(open))
    if (!open) return
    entries()[0]?.focus()
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', outside)
    return () => removeEventListener('pointerdown', outside)
  }, [open])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return
    const list = entries()
    const at = list.indexOf(document.activeElement as HTMLElement)
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }
    if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false)
      if (event.key === 'Escape') opener()?.focus()
    } else if (to[event.key] !== undefined) list[(to[event.key] + list.length) % list.length]?.focus()
    else return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles keys of the menu inside
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <Button
        label={props.label}
        tip={props.tip}
        icon={props.icon}
        pressed={undefined}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div class="menu-list" role="menu" id={id} aria-label={props.label}>
          {props.items.map((item) => (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              key={item.label}
              disabled={item.disabled}
              data-tip={item.hint}
              {...tipHandlers}
              onClick={() => {
                setOpen(false)
                opener()?.focus()
                item.action()
              }}
            >
              <span>{item.label}</span>
              <small>{item.hint}</small>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
