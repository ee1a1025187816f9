// Outlines of areas and objects.

import type { Outline, Point } from '../protocol'

/** The centre. */
export function middle(outline: Outline): Point {
  if ('circle' in outline) return [outline.circle[0], outline.circle[1]]
  const points = 'polygon' in outline ? outline.polygon : outline.segment
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py] as Point, [0, 0] as Point)
  return [sum[0] / points.length, sum[1] / points.length]
}

export function box(outline: Outline): { min: Point; max: Point } {
  if ('circle' in outline) {
    const [x, y, r] = outline.circle
    return { min: [x - r, y - r], max: [x + r, y + r] }
  }
  const points = 'polygon' in outline ? outline.polygon : outline.segment
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { min: [Math.min(...xs), Math.min(...ys)], max: [Math.max(...xs), Math.max(...ys)] }
}

/** The same outline at another place. */
export function shifted(outline: Outline, dx: number, dy: number): Outline {
  const move = ([x, y]: Point): Point => [x + dx, y + dy]
  if ('circle' in outline) return { circle: [outline.circle[0] + dx, outline.circle[1] + dy, outline.circle[2]] }
  if ('polygon' in outline) return { polygon: outline.polygon.map(move) }
  return { segment: [move(outline.segment[0]), move(outline.segment[1])] }
}

/** Distance from a point; 0 inside. */
export function distance(outline: Outline, [x, y]: Point): number {
  if ('circle' in outline) {
    const [cx, cy, r] = outline.circle
    return Math.max(0, Math.hypot(x - cx, y - cy) - r)
  }
  if ('segment' in outline) return toSegment([x, y], outline.segment[0], outline.segment[1])
  const { polygon } = outline
  let inside = false
  let nearest = Number.POSITIVE_INFINITY
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]
    const [xj, yj] = polygon[j]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
    nearest = Math.min(nearest, toSegment([x, y], polygon[i], polygon[j]))
  }
  return inside ? 0 : nearest
}

function toSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const dx = bx - ax
  const dy = by - ay
  const length = dx * dx + dy * dy
  const part = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0
  return Math.hypot(x - ax - part * dx, y - ay - part * dy)
}

/** Adds an outline to the path. */
export function trace(ctx: CanvasRenderingContext2D, outline: Outline, place: (point: Point) => Point, scale: number) {
  if ('circle' in outline) {
    const [x, y] = place([outline.circle[0], outline.circle[1]])
    const r = outline.circle[2] * scale
    ctx.moveTo(x + r, y)
    ctx.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  const points = 'polygon' in outline ? outline.polygon : outline.segment
  for (let i = 0; i < points.length; i++) {
    const [x, y] = place(points[i])
    if (i === 0) ctx.moveTo(x, y)
    else ctx.lineTo(x, y)
  }
  if ('polygon' in outline) ctx.closePath()
}
