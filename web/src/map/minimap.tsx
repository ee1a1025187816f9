// The whole world in a corner while only a part is seen; click to go there.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { frames, lanes } from '../net/store'
import { RobotFlag } from '../protocol'
import { tipHandlers } from '../ui/button'
import { colourBy } from '../ui/colour-by'
import { layers, selected } from '../ui/selection'
import { theme } from '../ui/theme'
import { type Camera, extent, type Size, toScreen, toWorld, visible, within } from './camera'
import { colourOf } from './draw-robots'
import { inkOf } from './ink'
import { trace } from './shapes'
import { bounds, camera, following, look, pictureOf, size } from './stage'

const LARGEST = 150

function frame(): { camera: Camera; size: Size } {
  const [w, h] = extent(bounds())
  const scale = LARGEST / Math.max(w, h)
  const { min, max } = bounds()
  return {
    camera: { x: (min[0] + max[0]) / 2, y: (min[1] + max[1]) / 2, scale },
    size: { width: Math.max(24, w * scale), height: Math.max(24, h * scale) },
  }
}

/** Whether a part of the world cannot be seen. */
function partial(): boolean {
  const seen = visible(camera.value, size.value)
  const { min, max } = bounds()
  const slack = 0.01 * Math.max(...extent(bounds()))
  return (
    seen.min[0] > min[0] + slack ||
    seen.min[1] > min[1] + slack ||
    seen.max[0] < max[0] - slack ||
    seen.max[1] < max[1] - slack
  )
}

export function Minimap() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const last = useRef(0)
  const timer = useRef(0)

  const draw = () => {
    timer.current = 0
    last.current = performance.now()
    const ctx = canvas.current?.getContext('2d')
    const known = lanes.peek()[selected.peek()?.lane ?? 0] ?? lanes.peek()[0]
    if (!canvas.current || !ctx || !known) return
    const at = frame()
    const ink = inkOf(theme.peek())
    const ratio = Math.min(2, devicePixelRatio || 1)
    canvas.current.width = Math.round(at.size.width * ratio)
    canvas.current.height = Math.round(at.size.height * ratio)
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    ctx.fillStyle = ink.ground
    ctx.fillRect(0, 0, at.size.width, at.size.height)
    ctx.fillStyle = ink.solid
    ctx.beginPath()
    for (const object of known.things?.objects ?? [])
      if (object.solid) trace(ctx, object.outline, (point) => toScreen(at.camera, at.size, point), at.camera.scale)
    ctx.fill()
    const picture = pictureOf(known.scene.lane)
    for (let i = 0; i < (picture?.robots ?? 0); i++) {
      if (!picture || !(picture.robot.flags[i] & RobotFlag.Present)) continue
      const [x, y] = toScreen(at.camera, at.size, [picture.robot.x[i] / 1000, picture.robot.y[i] / 1000])
      ctx.fillStyle = colourOf({ picture, scene: known.scene, colourBy: colourBy.peek() }, i)
      ctx.fillRect(x - 1.5, y - 1.5, 3, 3)
    }
    const seen = visible(camera.peek(), size.peek())
    const [x0, y1] = toScreen(at.camera, at.size, seen.min)
    const [x1, y0] = toScreen(at.camera, at.size, seen.max)
    ctx.strokeStyle = ink.select
    ctx.lineWidth = 2
    ctx.strokeRect(x0, y0, x1 - x0, y1 - y0)
  }

  useSignalEffect(() => {
    frames.value
    lanes.value
    camera.value
    theme.value
    size.value
    layers.value
    if (!partial() || timer.current) return
    // Five updates per second are enough for such a small picture, but the view is updated at once.
    const wait = Math.max(0, 60 - (performance.now() - last.current))
    timer.current = setTimeout(() => requestAnimationFrame(draw), wait) as unknown as number
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const go = (event: PointerEvent) => {
    if (!canvas.current || (event.type === 'pointermove' && event.buttons === 0)) return
    const box = canvas.current.getBoundingClientRect()
    const at = frame()
    const [x, y] = toWorld(at.camera, at.size, [event.clientX - box.left, event.clientY - box.top])
    following.value = false
    look(within({ ...camera.value, x, y }, bounds()))
  }

  if (!lanes.value[0] || !partial()) return null
  const at = frame()
  return (
    <div class="minimap">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Overview of the whole world; the rectangle is what the map shows"
        data-tip="Overview: click to go there"
        onPointerEnter={tipHandlers.onPointerEnter}
        onPointerLeave={tipHandlers.onPointerLeave}
        style={{ width: `${at.size.width}px`, height: `${at.size.height}px` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
      />
    </div>
  )
}
