// Pointer input on a lane's canvas: tools, panning, zooming.

import type { Point } from '../protocol'
import { pan, toWorld, zoomAt } from './camera'
import { driven } from './hand'
import { type Hit, hitAt } from './hits'
import { bounds, camera, following, look, size } from './stage'
import { currentTool } from './tools'
import type { Pointer } from './tools/tool'

/** A shorter movement is a click. [px] */
const STILL = 4
/** Tolerance for pointing at something. [px] */
const NEAR = 8

export type Pointed = { lane: number; hit: Hit; x: number; y: number } | null

export function gestures(canvas: HTMLCanvasElement, lane: number, point: (at: Pointed) => void): () => void {
  const pointers = new Map<number, Point>()
  let start: Point | null = null
  let mode: 'none' | 'press' | 'pan' | 'tool' = 'none'
  let last: Point = [0, 0]
  let begun: Pointer | null = null

  const place = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const pointer = (at: Point, all = false): Pointer => {
    const world = toWorld(camera.value, size.value, at)
    const kinds = all ? (['robot', 'item', 'object', 'area'] as const).slice() : currentTool().hits
    return { lane, at: world, hit: hitAt(lane, world, NEAR / camera.value.scale, kinds) }
  }

  const down = (event: PointerEvent) => {
    if (event.button > 1) return
    canvas.focus({ preventScroll: true })
    canvas.setPointerCapture(event.pointerId)
    const at = place(event)
    pointers.set(event.pointerId, at)
    point(null)
    if (pointers.size === 2) {
      if (mode === 'tool') currentTool().cancel?.()
      mode = 'none'
      return
    }
    start = last = at
    begun = pointer(at)
    mode = event.button === 1 ? 'pan' : 'press'
    if (event.button === 1) event.preventDefault()
  }

  const move = (event: PointerEvent) => {
    const at = place(event)
    if (!pointers.has(event.pointerId)) {
      const seen = pointer(at, true)
      point(seen.hit ? { lane, hit: seen.hit, x: at[0], y: at[1] } : null)
      currentTool().hover?.(pointer(at))
      return
    }
    if (pointers.size === 2) {
      pinch(event.pointerId, at)
      return
    }
    pointers.set(event.pointerId, at)
    if (mode === 'press' && start && Math.hypot(at[0] - start[0], at[1] - start[1]) > STILL)
      mode = begun && currentTool().drag?.(begun) ? 'tool' : 'pan'
    if (mode === 'tool') currentTool().dragged?.(pointer(at))
    if (mode === 'pan') {
      following.value = false
      look(pan(camera.value, at[0] - last[0], at[1] - last[1], bounds()))
      canvas.classList.add('panning')
    }
    last = at
  }

  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    const at = place(event)
    const was = mode
    mode = 'none'
    canvas.classList.remove('panning')
    if (event.type === 'pointercancel') {
      if (was === 'tool') currentTool().cancel?.()
      return
    }
    if (was === 'tool') currentTool().dropped?.(pointer(at))
    if (was === 'press') currentTool().click?.(pointer(at))
  }

  const leave = () => {
    point(null)
    currentTool().hover?.(null)
  }

  /** Two fingers: the point between them stays there. */
  function pinch(id: number, at: Point) {
    const before = [...pointers.values()]
    pointers.set(id, at)
    const after = [...pointers.values()]
    const gap = (points: Point[]) => Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) || 1
    const mid = (points: Point[]): Point => [(points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2]
    const from = mid(before)
    const to = mid(after)
    const moved = pan(camera.value, to[0] - from[0], to[1] - from[1], bounds())
    look(zoomAt(moved, size.value, to, gap(after) / gap(before), bounds()))
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    point(null)
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
    const factor = Math.exp(-Math.max(-200, Math.min(200, lines)) * (event.ctrlKey ? 0.01 : 0.002))
    const at: Point = following.value ? [size.value.width / 2, size.value.height / 2] : place(event)
    look(zoomAt(camera.value, size.value, at, factor, bounds()))
  }

  const key = (event: KeyboardEvent) => {
    if (driven.value || event.ctrlKey || event.metaKey || event.altKey) return
    const ways: Record<string, Point> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    following.value = false
    const far = event.shiftKey ? 200 : 60
    look(pan(camera.value, way[0] * far, way[1] * far, bounds()))
  }

  canvas.addEventListener('pointerdown', down)
  canvas.addEventListener('pointermove', move)
  canvas.addEventListener('pointerup', up)
  canvas.addEventListener('pointercancel', up)
  canvas.addEventListener('pointerleave', leave)
  canvas.addEventListener('wheel', wheel, { passive: false })
  canvas.addEventListener('keydown', key)
  return () => {
    canvas.removeEventListener('pointerdown', down)
    canvas.removeEventListener('pointermove', move)
    canvas.removeEventListener('pointerup', up)
    canvas.removeEventListener('pointercancel', up)
    canvas.removeEventListener('pointerleave', leave)
    canvas.removeEventListener('wheel', wheel)
    canvas.removeEventListener('keydown', key)
  }
}
