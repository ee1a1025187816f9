import { signal } from '@preact/signals'
import type { Point } from '../../protocol'
import { Field, Select } from '../../ui/button'
import { notify } from '../../ui/notify'
import { toScreen } from '../camera'
import { lengthText } from '../draw-ground'
import { FONT, write } from '../look'
import { obstacle, rectangle, SMALLEST } from './entries'
import { Go, PlaceFields } from './form'
import { disturb, newName, placeForm, putWords, type Tool, touch } from './tool'

const form = placeForm()
const width = signal('1')
const height = signal('0.5')
const ground = signal('0')
let corners: { lane: number; from: Point; to: Point } | null = null

function add(at: Point, size: Point) {
  if (Math.min(...size) < SMALLEST) {
    notify(`An obstacle is at least ${SMALLEST * 100} cm wide and high: drag a larger rectangle.`, 'info')
    return
  }
  const penetrability = Number(ground.value)
  const stem = penetrability === 0 ? 'obstacle' : penetrability < 1 ? 'slow ground' : 'fast ground'
  const name = newName(stem)
  const words = penetrability === 0 ? putWords(name, at, size) : `${name} is placed.`
  disturb(obstacle(name, at, size, penetrability), words)
}

function submit() {
  const at = form.read()
  const size: Point = [Number(width.value), Number(height.value)]
  if (at && size.every(Number.isFinite)) add(at, size)
}

export const obstacleTool: Tool = {
  id: 'obstacle',
  label: 'Obstacle',
  icon: 'obstacle',
  key: 'o',
  tip: 'Draw an obstacle, or ground that changes the speed (O)',
  hint: () => 'drag a rectangle.',
  hits: [],
  cursor: 'crosshair',
  drag: ({ lane, at }) => {
    corners = { lane, from: at, to: at }
    return true
  },
  dragged: ({ at }) => {
    if (corners) corners.to = at
    touch()
  },
  dropped: ({ at }) => {
    if (!corners) return
    const { at: centre, size } = rectangle(corners.from, at)
    corners = null
    touch()
    form.show(centre)
    if (Math.min(...size) >= SMALLEST) {
      width.value = String(size[0])
      height.value = String(size[1])
    }
    add(centre, size)
  },
  click: ({ at }) => {
    form.show(at)
    notify('Drag a rectangle, or enter width and height above and press Put.', 'info')
  },
  cancel: () => {
    const had = corners !== null
    corners = null
    touch()
    return had
  },
  ghost: (look) => {
    if (!corners) return
    const { ctx, ink, camera, size } = look
    const [ax, ay] = toScreen(camera, size, corners.from)
    const [bx, by] = toScreen(camera, size, corners.to)
    ctx.fillStyle = ink.ghost
    ctx.strokeStyle = ink.ghostEdge
    ctx.lineWidth = 2
    ctx.setLineDash([5, 3])
    ctx.fillRect(ax, ay, bx - ax, by - ay)
    ctx.strokeRect(ax, ay, bx - ax, by - ay)
    ctx.setLineDash([])
    const drawn = rectangle(corners.from, corners.to).size
    ctx.font = `600 12px ${FONT}`
    ctx.textAlign = 'left'
    ctx.textBaseline = 'bottom'
    write(look, `${lengthText(drawn[0])} × ${lengthText(drawn[1])}`, Math.min(ax, bx), Math.min(ay, by) - 4, ink.text)
  },
  Options: () => (
    <>
      <Select
        label="Ground"
        bare
        tip="Effect on robots"
        value={ground.value}
        options={[
          { value: '0', label: 'obstacle' },
          { value: '0.5', label: 'half speed' },
          { value: '1.5', label: '1.5 × speed' },
        ]}
        onChange={(value) => {
          ground.value = value
        }}
      />
      <PlaceFields form={form} onEnter={submit} />
      <Field
        label="Width"
        tip="Width in metres"
        type="number"
        min={SMALLEST}
        size={4}
        value={width.value}
        onChange={(value) => {
          width.value = value
        }}
        onEnter={submit}
      />
      <Field
        label="Height"
        tip="Height in metres"
        type="number"
        min={SMALLEST}
        size={4}
        value={height.value}
        onChange={(value) => {
          height.value = value
        }}
        onEnter={submit}
      />
      <Go label="Put" tip="Place the obstacle with its centre at x, y" onClick={submit} />
    </>
  ),
}
