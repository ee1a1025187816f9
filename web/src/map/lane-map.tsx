// The map of one lane.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { detail, frames, lanes, status } from '../net/store'
import { focusTip } from '../ui/button'
import { colourBy } from '../ui/colour-by'
import { layers, selected, sketches } from '../ui/selection'
import { calm, theme } from '../ui/theme'
import { within } from './camera'
import { gestures, type Pointed } from './gestures'
import { describe } from './hits'
import { paint } from './paint'
import { lookAt } from './scene-look'
import { bounds, camera, following, present, robotPlace, size, stage } from './stage'
import { currentTool } from './tools'
import { measure } from './tools/measure'
import { ghosts } from './tools/tool'

/** A slower painter is not run between frames. [ms] */
const QUICK = 8

const channel = new MessageChannel()
const queue: (() => void)[] = []
channel.port1.onmessage = () => queue.shift()?.()

/** Runs a function after the browser has shown the picture. */
function afterwards(what: () => void) {
  queue.push(what)
  channel.port2.postMessage(null)
}

export function LaneMap({ lane }: { lane: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const wanted = useRef(0)
  const cost = useRef(0)
  const pointed = useSignal<Pointed>(null)
  const ratio = useSignal(1)
  const name = useComputed(() => lanes.value[lane]?.scene.coordinator ?? '')
  const compared = useComputed(() => lanes.value.length > 1)

  const draw = () => {
    wanted.current = 0
    const target = canvas.current
    const ctx = target?.getContext('2d')
    if (!target || !ctx) return
    const began = performance.now()
    const playing = status.peek()?.playing ?? false
    const smooth = playing && !calm() && cost.current < QUICK
    const moving = stage(lane).motion.show(began, smooth)
    const { width, height } = size.peek()
    if (target.width !== Math.round(width * ratio.peek())) target.width = Math.round(width * ratio.peek())
    if (target.height !== Math.round(height * ratio.peek())) target.height = Math.round(height * ratio.peek())
    const followed = selected.peek()
    if (following.peek() && followed?.lane === lane && present(lane, followed.robot)) {
      const [x, y] = robotPlace(lane, followed.robot)
      const next = within({ ...camera.peek(), x, y }, bounds())
      if (next.x !== camera.peek().x || next.y !== camera.peek().y) camera.value = next
    }
    const look = lookAt(ctx, lane, camera.peek(), size.peek())
    ctx.setTransform(ratio.peek(), 0, 0, ratio.peek(), 0, 0)
    if (look) {
      paint(look)
      currentTool().ghost?.(look)
    }
    // The browser then puts the picture on the screen; the cost of a picture includes both.
    afterwards(() => {
      cost.current = 0.8 * cost.current + 0.2 * (performance.now() - began)
    })
    target.dataset.cost = cost.current.toFixed(1)
    target.dataset.painted = String(Number(target.dataset.painted ?? 0) + 1)
    if (moving) request()
  }
  const request = () => {
    if (wanted.current === 0) wanted.current = requestAnimationFrame(draw)
  }

  useEffect(() => {
    const target = canvas.current
    if (!target) return
    const stop = gestures(target, lane, (at) => {
      pointed.value = at
    })
    const watcher = new ResizeObserver(() => {
      const box = target.getBoundingClientRect()
      if (box.width < 1 || box.height < 1) return
      ratio.value = Math.min(2, devicePixelRatio || 1)
      if (box.width !== size.value.width || box.height !== size.value.height)
        size.value = { width: box.width, height: box.height }
      request()
    })
    watcher.observe(target)
    return () => {
      stop()
      watcher.disconnect()
      cancelAnimationFrame(wanted.current)
    }
  }, [lane])

  useSignalEffect(() => {
    // Everything that the map depends on.
    frames.value
    lanes.value
    layers.value
    sketches.value
    selected.value
    detail.value
    theme.value
    colourBy.value
    camera.value
    size.value
    ghosts.value
    measure.value
    status.value?.playing
    currentTool()
    request()
  })

  const tip = pointed.value
  const [title, more] = tip ? describe(lane, tip.hit) : ['', '']
  return (
    <figure class="lane">
      {compared.value && (
        <figcaption class="lane-name">
          {lane === 0 ? 'Left' : 'Right'}: {name.value}
        </figcaption>
      )}
      <div class="lane-canvas">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: one moves and selects on the map by keyboard */}
        <canvas
          ref={canvas}
          role="application"
          tabIndex={0}
          data-lane={lane}
          aria-label={`Map of ${name.value || 'the run'}. Arrow keys move it, plus and minus zoom, N and P select robots.`}
          data-tip="Arrow keys move the map, + and - zoom, N and P select robots"
          {...focusTip}
          style={{ '--cursor': currentTool().cursor ?? 'default' }}
        />
        {tip && title && (
          <div
            class="map-tip"
            style={{
              left: `${Math.min(tip.x + 14, size.value.width - 170)}px`,
              top: `${Math.min(tip.y + 16, size.value.height - 48)}px`,
            }}
          >
            <strong>{title}</strong>
            <span>{more}</span>
          </div>
        )}
      </div>
    </figure>
  )
}
