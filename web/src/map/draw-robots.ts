// Robots: discs or outlines with their heading, in few paths, so that a thousand robots are fast to draw.

import { RobotFlag } from '../protocol'
import { idleColour, robotColour, taskColour } from '../ui/colours'
import { toScreen } from './camera'
import { FONT, type Look, onCanvas, write } from './look'
import { taskOf, workOf } from './stage'

/** Below this radius a robot is drawn as a square. [px] */
const TINY = 2.5
/** In small teams, robots are not drawn smaller than this. [px] */
const SMALLEST = 3.5
/** Names and marks are drawn if at most this many robots are visible. */
const NAMED = 80

/** Screen positions of the visible robots; computed once per picture. */
export type Seen = { index: number[]; x: number[]; y: number[]; r: number[] }

export function seenRobots(look: Look): Seen {
  const seen: Seen = { index: [], x: [], y: [], r: [] }
  const { picture, scene, camera, size, stage } = look
  if (!picture) return seen
  const left = size.width / 2 - camera.x * camera.scale
  const bottom = size.height / 2 + camera.y * camera.scale
  const count = Math.min(picture.robots, stage.motion.x.length)
  // In small teams, robots stay visible from afar.
  const least = count <= NAMED ? SMALLEST : 0
  for (let i = 0; i < count; i++) {
    if (!(picture.robot.flags[i] & RobotFlag.Present)) continue
    const x = left + stage.motion.x[i] * camera.scale
    const y = bottom - stage.motion.y[i] * camera.scale
    const r = Math.max(least, (scene.robots[i]?.radius ?? 0.1) * camera.scale)
    if (!onCanvas(look, x, y, r + 20)) continue
    seen.index.push(i)
    seen.x.push(x)
    seen.y.push(y)
    seen.r.push(r)
  }
  return seen
}

/** The colour of a robot, by the chosen meaning of colours. */
export function colourOf(look: Pick<Look, 'picture' | 'scene' | 'colourBy'>, i: number): string {
  if (look.colourBy === 'robot') return robotColour(i)
  const task = taskOf(look.scene, i, look.picture?.robot.work[i] ?? 0)
  return task < 0 ? idleColour() : taskColour(task)
}

export function drawRobots(look: Look, seen: Seen) {
  const { ctx, ink, picture, scene } = look
  if (!picture) return
  const { flags } = picture.robot
  const groups = new Map<string, number[]>()
  for (let k = 0; k < seen.index.length; k++) {
    const i = seen.index[k]
    const colour = flags[i] & RobotFlag.Down ? ink.down : colourOf(look, i)
    const group = groups.get(colour)
    if (group) group.push(k)
    else groups.set(colour, [k])
  }
  for (const [colour, group] of groups) {
    ctx.beginPath()
    for (const k of group) body(look, seen, k)
    ctx.fillStyle = colour
    ctx.fill()
  }
  const largest = seen.r.reduce((a, b) => Math.max(a, b), 0)
  if (largest < TINY) return
  // All outlines in one path, and all noses in another.
  if (largest > 3.5) {
    ctx.beginPath()
    for (let k = 0; k < seen.index.length; k++) if (seen.r[k] > 3.5) body(look, seen, k)
    ctx.strokeStyle = ink.robotEdge
    ctx.lineWidth = largest > 10 ? 1.5 : 1
    ctx.stroke()
  }
  ctx.beginPath()
  for (let k = 0; k < seen.index.length; k++) {
    if (flags[seen.index[k]] & RobotFlag.Down || seen.r[k] < TINY) continue
    const heading = look.stage.motion.heading[seen.index[k]]
    const dx = Math.cos(heading) * seen.r[k]
    const dy = -Math.sin(heading) * seen.r[k]
    ctx.moveTo(seen.x[k] + dx * 0.1, seen.y[k] + dy * 0.1)
    ctx.lineTo(seen.x[k] + dx * 0.92, seen.y[k] + dy * 0.92)
  }
  ctx.strokeStyle = ink.nose
  ctx.lineWidth = Math.max(1, Math.min(3, largest * 0.22))
  ctx.lineCap = 'round'
  ctx.stroke()
  ctx.lineCap = 'butt'
  drawMarks(look, seen)

  function body(look: Look, seen: Seen, k: number) {
    const x = seen.x[k]
    const y = seen.y[k]
    const r = seen.r[k]
    const outline = r > SMALLEST ? scene.robots[seen.index[k]]?.outline : undefined
    if (r < TINY) {
      const side = Math.max(2, r * 2)
      ctx.rect(x - side / 2, y - side / 2, side, side)
    } else if (!outline || outline.length < 3) {
      ctx.moveTo(x + r, y)
      ctx.arc(x, y, r, 0, 2 * Math.PI)
    } else {
      const heading = look.stage.motion.heading[seen.index[k]]
      const cos = Math.cos(heading) * look.camera.scale
      const sin = Math.sin(heading) * look.camera.scale
      for (let j = 0; j < outline.length; j++) {
        const [px, py] = outline[j]
        const sx = x + px * cos - py * sin
        const sy = y - px * sin - py * cos
        if (j === 0) ctx.moveTo(sx, sy)
        else ctx.lineTo(sx, sy)
      }
      ctx.closePath()
    }
  }
}

