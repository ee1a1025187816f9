// The list of events: only visible rows exist in the page.

import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { LogEvent } from '../../protocol'
import { focusTip, tipHandlers } from '../../ui/button'
import { stopwatch, words } from '../format'
import { goTo, time } from '../now'
import { kindOf } from '../timeline/marks'
import { inView, ROW, reveal } from './rows'

export type Shown = { events: LogEvent[]; places: number[]; names: string[] }

const atEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight < ROW / 2

export function List(props: { shown: ReadonlySignal<Shown>; active: { value: number | null } }) {
  const { active } = props
  const { events, places, names } = props.shown.value
  const box = useRef<HTMLDivElement>(null)
  const base = useId()
  const view = useSignal({ scroll: 0, height: 300 })
  const stuck = useSignal(true)
  const count = places.length
  const now = Math.round(time.value * 20) / 20
  // Stays at the newest event until the user scrolls up. Who scrolled is not where the list was put, even if the event that tells so is still to come.
  const put = useRef(0)
  const stay = () => {
    const element = box.current
    if (!element || !stuck.value) return
    if (element.scrollTop !== put.current && !atEnd(element)) {
      stuck.value = false
      return
    }
    element.scrollTop = element.scrollHeight
    put.current = element.scrollTop
  }

  useEffect(() => {
    const element = box.current
    if (!element) return
    const sizes = new ResizeObserver(() => {
      view.value = { scroll: element.scrollTop, height: element.clientHeight }
      stay()
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [view, stuck])
  useLayoutEffect(stay, [count, stuck.value])

  const onScroll = () => {
    const element = box.current
    if (!element) return
    view.value = { scroll: element.scrollTop, height: element.clientHeight }
    stuck.value = atEnd(element)
    put.current = element.scrollTop
  }
  const choose = (row: number) => {
    active.value = Math.min(count - 1, Math.max(0, row))
    const element = box.current
    if (element) element.scrollTop = reveal(active.value, element.scrollTop, element.clientHeight)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active.value ?? count
    const page = Math.max(1, Math.floor(view.value.height / ROW) - 1)
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return
    if (to[event.key] !== undefined) choose(to[event.key])
    else if (event.key === 'Enter' && active.value !== null) goTo(events[places[active.value]].t)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const [first, last] = inView(view.value.scroll, view.value.height, count)
  const rows = []
  for (let row = first; row < last; row++) {
    const event = events[places[row]]
    if (!event) continue
    const who = event.robot === null ? '' : (names[event.robot] ?? String(event.robot))
    const mark = kindOf(event)
    rows.push(
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for its options
      // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active option
      <div
        key={places[row]}
        role="option"
        id={`${base}-${row}`}
        aria-selected={row === active.value ? 'true' : 'false'}
        aria-setsize={count}
        aria-posinset={row + 1}
        class={`row ${event.t > now + 0.01 ? 'later' : ''} ${mark ? `mark-${mark}` : ''}`}
        style={{ top: `${row * ROW}px` }}
        title={`${words(event.kind)}: ${event.why}`}
        onClick={() => {
          active.value = row
          goTo(event.t)
        }}
      >
        <span class="when">{stopwatch(event.t)}</span>
        <span class="kind">{words(event.kind)}</span>
        <span class="who">{who}</span>
        <span class="what">{event.why}</span>
      </div>,
    )
  }
  return (
    <div class="log-list">
      <div
        class="log-box"
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label="Events; Enter goes to the time of the selected one"
        data-tip="Up and down choose an event, Enter goes to its time"
        {...focusTip}
        aria-activedescendant={
          active.value !== null && active.value >= first && active.value < last ? `${base}-${active.value}` : undefined
        }
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: `${count * ROW}px` }}>
          {rows}
        </div>
      </div>
      {!stuck.value && (
        <button
          type="button"
          class="button newest"
          data-tip="Go to the newest event and stay there"
          {...tipHandlers}
          onClick={() => {
            if (box.current) put.current = box.current.scrollTop
            stuck.value = true
            stay()
          }}
        >
          Newest ↓
        </button>
      )}
    </div>
  )
}
