// Items: one shape per kind, so that they do not differ by colour alone.

import { ItemFlag } from '../protocol'
import { itemColour } from './item-colours'
import { type Look, onCanvas, placer } from './look'
import { itemPlace } from './stage'

/** Four shapes, used in turn. */
export function itemShape(ctx: CanvasRenderingContext2D, kind: number, x: number, y: number, r: number) {
  switch (kind % 4) {
    case 0:
      ctx.moveTo(x, y - r * 1.2)
      ctx.lineTo(x + r * 1.2, y)
      ctx.lineTo(x, y + r * 1.2)
      ctx.lineTo(x - r * 1.2, y)
      break
    case 1:
      ctx.moveTo(x - r, y - r)
      ctx.lineTo(x + r, y - r)
      ctx.lineTo(x + r, y + r)
      ctx.lineTo(x - r, y + r)
      break
    case 2:
      ctx.moveTo(x, y - r * 1.2)
      ctx.lineTo(x + r * 1.15, y + r)
      ctx.lineTo(x - r * 1.15, y + r)
      break
    default:
      for (let i = 0; i < 6; i++) {
        const px = x + r * 1.1 * Math.cos((i * Math.PI) / 3)
        const py = y + r * 1.1 * Math.sin((i * Math.PI) / 3)
        if (i === 0) ctx.moveTo(px, py)
        else ctx.lineTo(px, py)
      }
  }
  ctx.closePath()
}

/** Items on the ground are drawn before robots, held ones (`held`) after them. */
export function drawItems(look: Look, held: boolean) {
  const { ctx, ink, picture, scene, camera, lane } = look
  if (!picture) return
  const r = Math.max(2.5, scene.item_radius * camera.scale)
  const place = placer(look)
  const paths = new Map<number, [number, number][]>()
  for (let i = 0; i < picture.items; i++) {
    if (!(picture.item.flags[i] & ItemFlag.Present) || picture.item.holder[i] > 0 !== held) continue
    const at = itemPlace(lane, i)
    if (!at) continue
    const [x, y] = place(at)
    if (!onCanvas(look, x, y, r * 2)) continue
    const key = picture.item.kind[i] * 2 + (picture.item.flags[i] & ItemFlag.Given ? 1 : 0)
    const path = paths.get(key)
    if (path) path.push([x, y])
    else paths.set(key, [[x, y]])
  }
  for (const [key, path] of paths) {
    ctx.beginPath()
    for (const [x, y] of path) itemShape(ctx, key >> 1, x, y, r)
    ctx.fillStyle = key & 1 ? ink.given : itemColour(key >> 1, look.dark)
    ctx.fill()
    if (r > 3) {
      ctx.strokeStyle = ink.itemEdge
      ctx.lineWidth = 1
      ctx.stroke()
    }
  }
}