/** Down: a cross. Stopped: a square. Faulty: a triangle. Taken over: a dashed ring. */
function drawMarks(look: Look, seen: Seen) {
  const { ctx, ink, picture } = look
  if (!picture) return
  const { flags } = picture.robot
  const each = (flag: RobotFlag, draw: (x: number, y: number, r: number) => void) => {
    for (let k = 0; k < seen.index.length; k++)
      if (flags[seen.index[k]] & flag && seen.r[k] >= TINY) draw(seen.x[k], seen.y[k], seen.r[k])
  }
  ctx.beginPath()
  each(RobotFlag.Down, (x, y, r) => {
    const d = Math.max(3, r * 0.6)
    ctx.moveTo(x - d, y - d)
    ctx.lineTo(x + d, y + d)
    ctx.moveTo(x + d, y - d)
    ctx.lineTo(x - d, y + d)
  })
  ctx.strokeStyle = ink.bad
  ctx.lineWidth = 2.5
  ctx.stroke()

  ctx.beginPath()
  each(RobotFlag.Stopped, (x, y, r) => {
    const side = badge(r)
    ctx.rect(x - r * 0.7 - side, y - r * 0.7 - side, 2 * side, 2 * side)
  })
  ctx.fillStyle = ink.bad
  ctx.fill()
  ctx.strokeStyle = ink.ground
  ctx.lineWidth = 1.25
  ctx.stroke()

  ctx.beginPath()
  each(RobotFlag.Faulty, (x, y, r) => {
    const side = badge(r) * 1.35
    const bx = x + r * 0.7
    const by = y - r * 0.7
    ctx.moveTo(bx, by - side)
    ctx.lineTo(bx + side, by + side * 0.8)
    ctx.lineTo(bx - side, by + side * 0.8)
    ctx.closePath()
  })
  ctx.fillStyle = ink.warn
  ctx.fill()
  ctx.strokeStyle = ink.ground
  ctx.lineWidth = 1.25
  ctx.stroke()

  ctx.beginPath()
  each(RobotFlag.TakenOver, (x, y, r) => {
    // Outside the ring around a selected robot.
    ctx.moveTo(x + r + 9, y)
    ctx.arc(x, y, r + 9, 0, 2 * Math.PI)
  })
  ctx.setLineDash([4, 3])
  ctx.strokeStyle = ink.hand
  ctx.lineWidth = 2.5
  ctx.stroke()
  ctx.setLineDash([])
}

function badge(r: number): number {
  return Math.max(3, Math.min(6, r * 0.4))
}

/** A ring around the selected robot. */
export function drawSelection(look: Look) {
  const { ctx, ink, picture, selected, scene } = look
  if (selected === null || !picture || selected >= picture.robots) return
  if (!(picture.robot.flags[selected] & RobotFlag.Present)) return
  const { motion } = look.stage
  const [x, y] = toScreen(look.camera, look.size, [motion.x[selected], motion.y[selected]])
  const r = Math.max(4, (scene.robots[selected]?.radius ?? 0.1) * look.camera.scale) + 4
  ctx.beginPath()
  ctx.arc(x, y, r, 0, 2 * Math.PI)
  ctx.strokeStyle = ink.ground
  ctx.lineWidth = 5
  ctx.stroke()
  ctx.strokeStyle = ink.select
  ctx.lineWidth = 2.5
  ctx.stroke()
}

/** Names and work of robots, if few enough are visible and labels do not overlap. */
export function drawRobotLabels(look: Look, seen: Seen) {
  const { ctx, ink, picture, scene, layers, selected } = look
  if (!picture || (!layers.ids && !layers.labels)) return
  const all = seen.index.length <= NAMED
  ctx.font = `600 11px ${FONT}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'top'
  const taken: [number, number, number, number][] = []
  const order = seen.index.map((_, k) => k)
  if (selected !== null) order.sort((a, b) => Number(seen.index[b] === selected) - Number(seen.index[a] === selected))
  for (const k of order) {
    const i = seen.index[k]
    if (!all && i !== selected) continue
    const lines: string[] = []
    if (layers.ids) lines.push(scene.robots[i]?.name ?? `robot ${i}`)
    if (layers.labels) lines.push(workOf(scene, i, picture.robot.work[i]) || 'idle')
    const width = Math.max(...lines.map((line) => line.length)) * 6.2
    const y = seen.y[k] + Math.max(4, seen.r[k]) + 3
    const box: [number, number, number, number] = [
      seen.x[k] - width / 2,
      y,
      seen.x[k] + width / 2,
      y + 13 * lines.length,
    ]
    if (i !== selected && taken.some((other) => overlap(other, box))) continue
    taken.push(box)
    lines.forEach((line, n) => {
      const task = layers.ids && n === 1
      write(look, line, seen.x[k], y + 13 * n, i === selected ? ink.select : task ? ink.faint : ink.text)
    })
  }
}

function overlap(a: [number, number, number, number], b: [number, number, number, number]): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
