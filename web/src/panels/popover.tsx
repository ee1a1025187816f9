// A button that shows a small panel next to it.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button'
import type { IconName } from '../ui/icon'

export function Popover(props: {
  label: string
  tip: string
  icon?: IconName
  disabled?: boolean
  /** Shows only the icon. */
  bare?: boolean
  /** Name of the panel. */
  title: string
  body: (close: () => void) => ComponentChildren
}) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => setOpen(false)
  // Before it is visible: a key pressed then is meant for the panel.
  useLayoutEffect(() => {
    box.current?.querySelector('button')?.setAttribute('aria-expanded', String(open))
    if (!open) return
    box.current?.querySelector<HTMLElement>('.popover button, .popover select, .popover input')?.focus()
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', outside)
    return () => removeEventListener('pointerdown', outside)
  }, [open])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles Escape from inside
    <div
      class="popover-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        close()
        box.current?.querySelector<HTMLElement>('button')?.focus()
        event.stopPropagation()
      }}
    >
      <Button
        label={props.label}
        tip={props.tip}
        icon={props.icon}
        showLabel={!props.bare}
        disabled={props.disabled}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <section class="popover" aria-label={props.title}>
          {props.body(close)}
        </section>
      )}
    </div>
  )
}
