// Distance and angle between two places.

import type { Point } from '../protocol'

export function measured(from: Point, to: Point): { metres: number; degrees: number } {
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  const degrees = (Math.atan2(dy, dx) * 180) / Math.PI
  return { metres: Math.hypot(dx, dy), degrees: (degrees + 360) % 360 }
}

export function measureText(from: Point, to: Point): string {
  const { metres, degrees } = measured(from, to)
  return `${metres.toFixed(2)} m, ${degrees.toFixed(1)}°`
}
