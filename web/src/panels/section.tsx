// A collapsible part of a panel; it remembers whether it is open.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { tipHandlers } from '../ui/button'
import { recall, remember } from '../ui/storage'

export function Section(props: {
  id: string
  title: string
  /** Shown next to the title, also when collapsed. */
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
