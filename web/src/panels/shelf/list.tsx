// The runs to choose from.

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Field, tipHandlers } from '../../ui/button'
import { act } from '../../ui/notify'
import { matching } from './search'
import { openRun, shelf, shown } from './shelf'

/** From this number of runs on, there is a search field. */
const MANY = 12
/** Number of runs that are shown; the others are found by typing. */
const MOST = 200

export function RunList({ chosen }: { chosen: () => void }) {
  const text = useSignal('')
  const list = useRef<HTMLUListElement>(null)
  const runs = shelf.value?.runs ?? []
  const found = matching(runs, text.value)
  const choose = (key: string) => {
    chosen()
    void act(openRun(key))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }
    if (to[event.key] === undefined || all.length === 0) return
    all[(to[event.key] + all.length) % all.length]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      {runs.length > MANY && (
        <Field
          label="Search"
          tip="Show only runs that contain these words; Enter opens the first"
          size={24}
          value={text.value}
          onChange={(value) => {
            text.value = value
          }}
          onEnter={() => found[0] && choose(found[0].key)}
        />
      )}
      <ul class="runs" ref={list} onKeyDown={onKeyDown}>
        {found.slice(0, MOST).map((run) => (
          <li key={run.key}>
            <button
              type="button"
              data-tip={`Open ${run.key} instead of the current run`}
              {...tipHandlers}
              aria-current={run.key === shown.value ? 'true' : undefined}
              onClick={() => choose(run.key)}
            >
              <span>{run.title}</span>
              <small>{run.note}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet-text">No run matches.</p>}
      {found.length > MOST && <p class="quiet-text">And {found.length - MOST} more: search for them.</p>}
    </>
  )
}
