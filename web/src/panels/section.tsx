// A part of a panel that can be folded; it stays as it was left.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { tipHandlers } from '../ui/button'
import { recall, remember } from '../ui/storage'

export function Section(props: {
  id: string
  title: string
  /** Shown beside the title, also when folded. */
  note?: ComponentChildren
  open?: boolean
  children: ComponentChildren
}) {
  const kept = recall(`open.${props.id}`)
  const [open, setOpen] = useState(kept === null ? (props.open ?? true) : kept === 'yes')
  return (
    <details
      class="section"
      open={open}
      onToggle={(event) => {
        const now = event.currentTarget.open
        setOpen(now)
        remember(`open.${props.id}`, now ? 'yes' : 'no')
      }}
    >
      <summary data-tip={open ? 'Collapse this section' : 'Expand this section'} {...tipHandlers}>
        <h3>{props.title}</h3>
        {props.note !== undefined && <span class="section-note">{props.note}</span>}
      </summary>
      {open && <div class="section-body">{props.children}</div>}
    </details>
  )
}
