// Draws who did what when: a row per robot, a colour per task. Only visible rows are drawn.

import { stopwatch } from '../format'
import type { Ink } from '../ink'
import type { Mark } from '../timeline/marks'
import { markColour, markShape } from '../timeline/paint'
import { ticks } from '../timeline/scale'
import { firstAfter, type Span } from './spans'

export const ROW = 18
export const HEAD = 18
/** Width of the names at the left. [px] */
export const NAMES = 66
const FONT = '11px system-ui, sans-serif'

export type View = {
  width: number
  height: number
  /** Scroll position of the rows. [px] */
  scroll: number
  frame: [number, number]
  now: number
  end: number
}

export type Chart = {
  rows: Span[][]
  names: string[]
  colourOf: (robot: number, work: number) => string
  marks: Mark[]
  selected: number | null
  /** The row selected by keyboard. */
  active: number | null
}

export function xOf(view: View, time: number): number {
  const [from, to] = view.frame
  return NAMES + ((time - from) / (to - from)) * (view.width - NAMES - 4)
}

export function timeAt(view: View, x: number): number {
  const [from, to] = view.frame
  return from + ((x - NAMES) / (view.width - NAMES - 4)) * (to - from)
}

/** The row at a height in the view, or null. */
export function rowAt(view: View, y: number, count: number): number | null {
  const row = Math.floor((y - HEAD + view.scroll) / ROW)
  return y >= HEAD && row >= 0 && row < count ? row : null
}

export function draw(canvas: HTMLCanvasElement, view: View, chart: Chart, ink: Ink) {
  const ratio = devicePixelRatio || 1
  const [pixelWidth, pixelHeight] = [Math.round(view.width * ratio), Math.round(view.height * ratio)]
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight
  const pen = canvas.getContext('2d')
  if (!pen || view.width < NAMES + 20) return
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, view.width, view.height)
  pen.font = FONT
  pen.textBaseline = 'middle'
  rows(pen, view, chart, ink)
  head(pen, view, chart, ink)
}

function rows(pen: CanvasRenderingContext2D, view: View, chart: Chart, ink: Ink) {
  const first = Math.max(0, Math.floor(view.scroll / ROW))
  const last = Math.min(chart.names.length - 1, Math.floor((view.scroll + view.height - HEAD) / ROW))
  const [from, to] = view.frame
  for (let row = first; row <= last; row++) {
    const y = HEAD + row * ROW - view.scroll
    if (row === chart.selected || row === chart.active) {
      pen.fillStyle = ink.line
      pen.globalAlpha = row === chart.active ? 0.9 : 0.5
      pen.fillRect(0, y, view.width, ROW)
      pen.globalAlpha = 1
    }
    pen.fillStyle = ink.line
    pen.fillRect(NAMES, y + ROW - 0.5, view.width - NAMES - 4, 0.5)
    const spans = chart.rows[row] ?? []
    for (let i = firstAfter(spans, from); i < spans.length && spans[i].from < to; i++) {
      const { from: begin, to: finish, work } = spans[i]
      const left = Math.max(NAMES, xOf(view, begin))
      const right = Math.min(xOf(view, Math.min(finish, view.end, to)), view.width - 4)
      pen.fillStyle = chart.colourOf(row, work)
      pen.fillRect(left, y + 3, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), ROW - 6)
    }
    pen.fillStyle = ink.text
    pen.font = row === chart.selected ? `bold ${FONT}` : FONT
    pen.textAlign = 'left'
    pen.fillText(shortened(pen, chart.names[row], NAMES - 8), 2, y + ROW / 2)
  }
}

const widths = new Map<string, string>()
function shortened(pen: CanvasRenderingContext2D, name: string, room: number): string {
  const known = widths.get(name)
  if (known !== undefined) return known
  let text = name
  while (text.length > 1 && pen.measureText(text).width > room) text = `${text.slice(0, text.endsWith('…') ? -2 : -1)}…`
  if (widths.size > 5000) widths.clear()
  widths.set(name, text)
  return text
}

/** Times, marks and the moment shown. */
function head(pen: CanvasRenderingContext2D, view: View, chart: Chart, ink: Ink) {
  const [from, to] = view.frame
  pen.fillStyle = ink.panel
  pen.fillRect(0, 0, view.width, HEAD)
  pen.font = FONT
  const step = ticks(to - from, Math.max(2, Math.floor((view.width - NAMES) / 64)))[1] ?? to - from
  for (let time = Math.ceil(from / step) * step; time <= to + 1e-9; time += step) {
    const x = xOf(view, time)
    pen.fillStyle = ink.line
    pen.fillRect(x, HEAD - 3, 1, view.height)
    pen.fillStyle = ink.faint
    pen.textAlign = x > view.width - 22 ? 'right' : x < NAMES + 14 ? 'left' : 'center'
    pen.fillText(stopwatch(time, 0), x, HEAD / 2 - 1)
  }
  for (const mark of chart.marks) {
    if (mark.t < from || mark.t > to || (mark.kind !== 'deed' && mark.kind !== 'disturbance')) continue
    const x = xOf(view, mark.t)
    pen.fillStyle = markColour(mark.kind, ink)
    pen.globalAlpha = 0.8
    for (let y = HEAD; y < view.height; y += 4) pen.fillRect(x - 0.5, y, 1, 2)
    pen.globalAlpha = 1
    markShape(pen, mark.kind, x, HEAD - 4, 3.5)
  }
  if (view.now >= from && view.now <= to) {
    pen.fillStyle = ink.text
    pen.fillRect(xOf(view, view.now) - 0.75, HEAD - 4, 1.5, view.height)
  }
}
