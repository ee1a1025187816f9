import { signal } from '@preact/signals'
import { lanes } from '../../net/store'
import type { Outline, Point } from '../../protocol'
import { notify } from '../../ui/notify'
import { describe, type Hit, placeOf } from '../hits'
import { placer } from '../look'
import { shifted, trace } from '../shapes'
import { type Entry, itemMoved, objectMoved, robotMoved } from './entries'
import { Choice, Go, itemOptions, objectOptions, PlaceFields, robotOptions } from './form'
import { disturb, meantName, placeForm, type Tool, touch } from './tool'

const form = placeForm()
const what = signal('')
let grip: { lane: number; hit: Hit; from: Point; by: Point } | null = null

function entryFor(lane: number, hit: Hit, to: Point): Entry | null {
  const known = lanes.value[lane]
  if (hit.kind === 'robot') return robotMoved(known?.scene.robots[hit.index]?.name ?? '', to)
  if (hit.kind === 'item') return itemMoved(hit.index, to)
  const name = meantName(lane, hit.index)
  return name ? objectMoved(name, to) : null
}

function submit() {
  const to = form.read()
  const [kind, ...rest] = what.value.split(' ')
  const name = rest.join(' ')
  if (!to) return
  const robot = lanes.value[0]?.scene.robots[Number(name)]?.name ?? ''
  if (kind === 'robot') disturb(robotMoved(robot, to), `${robot} is moved.`)
  else if (kind === 'item') disturb(itemMoved(Number(name), to), `item ${name} is moved.`)
  else if (kind === 'object') disturb(objectMoved(name, to), `${name} is moved.`)
  else notify('Choose what to move.', 'info')
}

function outlineOf(lane: number, hit: Hit): Outline | null {
  const known = lanes.value[lane]
  const place = placeOf(lane, hit)
  if (!known || !place) return null
  if (hit.kind === 'object') return known.things?.objects[hit.index]?.outline ?? null
  const radius = hit.kind === 'robot' ? (known.scene.robots[hit.index]?.radius ?? 0.1) : known.scene.item_radius
  return { circle: [place[0], place[1], radius] }
}

export const moveTool: Tool = {
  id: 'move',
  label: 'Move',
  icon: 'move',
  key: 'g',
  tip: 'Move a robot, an item or an object (G)',
  hint: () => 'drag a robot, an item or an object.',
  hits: ['robot', 'item', 'object'],
  cursor: 'grab',
  drag: ({ lane, at, hit }) => {
    const from = hit && placeOf(lane, hit)
    if (!hit || !from) return false
    grip = { lane, hit, from: at, by: [0, 0] }
    return true
  },
  dragged: ({ at }) => {
    if (grip) grip.by = [at[0] - grip.from[0], at[1] - grip.from[1]]
    touch()
  },
  dropped: () => {
    const held = grip
    grip = null
    touch()
    const place = held && placeOf(held.lane, held.hit)
    if (!held || !place || Math.hypot(...held.by) === 0) return
    const to: Point = [place[0] + held.by[0], place[1] + held.by[1]]
    form.show(to)
    const entry = entryFor(held.lane, held.hit, to)
    if (entry) disturb(entry, `${describe(held.lane, held.hit)[0]} is moved.`)
  },
  click: ({ lane, at, hit }) => {
    form.show((hit && placeOf(lane, hit)) ?? at)
    if (hit?.kind === 'object') what.value = `object ${lanes.value[lane]?.things?.objects[hit.index]?.name}`
    else if (hit) what.value = `${hit.kind} ${hit.index}`
  },
  cancel: () => {
    const had = grip !== null
    grip = null
    touch()
    return had
  },
  ghost: (look) => {
    if (!grip || grip.lane !== look.lane) return
    const outline = outlineOf(grip.lane, grip.hit)
    if (!outline) return
    const { ctx, ink } = look
    ctx.beginPath()
    trace(ctx, shifted(outline, ...grip.by), placer(look), look.camera.scale)
    ctx.fillStyle = ink.ghost
    ctx.fill()
    ctx.strokeStyle = ink.ghostEdge
    ctx.lineWidth = 2
    ctx.setLineDash([5, 3])
    ctx.stroke()
    const from = placeOf(grip.lane, grip.hit)
    if (from) {
      const place = placer(look)
      ctx.beginPath()
      ctx.moveTo(...place(from))
      ctx.lineTo(...place([from[0] + grip.by[0], from[1] + grip.by[1]]))
      ctx.stroke()
    }
    ctx.setLineDash([])
  },
  Options: () => (
    <>
      <Choice
        label="What"
        tip="What to move"
        value={what.value}
        options={[
          ...robotOptions().map(({ value, label }) => ({ value: `robot ${value}`, label })),
          ...objectOptions(),
          ...itemOptions(),
        ]}
        onChange={(value) => {
          what.value = value
        }}
      />
      <PlaceFields form={form} onEnter={submit} />
      <Go label="Move there" tip="Move it so that its centre is at x, y" onClick={submit} />
    </>
  ),
}
