// The meaning of a chart's lines.

import type { ComponentChildren } from 'preact'

export type Key = { label: string; colour: string; dashed?: boolean; note?: ComponentChildren }

export function Legend({ keys }: { keys: Key[] }) {
  return (
    <ul class="chart-legend">
      {keys.map((key) => (
        <li key={key.label}>
          <i
            aria-hidden="true"
            class={key.dashed ? 'dashed' : ''}
            style={key.dashed ? { borderColor: key.colour } : { background: key.colour }}
          />
          <span>{key.label}</span>
          {key.note !== undefined && <b>{key.note}</b>}
        </li>
      ))}
    </ul>
  )
}
