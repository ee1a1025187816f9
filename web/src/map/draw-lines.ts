// Lines over the ground: trails, links, plans and rays.

import type { Detail, Overlay, Point } from '../protocol'
import { qualityColour } from '../ui/colours'
import { colourOf } from './draw-robots'
import { linksToDraw } from './links'
import { type Look, placer } from './look'
import { present, robotPlace } from './stage'

const AGES = 4
export const LINK_STEPS = 5

export function drawTrails(look: Look) {
  const { ctx, picture, stage, camera, size } = look
  const rows = stage.trails.moments
  if (!picture || rows.length === 0 || rows.at(-1)?.x.length !== picture.robots) return
  const left = size.width / 2 - camera.x * camera.scale
  const bottom = size.height / 2 + camera.y * camera.scale
  const groups = new Map<string, number[]>()
  for (let i = 0; i < picture.robots; i++) {
    if (!present(look.lane, i)) continue
    const colour = colourOf(look, i)
    const group = groups.get(colour)
    if (group) group.push(i)
    else groups.set(colour, [i])
  }
  ctx.lineWidth = Math.max(1, Math.min(2, camera.scale / 40))
  ctx.lineJoin = 'round'
  const ages = Math.min(AGES, rows.length)
  for (const [colour, group] of groups) {
    ctx.strokeStyle = colour
    for (let age = 0; age < ages; age++) {
      const from = Math.floor((age * rows.length) / ages)
      const to = Math.floor(((age + 1) * rows.length) / ages)
      ctx.globalAlpha = 0.12 + (0.5 * (age + 1)) / ages
      ctx.beginPath()
      for (const i of group) {
        let drawing = false
        // One more than the part, so that parts connect.
        for (let k = from; k <= Math.min(to, rows.length - 1); k++) drawing = point(rows[k].x[i], rows[k].y[i], drawing)
        if (age === ages - 1) point(stage.motion.x[i], stage.motion.y[i], drawing)
      }
      ctx.stroke()
    }
  }
  ctx.globalAlpha = 1

  function point(x: number, y: number, drawing: boolean): boolean {
    if (Number.isNaN(x)) return false
    if (drawing) ctx.lineTo(left + x * camera.scale, bottom - y * camera.scale)
    else ctx.moveTo(left + x * camera.scale, bottom - y * camera.scale)
    return true
  }
}

export function drawLinks(look: Look) {
  if (!look.overlay?.links) return
  const { ctx, lane } = look
  const links = linksToDraw(look.overlay, (robot) => robotPlace(lane, robot), look.selected)
  const place = placer(look)
  const steps: Overlay['links'][] = Array.from({ length: LINK_STEPS }, () => [])
  for (const link of links) {
    const step = Math.min(LINK_STEPS - 1, Math.max(0, Math.floor(link[2] * LINK_STEPS)))
    steps[step]?.push(link)
  }
  // Lines of one pixel are much cheaper than wider ones.
  ctx.lineWidth = links.length > 60 ? 1 : 1.5
  ctx.globalAlpha = links.length > 400 ? 0.45 : 0.75
  steps.forEach((step, n) => {
    ctx.beginPath()
    for (const [a, b] of step ?? []) {
      if (!present(lane, a) || !present(lane, b)) continue
      const [ax, ay] = place(robotPlace(lane, a))
      const [bx, by] = place(robotPlace(lane, b))
      ctx.moveTo(ax, ay)
      ctx.lineTo(bx, by)
    }
    ctx.strokeStyle = qualityColour((n + 0.5) / LINK_STEPS)
    // Bad links are dashed, so that they do not differ by colour alone; too many dashes would be slow.
    if (links.length <= 150) ctx.setLineDash(n === 0 ? [3, 4] : n === 1 ? [7, 4] : [])
    ctx.stroke()
  })
  ctx.setLineDash([])
  ctx.globalAlpha = 1
}

export function drawPlans(look: Look) {
  const plans = (look.overlay?.plans ?? []).slice()
  const { ctx, lane, detail, selected } = look
  if (selected !== null && detail?.plan.length && !plans.some((plan) => plan.robot === selected))
    plans.push({ robot: selected, points: detail.plan })
  const place = placer(look)
  ctx.lineWidth = plans.length > 30 ? 1 : 1.75
  for (const plan of plans) {
    if (plan.points.length === 0 || !present(lane, plan.robot)) continue
    ctx.strokeStyle = colourOf(look, plan.robot)
    ctx.setLineDash([6, 4])
    ctx.beginPath()
    const [x, y] = place(robotPlace(lane, plan.robot))
    ctx.moveTo(x, y)
    for (const point of plan.points) ctx.lineTo(...place(point))
    ctx.stroke()
    ctx.setLineDash([])
    const [ex, ey] = place(plan.points.at(-1) as Point)
    ctx.beginPath()
    ctx.moveTo(ex - 4, ey - 4)
    ctx.lineTo(ex + 4, ey + 4)
    ctx.moveTo(ex + 4, ey - 4)
    ctx.lineTo(ex - 4, ey + 4)
    ctx.stroke()
  }
}

export function drawRays(look: Look) {
  const { detail, selected } = look
  const groups = (look.overlay?.rays ?? [])
    .filter((group) => !(detail?.rays.length && group.robot === selected))
    .map((group) => group.rays)
  if (detail?.rays.length) groups.push(detail.rays)
  const rays = groups.flat()
  if (rays.length === 0) return
  const { ctx, ink } = look
  ctx.lineWidth = 1
  const ends: Point[] = []
  ctx.beginPath()
  for (const ray of rays) {
    const [[ax, ay], end] = endsOf(look, ray)
    ctx.moveTo(ax, ay)
    ctx.lineTo(end[0], end[1])
    if (ray.hit) ends.push(end)
  }
  ctx.strokeStyle = ink.ray
  ctx.stroke()
  ctx.fillStyle = ink.hit
  ctx.beginPath()
  const dot = rays.length > 2000 ? 2 : 3
  for (const [x, y] of ends) ctx.rect(x - dot / 2, y - dot / 2, dot, dot)
  ctx.fill()
}

function endsOf(look: Look, ray: Detail['rays'][number]): [Point, Point] {
  const place = placer(look)
  const end: Point = [ray.x + ray.length * Math.cos(ray.angle), ray.y + ray.length * Math.sin(ray.angle)]
  return [place([ray.x, ray.y]), place(end)]
}
