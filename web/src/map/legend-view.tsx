// The legend below the map.

import { effect, signal } from '@preact/signals'
import { frames } from '../net/store'
import { theme } from '../ui/theme'
import { inkOf } from './ink'
import { type LegendEntry, legend } from './legend'

const entries = signal<LegendEntry[]>([])

/** Updated at most a few times per second: nothing in it changes fast. */
export function keepLegend() {
  let timer = 0
  const make = () => {
    timer = 0
    const next = legend()
    if (JSON.stringify(next) !== JSON.stringify(entries.peek())) entries.value = next
  }
  effect(() => {
    frames.value
    if (!timer) timer = setTimeout(make, 300) as unknown as number
  })
  effect(make)
}

export function LegendView() {
  return (
    <ul class="legend" aria-label="Legend">
      {entries.value.map((entry) => (
        <li key={`${entry.kind} ${entry.text}`}>
          {entry.kind === 'swatch' && <Swatch entry={entry} />}
          {entry.kind === 'mark' && <Mark mark={entry.mark} />}
          {entry.kind === 'ramp' ? (
            <>
              <span>{entry.text}</span>
              <span class="faint">{entry.low}</span>
              <span
                class="legend-ramp"
                aria-hidden="true"
                style={{ background: `linear-gradient(to right, ${entry.colours.join(', ')})` }}
              />
              <span class="faint">{entry.high}</span>
            </>
          ) : (
            <span class={entry.kind === 'note' ? 'faint' : ''}>{entry.text}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const ITEMS = ['6,0 12,6 6,12 0,6', '1,1 11,1 11,11 1,11', '6,0 12,11 0,11', '12,6 9,11.200 3,11.200 0,6 3,.8 9,.8']

function Swatch({ entry }: { entry: Extract<LegendEntry, { kind: 'swatch' }> }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {entry.shape === 'item' ? (
        <polygon points={ITEMS[(entry.item ?? 0) % 4]} fill={entry.colour} />
      ) : (
        <circle cx="6" cy="6" r="5.500" fill={entry.colour} />
      )}
    </svg>
  )
}

function Mark({ mark }: { mark: Extract<LegendEntry, { kind: 'mark' }>['mark'] }) {
  const ink = inkOf(theme.value)
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {mark === 'down' && <path d="M1 1L11 11M11 1L1 11" stroke={ink.bad} stroke-width="2.500" />}
      {mark === 'stopped' && <rect x="1.500" y="1.500" width="9" height="9" fill={ink.bad} />}
      {mark === 'faulty' && <polygon points="6,0.5 11.500,11 0.5,11" fill={ink.warn} />}
      {mark === 'taken' && (
        <circle cx="6" cy="6" r="4.700" fill="none" stroke={ink.hand} stroke-width="2" stroke-dasharray="3 2" />
      )}
    </svg>
  )
}
