// Saves what the map shows as a picture.

import { lanes, status } from '../net/store'
import { notify } from '../ui/notify'
import { theme } from '../ui/theme'
import { itemShape } from './draw-items'
import { inkOf } from './ink'
import { type LegendEntry, legend } from './legend'
import { FONT } from './look'
import { paint } from './paint'
import { lookAt } from './scene-look'
import { camera, size } from './stage'

const RATIO = 2
const HEAD = 44
const GAP = 8
const FOOT = 30

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
  canvas.width = all * RATIO
  canvas.height = (HEAD + height + FOOT) * RATIO
  const ctx = canvas.getContext('2d')
  if (!ctx) return
  const ink = inkOf(theme.value)
  ctx.scale(RATIO, RATIO)
  ctx.fillStyle = ink.ground
  ctx.fillRect(0, 0, all, HEAD + height + FOOT)
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
  ctx.translate(12, HEAD + height + FOOT / 2)
  drawLegend(ctx, legend(), all - 24)
  ctx.restore()
  canvas.toBlob((blob) => {
    if (!blob) {
      notify('The picture could not be made.', 'error')
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

function drawLegend(ctx: CanvasRenderingContext2D, entries: LegendEntry[], room: number) {
  const ink = inkOf(theme.value)
  ctx.font = `12px ${FONT}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  let x = 0
  const text = (words: string, colour: string) => {
    ctx.fillStyle = colour
    ctx.fillText(words, x, 0)
    x += ctx.measureText(words).width
  }
  for (const entry of entries) {
    if (x > room - 40) break
    if (entry.kind === 'swatch') {
      ctx.beginPath()
      if (entry.shape === 'item') itemShape(ctx, entry.item ?? 0, x + 6, 0, 5)
      else ctx.arc(x + 6, 0, 5.5, 0, 2 * Math.PI)
      ctx.fillStyle = entry.colour
      ctx.fill()
      x += 17
    } else if (entry.kind === 'mark') {
      const paintOf = { down: ink.bad, stopped: ink.bad, faulty: ink.warn, taken: ink.hand }
      ctx.font = `700 13px ${FONT}`
      text({ down: '✕ ', stopped: '■ ', faulty: '▲ ', taken: '◌ ' }[entry.mark], paintOf[entry.mark])
      ctx.font = `12px ${FONT}`
    }
    text(entry.text, entry.kind === 'note' ? ink.faint : ink.text)
    if (entry.kind === 'ramp') {
      x += 6
      text(entry.low, ink.faint)
      x += 4
      const fill = ctx.createLinearGradient(x, 0, x + 70, 0)
      entry.colours.forEach((colour, i) => {
        fill.addColorStop(i / Math.max(1, entry.colours.length - 1), colour)
      })
      ctx.fillStyle = fill
      ctx.fillRect(x, -5, 70, 10)
      x += 74
      text(entry.high, ink.faint)
    }
    x += 16
  }
}
