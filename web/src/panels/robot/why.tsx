// Why a robot does what it does: the deciding event, with its numbers.

import { computed } from '@preact/signals'
import { Fragment } from 'preact'
import { complete } from '../../net/event'
import { detail } from '../../net/store'
import type { LogEvent } from '../../protocol'
import { figure, words } from '../format'
import { numbers } from '../numbers'
import { Section } from '../section'
import { TimeLink } from '../time-link'
import { laneScene, workName } from './watched'

// The reason changes rarely, the rest of the detail often.
let kept = 'null'
let reason: LogEvent | null = null
const why = computed(() => {
  const now = detail.value?.why ?? null
  const print = JSON.stringify(now)
  if (print !== kept) {
    kept = print
    reason = now && complete(now)
  }
  return reason
})

/** Two numbers per line, to save space. */
function pairs<T>(list: T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / 2) }, (_, i) => list.slice(2 * i, 2 * i + 2))
}

export function Why() {
  const event = why.value
  const figures = event ? numbers(event, laneScene.value ?? null) : []
  return (
    <Section id="why" title="Why" note={event ? words(event.kind) : ''}>
      {event ? (
        <>
          <p>
            <TimeLink t={event.t} /> {event.why}
            {event.other !== null && ` (with ${laneScene.value?.robots[event.other]?.name ?? event.other})`}
            {event.behaviour !== null && <span class="quiet-text"> · {workName(event.behaviour)}</span>}
          </p>
          {figures.length > 0 && (
            <table class="terms">
              <caption class="hidden">Numbers behind the decision</caption>
              <tbody>
                {pairs(figures).map((row) => (
                  <tr key={row[0][0]}>
                    {row.map(([name, value]) => (
                      <Fragment key={name}>
                        <th scope="row">{name}</th>
                        <td>{figure(value)}</td>
                      </Fragment>
                    ))}
                    {row.length === 1 && <td colSpan={2} />}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      ) : (
        <p class="quiet-text">It has not decided anything yet.</p>
      )}
    </Section>
  )
}
