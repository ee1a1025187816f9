// Areas and objects.

import type { Thing, Things } from '../protocol'
import type { Ink } from './ink'
import { FONT, type Look, onCanvas, placer, write } from './look'
import { box, middle, trace } from './shapes'

export function drawAreas(look: Look) {
  const { ctx, ink, camera } = look
  const place = placer(look)
  for (const area of look.things?.areas ?? []) {
    ctx.beginPath()
    trace(ctx, area.outline, place, camera.scale)
    ctx.fillStyle = ink.area
    ctx.fill()
    if (area.lit) {
      ctx.globalAlpha = 0.22
      ctx.fillStyle = ink.lit
      ctx.fill()
      ctx.globalAlpha = 1
    }
    ctx.strokeStyle = area.lit ? ink.lit : ink.areaEdge
    ctx.lineWidth = area.lit ? 2 : 1.25
    ctx.setLineDash([6, 4])
    ctx.stroke()
    ctx.setLineDash([])
  }
}

/** Names of areas, and symbols for lamps and persons; above everything on the ground. */
export function drawAreaSigns(look: Look) {
  const { ctx, ink, camera } = look
  const place = placer(look)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'top'
  for (const area of look.things?.areas ?? []) {
    const around = box(area.outline)
    const width = (around.max[0] - around.min[0]) * camera.scale
    const height = (around.max[1] - around.min[1]) * camera.scale
    const [cx, cy] = place(middle(area.outline))
    if (!onCanvas(look, cx, cy, Math.max(width, height))) continue
    const [, top] = place([0, around.max[1]])
    ctx.font = `500 11px ${FONT}`
    if (look.layers.ids && width > 24) {
      const text = fitting(ctx, area.name || area.kind, Math.max(width, 70))
      const above = height < 44 || 'circle' in area.outline
      ctx.textBaseline = above ? 'bottom' : 'top'
      write(look, text, cx, above ? top - 3 : top + 4, ink.faint)
    }
    const sign = Math.min(9, Math.max(5, height / 6))
    if (area.lit) bulb(ctx, ink, cx - (area.person ? sign * 1.4 : 0), cy, sign)
    if (area.person) person(ctx, ink, cx + (area.lit ? sign * 1.4 : 0), cy, sign)
  }
}

export function drawObjects(look: Look) {
  const { ctx, ink, camera } = look
  const place = placer(look)
  const objects = look.things?.objects ?? []
  // Objects of the same style in one path.
  const looks = new Map<string, Thing[]>()
  for (const object of objects) {
    const key = `${groundOf(object)} ${object.added}`
    const same = looks.get(key)
    if (same) same.push(object)
    else looks.set(key, [object])
  }
  for (const same of looks.values()) {
    const ground = groundOf(same[0])
    ctx.beginPath()
    for (const object of same) trace(ctx, object.outline, place, camera.scale)
    ctx.lineWidth = same[0].added ? 2 : 1.25
    if (ground === 'solid') ctx.fillStyle = ink.solid
    else ctx.fillStyle = hatch(ctx, ground === 'slow' ? ink.slow : ground === 'fast' ? ink.fast : ink.faint, ground)
    ctx.fill()
    const edge = ground === 'slow' ? ink.slow : ground === 'fast' ? ink.fast : ink.solidEdge
    ctx.strokeStyle = same[0].added ? ink.added : edge
    if (same[0].added) ctx.setLineDash([5, 3])
    ctx.stroke()
    ctx.setLineDash([])
  }
  // Walls without width.
  ctx.beginPath()
  for (const object of objects) if ('segment' in object.outline) trace(ctx, object.outline, place, camera.scale)
  ctx.strokeStyle = ink.solidEdge
  ctx.lineWidth = 3
  ctx.stroke()
  for (const object of objects) marks(look, object)
}

export function groundOf(object: Thing): 'solid' | 'slow' | 'fast' | 'free' {
  if (object.solid) return 'solid'
  if (object.penetrability < 1) return 'slow'
  return object.penetrability > 1 ? 'fast' : 'free'
}

function hasStocks(object: Thing): boolean {
  return Object.values(object.stocks).some((amount) => amount > 0)
}

function marks(look: Look, object: Thing) {
  const { ctx, ink, camera } = look
  const [cx, cy] = placer(look)(middle(object.outline))
  const around = box(object.outline)
  const width = (around.max[0] - around.min[0]) * camera.scale
  const height = (around.max[1] - around.min[1]) * camera.scale
  if (!onCanvas(look, cx, cy, Math.max(width, height))) return
  const small = Math.min(width, height)
  if (object.jammer) antenna(ctx, ink, cx, cy, Math.max(7, Math.min(14, small * 0.7)), object.jammer.on)
  if (hasStocks(object) && small > 8) {
    ctx.fillStyle = ink.text
    ctx.globalAlpha = 0.55
    for (let i = 0; i < 7; i++) {
      const angle = i * 2.4
      const r = small * 0.11 * Math.sqrt(i + 0.5)
      ctx.fillRect(cx + r * Math.cos(angle) - 1, cy + r * Math.sin(angle) - 1, 2, 2)
    }
    ctx.globalAlpha = 1
  }
  if (object.added && small > 3) {
    const [x] = placer(look)([around.max[0], 0])
    const [, y] = placer(look)([0, around.max[1]])
    ctx.fillStyle = ink.added
    ctx.beginPath()
    ctx.arc(x, y, 6, 0, 2 * Math.PI)
    ctx.fill()
    ctx.strokeStyle = ink.ground
    ctx.lineWidth = 1.75
    ctx.beginPath()
    ctx.moveTo(x - 3, y)
    ctx.lineTo(x + 3, y)
    ctx.moveTo(x, y - 3)
    ctx.lineTo(x, y + 3)
    ctx.stroke()
  }
}

