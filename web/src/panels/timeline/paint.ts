// Draws the marks and the times of the bar.

import { stopwatch } from '../format'
import type { Ink } from '../ink'
import type { Mark, MarkKind } from './marks'
import { ticks } from './scale'

/** Height of the part with marks, and of the track below it. [px] */
export const MARK_ROOM = 14
export const TRACK = 10

export function markColour(kind: MarkKind, ink: Ink): string {
  const colours: Record<MarkKind, string> = {
    deed: ink.accent,
    disturbance: ink.bad,
    done: ink.good,
    trouble: ink.warn,
    question: ink.accent,
  }
  return colours[kind]
}

/** One shape per kind, so that marks do not differ by colour alone. */
export function markShape(pen: CanvasRenderingContext2D, kind: MarkKind, x: number, y: number, size: number) {
  pen.beginPath()
  if (kind === 'deed') {
    pen.moveTo(x - size, y - size)
    pen.lineTo(x + size, y - size)
    pen.lineTo(x, y + size)
  } else if (kind === 'disturbance') {
    pen.moveTo(x, y - size - 0.5)
    pen.lineTo(x + size, y)
    pen.lineTo(x, y + size + 0.5)
    pen.lineTo(x - size, y)
  } else if (kind === 'done') pen.arc(x, y, size * 0.85, 0, 2 * Math.PI)
  else if (kind === 'trouble') {
    pen.moveTo(x, y - size)
    pen.lineTo(x + size, y + size)
    pen.lineTo(x - size, y + size)
  } else pen.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6)
  pen.closePath()
  pen.fill()
}

/** Draws onto a canvas of this size in CSS pixels. */
export function paint(canvas: HTMLCanvasElement, width: number, height: number, all: number, marks: Mark[], ink: Ink) {
  const scale = devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const pen = canvas.getContext('2d')
  if (!pen || width <= 0) return
  pen.scale(scale, scale)
  pen.font = '11px system-ui, sans-serif'
  pen.textBaseline = 'top'
  const below = MARK_ROOM + TRACK
  for (const time of ticks(all, Math.max(2, Math.floor(width / 80)))) {
    const x = Math.min(width - 0.5, Math.max(0.5, (time / all) * width))
    pen.fillStyle = ink.line
    pen.fillRect(Math.round(x - 0.5), below, 1, 4)
    pen.fillStyle = ink.faint
    pen.textAlign = x < 20 ? 'left' : x > width - 20 ? 'right' : 'center'
    pen.fillText(stopwatch(time, 0), x, below + 5)
  }
  // Overlapping marks are drawn once, the important ones last.
  const order: MarkKind[] = ['done', 'trouble', 'question', 'disturbance', 'deed']
  for (const kind of order) {
    let before = Number.NEGATIVE_INFINITY
    pen.fillStyle = markColour(kind, ink)
    for (const mark of marks) {
      if (mark.kind !== kind) continue
      const x = (mark.t / all) * width
      if (x - before < 2) continue
      before = x
      markShape(pen, kind, x, MARK_ROOM / 2 - 1, 4)
      pen.fillRect(x - 0.5, MARK_ROOM - 2, 1, TRACK + 2)
    }
  }
}
