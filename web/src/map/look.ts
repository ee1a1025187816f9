// Everything that drawing functions need to know about one moment.

import type { Picture } from '../net/frame'
import type { Detail, Overlay, Point, Scene, Things } from '../protocol'
import type { ColourBy } from '../ui/colour-by'
import type { LayerName } from '../ui/selection'
import { type Camera, type Size, toScreen } from './camera'
import type { Ink } from './ink'
import type { Stage } from './stage'

export type Look = {
  ctx: CanvasRenderingContext2D
  camera: Camera
  size: Size
  ink: Ink
  dark: boolean
  lane: number
  scene: Scene
  things: Things | null
  overlay: Overlay | null
  picture: Picture | null
  stage: Stage
  layers: Record<LayerName, boolean>
  /** For each layer of the mission, whether it is shown. */
  sketches: boolean[]
  colourBy: ColourBy
  /** The selected robot, if it is in this lane. */
  selected: number | null
  /** Details of the selected robot, if it is in this lane. */
  detail: Detail | null
}

export function placer(look: Look): (point: Point) => Point {
  return (point) => toScreen(look.camera, look.size, point)
}

/** Whether a circle touches the canvas. */
export function onCanvas(look: Look, x: number, y: number, r: number): boolean {
  return x + r >= 0 && y + r >= 0 && x - r <= look.size.width && y - r <= look.size.height
}

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'

/** Text with a halo, so that it is readable on any background. */
export function write(look: Look, text: string, x: number, y: number, colour: string) {
  const { ctx, ink } = look
  ctx.lineJoin = 'round'
  ctx.lineWidth = 3
  ctx.strokeStyle = ink.halo
  ctx.strokeText(text, x, y)
  ctx.fillStyle = colour
  ctx.fillText(text, x, y)
}