/** Names of objects, where there is room. */
export function drawObjectNames(look: Look) {
  const { ctx, ink, camera } = look
  const place = placer(look)
  ctx.font = `11px ${FONT}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const object of look.things?.objects ?? []) {
    if (!object.name) continue
    const around = box(object.outline)
    const width = (around.max[0] - around.min[0]) * camera.scale
    const height = (around.max[1] - around.min[1]) * camera.scale
    const [cx, cy] = place(middle(object.outline))
    if (!onCanvas(look, cx, cy, Math.max(width, height))) continue
    const text = ctx.measureText(object.name).width
    const busy = object.jammer || hasStocks(object)
    if (text + 6 < width && height > 13 && !busy) write(look, object.name, cx, cy, ink.text)
    else if (camera.scale > 25 && (look.things as Things).objects.length < 60) {
      const [, bottom] = place([0, around.min[1]])
      write(look, object.name, cx, bottom + 9, ink.faint)
    }
  }
}

function fitting(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text
  let short = text
  while (short.length > 1 && ctx.measureText(`${short}…`).width > width) short = short.slice(0, -1)
  return `${short}…`
}

function bulb(ctx: CanvasRenderingContext2D, ink: Ink, x: number, y: number, r: number) {
  ctx.fillStyle = ink.lit
  ctx.strokeStyle = ink.text
  ctx.lineWidth = 1
  ctx.beginPath()
  ctx.arc(x, y - r * 0.2, r * 0.75, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  ctx.fillStyle = ink.text
  ctx.fillRect(x - r * 0.35, y + r * 0.6, r * 0.7, r * 0.4)
}

function person(ctx: CanvasRenderingContext2D, ink: Ink, x: number, y: number, r: number) {
  ctx.fillStyle = ink.text
  ctx.beginPath()
  ctx.arc(x, y - r * 0.75, r * 0.45, 0, 2 * Math.PI)
  ctx.fill()
  ctx.beginPath()
  ctx.moveTo(x - r * 0.8, y + r)
  ctx.quadraticCurveTo(x - r * 0.8, y - r * 0.1, x, y - r * 0.1)
  ctx.quadraticCurveTo(x + r * 0.8, y - r * 0.1, x + r * 0.8, y + r)
  ctx.fill()
}

/** The symbol of a jammer: a mast with waves, crossed out if it is off. */
export function antenna(ctx: CanvasRenderingContext2D, ink: Ink, x: number, y: number, r: number, on: boolean) {
  ctx.strokeStyle = on ? ink.bad : ink.faint
  ctx.fillStyle = ctx.strokeStyle
  ctx.lineWidth = 1.75
  ctx.beginPath()
  ctx.arc(x, y - r * 0.3, r * 0.2, 0, 2 * Math.PI)
  ctx.fill()
  ctx.beginPath()
  ctx.moveTo(x, y - r * 0.3)
  ctx.lineTo(x, y + r)
  ctx.stroke()
  if (on)
    for (const wave of [0.55, 0.95]) {
      ctx.beginPath()
      ctx.arc(x, y - r * 0.3, r * wave, -0.7, 0.7)
      ctx.stroke()
      ctx.beginPath()
      ctx.arc(x, y - r * 0.3, r * wave, Math.PI - 0.7, Math.PI + 0.7)
      ctx.stroke()
    }
  else {
    ctx.beginPath()
    ctx.moveTo(x - r * 0.8, y + r * 0.7)
    ctx.lineTo(x + r * 0.8, y - r * 0.9)
    ctx.stroke()
  }
}

const patterns = new Map<string, CanvasPattern | string>()

function hatch(ctx: CanvasRenderingContext2D, colour: string, way: string): CanvasPattern | string {
  const key = `${colour} ${way}`
  const kept = patterns.get(key)
  if (kept) return kept
  const tile = document.createElement('canvas')
  tile.width = 8
  tile.height = 8
  const to = tile.getContext('2d')
  if (!to) return colour
  to.strokeStyle = colour
  to.globalAlpha = 0.16
  to.fillStyle = colour
  to.fillRect(0, 0, 8, 8)
  to.globalAlpha = 0.6
  to.lineWidth = 1
  to.beginPath()
  if (way === 'slow')
    for (const shift of [-8, 0, 8]) {
      to.moveTo(shift - 1, 9)
      to.lineTo(shift + 9, -1)
    }
  else if (way === 'fast') {
    to.moveTo(1, 1)
    to.lineTo(4, 4)
    to.lineTo(1, 7)
  }
  to.stroke()
  const made = ctx.createPattern(tile, 'repeat') ?? colour
  patterns.set(key, made)
  return made
}
