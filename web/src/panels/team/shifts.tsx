// The Gantt chart with its hints, mouse and keyboard input.

import { computed, effect, untracked, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { focusTip } from '../../ui/button'
import { taskColour } from '../../ui/colours'
import { select, selected } from '../../ui/selection'
import { theme } from '../../ui/theme'
import { lasting, stopwatch } from '../format'
import { ink } from '../ink'
import { end, goTo, laneShown, marks, names, scene, shifts, time } from '../now'
import { type Mark, near } from '../timeline/marks'
import { shownFrame } from '../window'
import { draw, HEAD, NAMES, ROW, rowAt, timeAt, type View } from './gantt'
import { type Span, Spans, workAt } from './spans'

const PAUSE = 150
const MOST_ROWS = 14

let kept: { scene: unknown; spans: Spans } | null = null
const spans = computed(() => {
  if (!kept || kept.scene !== scene.value) kept = { scene: scene.value, spans: new Spans() }
  kept.spans.take(shifts.value)
  return { rows: kept.spans.rows }
})

function behaviourOf(robot: number, work: number) {
  return scene.peek()?.robots[robot]?.behaviours[work]
}

function told(robot: number, span: Span | null): string {
  const name = names.peek()[robot]
  if (!span) return `${name}: no task`
  const until = Math.min(span.to, end.peek())
  const work = behaviourOf(robot, span.work)?.name ?? `behaviour ${span.work}`
  return `${name}: ${work}, ${stopwatch(span.from)} to ${span.to > end.peek() ? 'now' : stopwatch(until)} (${lasting(until - span.from)})`
}

export function Shifts() {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const hint = useSignal<{ x: number; y: number; text: string; marks: Mark[] } | null>(null)
  const active = useSignal<number | null>(null)
  const spoken = useSignal('')
  const view = useRef<View>({ width: 0, height: 0, scroll: 0, frame: [0, 1], now: 0, end: 0 })
  const count = names.value.length
  const height = HEAD + Math.min(Math.max(count, 1), MOST_ROWS) * ROW + 2

  useEffect(() => {
    const element = box.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const paint = () => {
      timer = undefined
      last = performance.now()
      const sheet = canvas.current
      if (!sheet) return
      untracked(() => {
        Object.assign(view.current, {
          width: element.clientWidth,
          height: element.clientHeight,
          scroll: element.scrollTop,
          frame: shownFrame.value,
          now: time.value,
          end: end.value,
        })
        const at = selected.value
        const chart = {
          rows: spans.value.rows,
          names: names.value,
          colourOf: (robot: number, work: number) => taskColour(behaviourOf(robot, work)?.task ?? -1),
          marks: marks.value,
          selected: at && at.lane === laneShown.value ? at.robot : null,
          active: document.activeElement === element ? active.value : null,
        }
        draw(sheet, view.current, chart, ink.value)
      })
    }
    const soon = () => {
      timer ??= setTimeout(paint, Math.max(0, PAUSE - (performance.now() - last)))
    }
    const stop = effect(() => {
      void [spans.value, names.value, marks.value, shownFrame.value, time.value, theme.value, selected.value]
      soon()
    })
    const stopActive = effect(() => {
      void active.value
      paint()
    })
    element.addEventListener('scroll', paint)
    element.addEventListener('focus', paint)
    element.addEventListener('blur', paint)
    const sizes = new ResizeObserver(paint)
    sizes.observe(element)
    return () => {
      stop()
      stopActive()
      clearTimeout(timer)
      sizes.disconnect()
    }
  }, [active])

  const point = (event: PointerEvent | MouseEvent) => {
    const at = element().getBoundingClientRect()
    return [event.clientX - at.left, event.clientY - at.top]
  }
  const element = () => box.current as HTMLDivElement
  const onPointerMove = (event: PointerEvent) => {
    const [x, y] = point(event)
    const row = rowAt(view.current, y, count)
    const moment = timeAt(view.current, x)
    const close = x < NAMES ? [] : near(marks.value, moment, timeAt(view.current, x + 4) - moment)
    const text =
      row === null
        ? ''
        : x < NAMES
          ? `${names.value[row]}: click to select`
          : told(row, workAt(spans.value.rows[row], moment))
    const shown = close.filter((mark) => mark.kind === 'deed' || mark.kind === 'disturbance')
    hint.value = text || shown.length > 0 ? { x, y, text, marks: shown } : null
  }
  const onClick = (event: MouseEvent) => {
    const [x, y] = point(event)
    const row = rowAt(view.current, y, count)
    if (x < NAMES && row !== null) select(laneShown.value, row)
    else if (x >= NAMES) goTo(timeAt(view.current, x))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = active.value ?? selected.value?.robot ?? 0
    const moves: Record<string, number> = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: count - 1 }
    const to = moves[event.key]
    if (to !== undefined) {
      const next = Math.min(count - 1, Math.max(0, active.value === null ? row : to))
      active.value = next
      spoken.value = told(next, workAt(spans.value.rows[next], time.value))
      const top = next * ROW
      if (top < element().scrollTop) element().scrollTop = top
      if (top + ROW > element().scrollTop + element().clientHeight - HEAD)
        element().scrollTop = top + ROW - element().clientHeight + HEAD
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const starts = (spans.value.rows[row] ?? []).map((span) => span.from)
      const found =
        event.key === 'ArrowLeft'
          ? starts.findLast((start) => start < time.value - 0.05)
          : starts.find((start) => start > time.value + 0.05)
      if (found !== undefined) {
        goTo(found)
        spoken.value = told(row, workAt(spans.value.rows[row], found))
      }
    } else if (event.key === 'Enter') select(laneShown.value, row)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="gantt">
      {/* biome-ignore lint/a11y/useSemanticElements: a chart that is used with keys is no fieldset */}
      <div
        class="gantt-box"
        ref={box}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles keys
        tabIndex={0}
        aria-label="Who did what when. Up and down choose a robot, left and right go to its changes of task, Enter selects it."
        data-tip="Up and down choose a robot, left and right go to its changes of task, Enter selects it"
        {...focusTip}
        style={{ height: `${height}px` }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => {
          hint.value = null
        }}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} style={{ height: `${height}px` }} />
        <div style={{ height: `${Math.max(0, HEAD + count * ROW - height)}px` }} />
      </div>
      <p class="hidden" aria-live="polite">
        {spoken}
      </p>
      {hint.value && (
        <div
          class={`gantt-hint ${hint.value.x > 190 ? 'leftwards' : ''}`}
          style={{ left: `${hint.value.x}px`, top: `${hint.value.y + 14}px` }}
          aria-hidden="true"
        >
          {hint.value.text && <p>{hint.value.text}</p>}
          {hint.value.marks.slice(0, 3).map((mark) => (
            <p key={`${mark.t} ${mark.text}`} class={`mark-${mark.kind}`}>
              {stopwatch(mark.t)} {mark.text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
