// The bar that represents the run so far: drag it, click a mark, or use the keys of a slider.

import { computed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { send } from '../../net/store'
import { focusTip } from '../../ui/button'
import { lasting, stopwatch } from '../format'
import { ink } from '../ink'
import { end, goTo, mainScene, marks, playing, tick, time, wanted } from '../now'
import { MARK_WORDS, type Mark, near } from './marks'
import { paint } from './paint'
import { span } from './scale'

const HEIGHT = 42
const shown = computed(() => wanted.value ?? time.value)
const all = computed(() => span(end.value, mainScene.value?.until_s ?? 0))
const done = computed(() => `width: ${((end.value / all.value) * 100).toFixed(3)}%`)
const past = computed(() => `width: ${((shown.value / all.value) * 100).toFixed(3)}%`)
const head = computed(() => `left: ${((shown.value / all.value) * 100).toFixed(3)}%`)

/** Distance within which a mark counts as pointed at. [px] */
const REACH = 6
const SHOWN_MARKS = 5

export function Bar() {
  const track = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useSignal(0)
  const hover = useSignal<{ x: number; time: number; marks: Mark[] } | null>(null)
  const drag = useRef<{ resume: boolean } | null>(null)

  useEffect(() => {
    const element = track.current
    if (!element) return
    const sizes = new ResizeObserver(() => {
      width.value = element.clientWidth
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [width])
  useSignalEffect(() => {
    if (canvas.current) paint(canvas.current, width.value, HEIGHT, all.value, marks.value, ink.value)
  })

  const look = (event: PointerEvent) => {
    const x = Math.min(width.value, Math.max(0, event.clientX - (track.current?.getBoundingClientRect().left ?? 0)))
    const moment = (x / width.value) * all.value
    return { x, time: moment, marks: near(marks.value, moment, (REACH / width.value) * all.value) }
  }
  const follow = (event: PointerEvent, snap: boolean) => {
    const at = look(event)
    hover.value = at
    if (drag.current) goTo(snap && at.marks[0] ? at.marks[0].t : at.time)
  }
  const pause = () => {
    if (playing.value) send({ do: 'pause' }).catch(() => {})
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = shown.value
    const to: Record<string, number> = {
      ArrowLeft: now - tick.value,
      ArrowDown: now - tick.value,
      ArrowRight: now + tick.value,
      ArrowUp: now + tick.value,
      PageUp: now + 10,
      PageDown: now - 10,
      Home: 0,
      End: end.value,
    }
    const moment = to[event.key]
    if (moment === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    pause()
    goTo(moment)
  }

  return (
    <div class="bar">
      <div
        class="bar-track"
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label="Time shown"
        data-tip="Arrow keys move by one tick, Page Up and Page Down by ten seconds"
        {...focusTip}
        aria-valuemin={0}
        aria-valuemax={Number(end.value.toFixed(1))}
        aria-valuenow={Number(shown.value.toFixed(1))}
        aria-valuetext={`${lasting(shown.value)} of ${lasting(end.value)}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.current = { resume: playing.value }
          pause()
          follow(event, true)
        }}
        onPointerMove={(event) => follow(event, false)}
        onPointerUp={(event) => {
          if (drag.current?.resume) send({ do: 'play' }).catch(() => {})
          drag.current = null
          event.currentTarget.releasePointerCapture(event.pointerId)
        }}
        onPointerCancel={() => {
          drag.current = null
        }}
        onPointerLeave={() => {
          hover.value = null
        }}
      >
        <div class="bar-ground">
          <div class="bar-done" style={done} />
          <div class="bar-past" style={past} />
        </div>
        <canvas ref={canvas} style={{ height: `${HEIGHT}px` }} />
        <div class="bar-head" style={head} />
      </div>
      {hover.value && <Hint {...hover.value} width={width.value} />}
    </div>
  )
}

function Hint({ x, time: moment, marks: found, width }: { x: number; time: number; marks: Mark[]; width: number }) {
  const left = Math.min(width - 150, Math.max(150, x))
  const beyond = moment > end.value
  return (
    <div class="bar-hint" style={{ left: `${left}px` }} aria-hidden="true">
      {found.length === 0 && <p>{beyond ? 'not computed yet' : stopwatch(moment)}</p>}
      {found.slice(0, SHOWN_MARKS).map((mark) => (
        <p key={`${mark.t} ${mark.text}`} class={`mark-${mark.kind}`}>
          <b>{stopwatch(mark.t)}</b> {MARK_WORDS[mark.kind]}: {mark.text}
        </p>
      ))}
      {found.length > SHOWN_MARKS && <p>and {found.length - SHOWN_MARKS} more</p>}
    </div>
  )
}
