// A chart over time. It is built once; new rows only redraw it, a few times per second.

import { effect, type ReadonlySignal, untracked, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { figure, stopwatch } from '../format'
import { type Ink, ink } from '../ink'
import { goTo, marks, tick, time } from '../now'
import { type Mark, near } from '../timeline/marks'
import { markColour } from '../timeline/paint'
import { shownFrame } from '../window'
import './chart.css'

/** `dots`: values at single times, with nothing in between. */
export type Line = { label: string; colour: string; dash?: number[]; dots?: boolean; write?: (value: number) => string }

export type PlotProps = {
  /** A description of the chart as text. */
  label: string
  lines: Line[]
  /** Rows: [time, value per line]. */
  columns: ReadonlySignal<(number | null)[][]>
  threshold?: number | null
  /** The highest value, if known. */
  top?: number
  write?: (value: number) => string
  height?: number
}

/** Time between two redraws. [ms] */
const PAUSE = 200
const REACH = 5

export function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const hint = useSignal<{ left: number; time: number; values: string[]; marks: Mark[] } | null>(null)
  const key = JSON.stringify([props.lines, props.threshold, props.top])
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const element = host.current
    if (!element) return
    let chart: uPlot | null = null
    let stop: (() => void) | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const draw = () => {
      timer = undefined
      last = performance.now()
      untracked(() => chart?.setData(latest.current.columns.value as uPlot.AlignedData))
    }
    const watchColours = effect(() => {
      const colours = ink.value
      untracked(() => {
        chart?.destroy()
        chart = build(latest.current, colours, element, hint)
        draw()
      })
    })
    stop = effect(() => {
      // Everything that affects the chart.
      void props.columns.value
      void shownFrame.value
      void marks.value
      void time.value
      timer ??= setTimeout(draw, Math.max(0, PAUSE - (performance.now() - last)))
    })
    const sizes = new ResizeObserver(() => {
      chart?.setSize({ width: element.clientWidth, height: props.height ?? 140 })
    })
    sizes.observe(element)
    return () => {
      watchColours()
      stop?.()
      clearTimeout(timer)
      sizes.disconnect()
      chart?.destroy()
    }
  }, [key, props.columns])

  const found = hint.value
  return (
    <div class="plot">
      <div ref={host} role="img" aria-label={props.label} style={{ height: `${props.height ?? 140}px` }} />
      {found && (
        <div class={`plot-hint ${found.left > 170 ? 'leftwards' : ''}`} style={{ left: `${found.left}px` }}>
          <p>
            <b>{stopwatch(found.time)}</b>
          </p>
          {props.lines.map((line, i) => (
            <p key={line.label}>
              <i style={{ background: line.colour }} /> {line.label} <b>{found.values[i]}</b>
            </p>
          ))}
          {found.marks.slice(0, 3).map((mark) => (
            <p key={`${mark.t} ${mark.text}`} class={`mark-${mark.kind}`}>
              {stopwatch(mark.t)} {mark.text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}

function build(
  props: PlotProps,
  colours: Ink,
  element: HTMLElement,
  hint: { value: { left: number; time: number; values: string[]; marks: Mark[] } | null },
): uPlot {
  const write = props.write ?? figure
  const axis = { stroke: colours.faint, font: '11px system-ui, sans-serif', ticks: { show: false } }
  const grid = { stroke: colours.line, width: 1 }
  const options: uPlot.Options = {
    width: element.clientWidth || 300,
    height: props.height ?? 140,
    padding: [8, 10, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false },
      y: false,
      points: { size: 6 },
    },
    scales: {
      x: { time: false, range: () => shownFrame.peek() },
      y: {
        range: (_, __, high) => {
          const top = Math.max(props.top ?? 0, (high ?? 0) * (props.top ? 1 : 1.06), (props.threshold ?? 0) * 1.08)
          return [0, top > 0 ? top : 1]
        },
      },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        space: 60,
        incrs: [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400],
        values: (_, list) => list.map((t) => stopwatch(t, 0)),
      },
      { ...axis, grid, size: 40, gap: 3, space: 26, values: (_, list) => list.map((value) => write(value)) },
    ],
    series: [
      {},
      ...props.lines.map((line) => ({
        label: line.label,
        stroke: line.colour,
        width: 1.5,
        dash: line.dash,
        // A value between two gaps is drawn as a point, because no line can show it.
        points: { show: true, size: line.dots ? 7 : 5, fill: line.colour, filter: line.dots ? undefined : lonely },
        ...(line.dots ? { paths: () => null } : {}),
      })),
    ],
    hooks: {
      draw: [(chart) => decorate(chart, colours, props.threshold ?? null)],
      setCursor: [
        (chart) => {
          const { left, idx } = chart.cursor
          if (left === undefined || left < 0) {
            hint.value = null
            return
          }
          const moment = chart.posToVal(left, 'x')
          const reach = chart.posToVal(left + REACH, 'x') - moment
          hint.value = {
            left: left + chart.bbox.left / devicePixelRatio,
            time: moment,
            values: props.lines.map((line, i) => {
              const value = idx === null || idx === undefined ? null : chart.data[i + 1][idx]
              return value === null || value === undefined ? '–' : (line.write ?? write)(value)
            }),
            marks: near(marks.peek(), moment, reach),
          }
        },
      ],
      ready: [
        (chart) => {
          chart.over.addEventListener('click', () => {
            const found = hint.value
            if (found) goTo(found.marks[0]?.t ?? Math.round(found.time / tick.peek()) * tick.peek())
          })
        },
      ],
    },
  }
  return new uPlot(options, props.columns.peek() as uPlot.AlignedData, element)
}

/** Indices of values without neighbours. */
function lonely(chart: uPlot, series: number): number[] | null {
  const values = chart.data[series]
  const found: number[] = []
  const empty = (value: number | null | undefined) => value === null || value === undefined
  for (let i = 0; i < values.length; i++)
    if (!empty(values[i]) && empty(values[i - 1]) && empty(values[i + 1])) found.push(i)
  return found
}

/** The threshold, marks and the moment shown. */
function decorate(chart: uPlot, colours: Ink, threshold: number | null) {
  const { ctx: pen, bbox } = chart
  const ratio = devicePixelRatio
  pen.save()
  pen.beginPath()
  pen.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  pen.clip()
  const upright = (t: number, colour: string, width: number, dash: number[]) => {
    const x = chart.valToPos(t, 'x', true)
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) return
    pen.strokeStyle = colour
    pen.lineWidth = width * ratio
    pen.setLineDash(dash.map((one) => one * ratio))
    pen.beginPath()
    pen.moveTo(x, bbox.top)
    pen.lineTo(x, bbox.top + bbox.height)
    pen.stroke()
  }
  for (const mark of marks.peek())
    if (mark.kind === 'deed' || mark.kind === 'disturbance')
      upright(mark.t, markColour(mark.kind, colours), 1.5, [2, 2])
  if (threshold !== null) {
    const y = chart.valToPos(threshold, 'y', true)
    pen.strokeStyle = colours.text
    pen.lineWidth = ratio
    pen.setLineDash([6 * ratio, 4 * ratio])
    pen.beginPath()
    pen.moveTo(bbox.left, y)
    pen.lineTo(bbox.left + bbox.width, y)
    pen.stroke()
  }
  upright(time.peek(), colours.text, 1, [])
  pen.restore()
}
