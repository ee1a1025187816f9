// What robots draw on the layers of their mission.

import type { Mark, Point, Sketch } from '../protocol'
import { clipToWorld } from './draw-ground'
import { colourOf } from './draw-robots'
import { type Look, onCanvas, placer } from './look'
import { attached, chosenSketches, coneCorners } from './sketches'
import { present, robotPlace } from './stage'

/** Strengths are drawn in this many steps: one path each. */
const STEPS = 6

type Wide = Extract<Mark, ['disc' | 'band', ...unknown[]]>

function shown(look: Look): Sketch[] {
  if (!look.sketches.some((on) => on)) return []
  const all = chosenSketches(look.scene.layers, look.sketches, look.overlay, look.detail)
  return all.filter((sketch) => sketch.robot === null || present(look.lane, sketch.robot))
}

function own(look: Look, sketch: Sketch): boolean {
  return look.scene.layers[sketch.layer]?.about === 'robot'
}

/** Discs and bands: on the ground. */
export function drawSketches(look: Look) {
  const { ctx, ink } = look
  const sketches = shown(look)
  if (sketches.length === 0) return
  ctx.save()
  clipToWorld(look)
  for (const sketch of sketches) {
    const wide = sketch.marks.filter((mark): mark is Wide => mark[0] === 'disc' || mark[0] === 'band')
    if (wide.length === 0) continue
    if (own(look, sketch) && sketch.robot !== null) {
      ctx.fillStyle = colourOf(look, sketch.robot)
      for (const mark of wide) {
        ctx.globalAlpha = 0.02 + 0.14 * mark[1] * mark[1]
        ctx.beginPath()
        addWide(look, mark)
        ctx.fill()
      }
    } else {
      // One path for all of the same strength, so that overlaps are not stronger.
      ctx.fillStyle = ink.warn
      for (let step = 1; step <= STEPS; step++) {
        const same = wide.filter((mark) => Math.max(1, Math.round(mark[1] * STEPS)) === step)
        if (same.length === 0) continue
        ctx.globalAlpha = (0.2 * step) / STEPS
        ctx.beginPath()
        for (const mark of same) addWide(look, mark)
        ctx.fill()
      }
    }
  }
  ctx.restore()
}

function addWide(look: Look, mark: Wide) {
  const { ctx, camera } = look
  const place = placer(look)
  const [x, y] = place([mark[2], mark[3]])
  if (mark[0] === 'disc') {
    const r = mark[4] * camera.scale
    if (!onCanvas(look, x, y, r)) return
    ctx.moveTo(x + r, y)
    ctx.arc(x, y, r, 0, 2 * Math.PI)
  } else if (mark[0] === 'band') {
    const [x2, y2] = place([mark[4], mark[5]])
    const r = mark[6] * camera.scale
    const way = Math.atan2(y2 - y, x2 - x)
    ctx.moveTo(x + r * Math.cos(way + Math.PI / 2), y + r * Math.sin(way + Math.PI / 2))
    ctx.arc(x, y, r, way + Math.PI / 2, way + 1.5 * Math.PI)
    ctx.arc(x2, y2, r, way - Math.PI / 2, way + Math.PI / 2)
    ctx.closePath()
  }
}

/** Circles and cones: lines above the ground. */
export function drawSketchLines(look: Look) {
  const { ctx, ink, lane, selected } = look
  for (const sketch of shown(look)) {
    const mine = own(look, sketch)
    const moved: Point = [0, 0]
    if (sketch.robot !== null && sketch.at && mine) {
      const [x, y] = robotPlace(lane, sketch.robot)
      moved[0] = x - sketch.at[0]
      moved[1] = y - sketch.at[1]
    }
    for (const mark of sketch.marks) {
      if (mark[0] === 'circle') {
        const chosen = sketch.robot === selected && selected !== null
        ctx.strokeStyle = mine && sketch.robot !== null ? colourOf(look, sketch.robot) : ink.text
        ctx.lineWidth = mine ? (chosen ? 2 : 1.25) : 1.75
        ctx.globalAlpha = mine && !chosen ? 0.6 : 0.85
        ctx.setLineDash(mine ? [] : [8, 6])
        circle(look, mine ? attached(mark, moved) : mark)
        ctx.setLineDash([])
      } else if (mark[0] === 'cone') cone(look, attached(mark, moved))
    }
  }
  ctx.globalAlpha = 1
}

function circle(look: Look, mark: Mark) {
  const { ctx, camera } = look
  const [x, y] = placer(look)([mark[2], mark[3]])
  const r = mark[4] * camera.scale
  if (!onCanvas(look, x, y, r)) return
  ctx.beginPath()
  ctx.arc(x, y, r, 0, 2 * Math.PI)
  ctx.stroke()
}

function cone(look: Look, mark: Mark) {
  if (mark[0] !== 'cone') return
  const { ctx, ink, camera } = look
  const place = placer(look)
  const tip = place([mark[2], mark[3]])
  const middle = place([mark[4], mark[5]])
  const r = mark[6] * camera.scale
  if (
    !onCanvas(
      look,
      (tip[0] + middle[0]) / 2,
      (tip[1] + middle[1]) / 2,
      Math.hypot(tip[0] - middle[0], tip[1] - middle[1]) + r,
    )
  )
    return
  const corners = coneCorners(tip, middle, r)
  ctx.beginPath()
  if (corners) {
    const [a, b] = corners.map(([x, y]) => Math.atan2(y - middle[1], x - middle[0]))
    ctx.moveTo(...tip)
    ctx.lineTo(...corners[0])
    ctx.arc(middle[0], middle[1], r, a, b)
    ctx.closePath()
  } else ctx.arc(middle[0], middle[1], r, 0, 2 * Math.PI)
  ctx.fillStyle = ink.bad
  ctx.strokeStyle = ink.bad
  ctx.lineWidth = 1
  ctx.globalAlpha = 0.1 + 0.35 * mark[1]
  ctx.fill()
  ctx.globalAlpha = 0.25 + 0.65 * mark[1]
  ctx.stroke()
}
