// Saves the map as a picture.

import { lanes, status } from '../net/store'
import { notify } from '../ui/notify'
import { theme } from '../ui/theme'
import { itemShape } from './draw-items'
import { type Ink, inkOf } from './ink'
import { type LegendEntry, legend } from './legend'
import { FONT } from './look'
import { paint } from './paint'
import { lookAt } from './scene-look'
import { camera, size } from './stage'

const RATIO = 2
const HEAD = 44
const GAP = 8
const ROW = 20

/** A time as m:ss.s. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const minutes = Math.floor(tenths / 600)
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`
}

export function fileName(scene: string, time: number): string {
  const stem =
    scene
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'run'
  return `${stem}-${time.toFixed(1)}s.png`
}

export function savePicture() {
  const shown = lanes.value.filter((lane) => lane !== undefined)
  if (shown.length === 0) {
    notify('There is nothing to save yet.', 'info')
    return
  }
  const { width, height } = size.value
  const all = shown.length * width + (shown.length - 1) * GAP
  const canvas = document.createElement('canvas')
  const ctx = canvas.getContext('2d')
  if (!ctx) return
  const entries = legend()
  const foot = ROW * rows(ctx, entries, all - 24) + 12
  canvas.width = all * RATIO
  canvas.height = (HEAD + height + foot) * RATIO
  const ink = inkOf(theme.value)
  ctx.scale(RATIO, RATIO)
  ctx.fillStyle = ink.ground
  ctx.fillRect(0, 0, all, HEAD + height + foot)
  const time = status.value?.time ?? 0
  shown.forEach((lane, i) => {
    ctx.save()
    ctx.translate(i * (width + GAP), 0)
    ctx.fillStyle = ink.text
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'left'
    ctx.font = `600 15px ${FONT}`
    ctx.fillText(lane.scene.name, 12, 15)
    ctx.font = `12px ${FONT}`
    ctx.fillStyle = ink.faint
    ctx.fillText(`${lane.scene.coordinator}, seed ${lane.scene.seed}, time ${clock(time)}`, 12, 33)
    ctx.translate(0, HEAD)
    ctx.beginPath()
    ctx.rect(0, 0, width, height)
    ctx.clip()
    const look = lookAt(ctx, lane.scene.lane, camera.value, size.value)
    if (look) paint(look)
    ctx.restore()
  })
  ctx.save()
  ctx.translate(12, HEAD + height + 6 + ROW / 2)
  drawLegend(ctx, entries, all - 24)
  ctx.restore()
  canvas.toBlob((blob) => {
    if (!blob) {
      notify('Cannot create the picture.', 'error')
      return
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = fileName(shown[0].scene.name, time)
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
    notify(`Saved ${link.download}.`, 'info')
  }, 'image/png')
}

/** Number of rows of the legend. */
function rows(ctx: CanvasRenderingContext2D, entries: LegendEntry[], room: number): number {
  ctx.font = `12px ${FONT}`
  return layOut(ctx, entries, room).at(-1)?.row ?? 0
}

/** Positions of the entries: rows count from 1. */
function layOut(ctx: CanvasRenderingContext2D, entries: LegendEntry[], room: number) {
  let x = 0
  let row = 1
  return entries.map((entry) => {
    const width = widthOf(ctx, entry)
    if (x > 0 && x + width > room) {
      x = 0
      row++
    }
    const place = { entry, x, row }
    x += width + 16
    return place
  })
}

const SWATCH = 17
const RAMP = 70

function widthOf(ctx: CanvasRenderingContext2D, entry: LegendEntry): number {
  const text = ctx.measureText(entry.text).width
  if (entry.kind === 'ramp')
    return text + ctx.measureText(entry.low).width + ctx.measureText(entry.high).width + RAMP + 14
  return entry.kind === 'note' ? text : SWATCH + text
}

function drawLegend(ctx: CanvasRenderingContext2D, entries: LegendEntry[], room: number) {
  const ink = inkOf(theme.value)
  ctx.font = `12px ${FONT}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const { entry, x, row } of layOut(ctx, entries, room)) {
    ctx.save()
    ctx.translate(x, (row - 1) * ROW)
    drawEntry(ctx, ink, entry)
    ctx.restore()
  }
}

function drawEntry(ctx: CanvasRenderingContext2D, ink: Ink, entry: LegendEntry) {
  let x = 0
  const text = (words: string, colour: string) => {
    ctx.fillStyle = colour
    ctx.fillText(words, x, 0)
    x += ctx.measureText(words).width
  }
  if (entry.kind === 'swatch') {
    ctx.beginPath()
    if (entry.shape === 'item') itemShape(ctx, entry.item ?? 0, 6, 0, 5)
    else ctx.arc(6, 0, 5.5, 0, 2 * Math.PI)
    ctx.fillStyle = entry.colour
    ctx.fill()
    x = SWATCH
  } else if (entry.kind === 'mark') {
    drawMark(ctx, ink, entry.mark)
    x = SWATCH
  }
  text(entry.text, entry.kind === 'note' ? ink.faint : ink.text)
  if (entry.kind !== 'ramp') return
  x += 6
  text(entry.low, ink.faint)
  x += 4
  const fill = ctx.createLinearGradient(x, 0, x + RAMP, 0)
  entry.colours.forEach((colour, i) => {
    fill.addColorStop(i / Math.max(1, entry.colours.length - 1), colour)
  })
  ctx.fillStyle = fill
  ctx.fillRect(x, -5, RAMP, 10)
  x += RAMP + 4
  text(entry.high, ink.faint)
}

/** The marks of robots, as on the map. */
function drawMark(ctx: CanvasRenderingContext2D, ink: Ink, mark: 'down' | 'stopped' | 'faulty' | 'taken') {
  ctx.beginPath()
  ctx.lineWidth = 2.5
  ctx.strokeStyle = mark === 'taken' ? ink.hand : ink.bad
  ctx.fillStyle = mark === 'faulty' ? ink.warn : ink.bad
  if (mark === 'down') {
    ctx.moveTo(1, -5)
    ctx.lineTo(11, 5)
    ctx.moveTo(11, -5)
    ctx.lineTo(1, 5)
    ctx.stroke()
  } else if (mark === 'taken') {
    ctx.setLineDash([3, 2])
    ctx.arc(6, 0, 5, 0, 2 * Math.PI)
    ctx.stroke()
    ctx.setLineDash([])
  } else if (mark === 'stopped') ctx.fillRect(2, -4.5, 9, 9)
  else {
    ctx.moveTo(6, -5.5)
    ctx.lineTo(11.5, 5)
    ctx.lineTo(0.5, 5)
    ctx.fill()
  }
}
