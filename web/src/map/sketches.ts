// Which marks of the mission's layers are drawn, and their shapes. Without drawing, so that it can be tested.

import type { Detail, Mark, Overlay, Point, Scene, Sketch } from '../protocol'

/** The sketches to draw. What the selected robot has sent is newer; about the world, only its own belief is shown. */
export function chosenSketches(
  layers: Scene['layers'],
  on: boolean[],
  overlay: Pick<Overlay, 'sketches'> | null,
  detail: Pick<Detail, 'robot' | 'sketches'> | null,
): Sketch[] {
  const own = (detail?.sketches ?? []).filter((sketch) => on[sketch.layer] && layers[sketch.layer])
  const all = (overlay?.sketches ?? []).filter((sketch) => {
    const layer = layers[sketch.layer]
    if (!on[sketch.layer] || !layer) return false
    const told = own.some((mine) => mine.layer === sketch.layer)
    return !told || (layer.about === 'robot' && sketch.robot !== detail?.robot)
  })
  return [...all, ...own]
}

/** The points at which a cone touches its disc; null if its tip is in the disc. */
export function coneCorners(tip: Point, middle: Point, radius: number): [Point, Point] | null {
  const [dx, dy] = [middle[0] - tip[0], middle[1] - tip[1]]
  const distance = Math.hypot(dx, dy)
  if (distance <= radius) return null
  const length = Math.sqrt(distance * distance - radius * radius)
  const half = Math.asin(radius / distance)
  const direction = Math.atan2(dy, dx)
  const corner = (angle: number): Point => [tip[0] + length * Math.cos(angle), tip[1] + length * Math.sin(angle)]
  return [corner(direction - half), corner(direction + half)]
}

/** A robot's marks where it is displayed now: sketches arrive less often than frames. Only what is attached to the robot moves. */
export function attached(mark: Mark, [dx, dy]: Point): Mark {
  if (mark[0] === 'circle') return [mark[0], mark[1], mark[2] + dx, mark[3] + dy, mark[4]]
  if (mark[0] === 'cone') return [mark[0], mark[1], mark[2] + dx, mark[3] + dy, mark[4], mark[5], mark[6]]
  return mark
}
