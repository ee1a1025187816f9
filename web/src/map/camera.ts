// The view of the map. World: metres, y up. Screen: CSS pixels, y down.

import type { Point } from '../protocol'

/** The point of the world at the centre of the canvas, and pixels per metre. */
export type Camera = { x: number; y: number; scale: number }
export type Size = { width: number; height: number }
export type Bounds = { min: Point; max: Point }

const CLOSEST = 2000
const MARGIN = 28

export function toScreen(camera: Camera, size: Size, [x, y]: Point): Point {
  return [size.width / 2 + (x - camera.x) * camera.scale, size.height / 2 - (y - camera.y) * camera.scale]
}

export function toWorld(camera: Camera, size: Size, [x, y]: Point): Point {
  return [camera.x + (x - size.width / 2) / camera.scale, camera.y - (y - size.height / 2) / camera.scale]
}

/** Shows all of the bounds, with a margin. */
export function showAll(bounds: Bounds, size: Size): Camera {
  const [w, h] = extent(bounds)
  const scale = Math.min((size.width - 2 * MARGIN) / w, (size.height - 2 * MARGIN) / h)
  return {
    x: (bounds.min[0] + bounds.max[0]) / 2,
    y: (bounds.min[1] + bounds.max[1]) / 2,
    scale: Math.max(scale, 1e-3),
  }
}

/** Zooms in (factor above 1) or out; the point at this position on the screen stays there. */
export function zoomAt(camera: Camera, size: Size, at: Point, factor: number, bounds: Bounds): Camera {
  const farthest = showAll(bounds, size).scale / 3
  const scale = clamp(camera.scale * factor, farthest, Math.max(CLOSEST, farthest))
  const [x, y] = toWorld(camera, size, at)
  const next = { x: camera.x, y: camera.y, scale }
  const [nx, ny] = toWorld(next, size, at)
  return within({ x: camera.x + x - nx, y: camera.y + y - ny, scale }, bounds)
}

/** Moves by screen pixels, as if dragging the map. */
export function pan(camera: Camera, dx: number, dy: number, bounds: Bounds): Camera {
  return within({ ...camera, x: camera.x - dx / camera.scale, y: camera.y + dy / camera.scale }, bounds)
}

/** Keeps the centre inside the bounds, so that the map cannot get lost. */
export function within(camera: Camera, bounds: Bounds): Camera {
  return {
    ...camera,
    x: clamp(camera.x, bounds.min[0], bounds.max[0]),
    y: clamp(camera.y, bounds.min[1], bounds.max[1]),
  }
}

/** The visible part of the world. */
export function visible(camera: Camera, size: Size): Bounds {
  const [x0, y1] = toWorld(camera, size, [0, 0])
  const [x1, y0] = toWorld(camera, size, [size.width, size.height])
  return { min: [x0, y0], max: [x1, y1] }
}

export function extent(bounds: Bounds): Point {
  return [Math.max(bounds.max[0] - bounds.min[0], 1e-6), Math.max(bounds.max[1] - bounds.min[1], 1e-6)]
}

/** A round length of about `pixels` pixels, for the scale bar. */
export function roundLength(scale: number, pixels: number): number {
  const wanted = pixels / scale
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = [5, 2, 1].find((step) => step * power <= wanted) ?? 1
  return step * power
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
