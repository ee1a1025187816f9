// Tools that add something at the clicked place: items, jammers, robots.

import { signal } from '@preact/signals'
import { lanes, send } from '../../net/store'
import type { Point } from '../../protocol'
import { Button, Field, Select } from '../../ui/button'
import { act, notify } from '../../ui/notify'
import { selected } from '../../ui/selection'
import { toScreen } from '../camera'
import type { Look } from '../look'
import { itemAdded, jammer, jammerSwitched, rounded } from './entries'
import { Choice, Go, PlaceFields, robotOptions } from './form'
import { disturb, meantName, newName, type Pointer, placeForm, type Tool, touch } from './tool'

let over: Pointer | null = null

function hover(at: Pointer | null) {
  over = at
  touch()
}

/** A circle under the pointer. */
function circle(look: Look, radius: number) {
  if (!over || over.lane !== look.lane) return
  const { ctx, ink } = look
  const [x, y] = toScreen(look.camera, look.size, over.at)
  ctx.beginPath()
  ctx.arc(x, y, Math.max(4, radius * look.camera.scale), 0, 2 * Math.PI)
  ctx.fillStyle = ink.ghost
  ctx.fill()
  ctx.strokeStyle = ink.ghostEdge
  ctx.lineWidth = 2
  ctx.setLineDash([4, 3])
  ctx.stroke()
  ctx.setLineDash([])
}

const itemForm = placeForm()
const itemKind = signal('')

function kindOf(): string {
  const kinds = lanes.value[0]?.scene.item_kinds ?? []
  return kinds.includes(itemKind.value) ? itemKind.value : (kinds[0] ?? '')
}

function addItem(at: Point) {
  itemForm.show(at)
  disturb(itemAdded(kindOf(), at), `${kindOf()} is placed.`)
}

export const itemTool: Tool = {
  id: 'item',
  label: 'Add item',
  icon: 'item',
  key: 'b',
  tip: 'Put an item on the ground (B)',
  hint: () => `click where to put ${kindOf() || 'the item'}.`,
  hits: [],
  cursor: 'crosshair',
  missing: () => (lanes.value[0]?.scene.item_kinds.length ? null : 'This mission has no items.'),
  click: ({ at }) => addItem(at),
  hover,
  ghost: (look) => circle(look, look.scene.item_radius),
  Options: () => {
    const kinds = lanes.value[0]?.scene.item_kinds ?? []
    const submit = () => {
      const at = itemForm.read()
      if (at) addItem(at)
    }
    return (
      <>
        <Select
          label="Kind"
          tip="Kind of the item"
          value={kindOf()}
          options={kinds.map((kind) => ({ value: kind, label: kind }))}
          onChange={(value) => {
            itemKind.value = value
          }}
        />
        <PlaceFields form={itemForm} onEnter={submit} />
        <Go label="Add" tip="Add the item at x, y" onClick={submit} />
      </>
    )
  },
}

const jammerForm = placeForm()
const power = signal('20')

function addJammer(at: Point) {
  jammerForm.show(at)
  const level = Number(power.value)
  if (power.value.trim() === '' || !Number.isFinite(level)) {
    notify('Enter the power in dBm.', 'error')
    return
  }
  const name = newName('jammer')
  disturb(jammer(name, at, level), `${name} is placed.`)
}

const which = signal('')

function jammers() {
  return (lanes.value[0]?.things?.objects ?? []).filter((object) => object.jammer && object.name)
}

/** Toggles the jammer. */
function flip(name: string) {
  const on = !jammers().find((object) => object.name === name)?.jammer?.on
  disturb(jammerSwitched(name, on), `${name} is switched ${on ? 'on' : 'off'}.`)
}

export const jammerTool: Tool = {
  id: 'jammer',
  label: 'Jammer',
  icon: 'jammer',
  key: 'j',
  tip: 'Place a jammer, or switch one on or off (J)',
  hint: () =>
    lanes.value[0]?.scene.physical
      ? 'click a place, or a jammer to switch it.'
      : 'click a place. It has no effect: this radio is ideal.',
  hits: ['object'],
  cursor: 'crosshair',
  click: ({ lane, at, hit }) => {
    const object = hit?.kind === 'object' ? lanes.value[lane]?.things?.objects[hit.index] : undefined
    if (!object?.jammer || !hit) {
      addJammer(at)
      return
    }
    const name = meantName(lane, hit.index)
    if (name) flip(name)
  },
  hover,
  ghost: (look) => circle(look, 0.15),
  Options: () => {
    const submit = () => {
      const at = jammerForm.read()
      if (at) addJammer(at)
    }
    return (
      <>
        <Field
          label="Power (dBm)"
          tip="Power, -60 to 80 dBm"
          type="number"
          min={-60}
          max={80}
          size={4}
          value={power.value}
          onChange={(value) => {
            power.value = value
          }}
          onEnter={submit}
        />
        <PlaceFields form={jammerForm} onEnter={submit} />
        <Go label="Place" tip="Place the jammer at x, y" onClick={submit} />
        {jammers().length > 0 && (
          <>
            <Select
              label="Jammer"
              tip="Jammer to switch"
              bare
              value={which.value || jammers()[0].name}
              options={jammers().map(({ name, jammer }) => ({
                value: name,
                label: `${name} (${jammer?.on ? 'on' : 'off'})`,
              }))}
              onChange={(value) => {
                which.value = value
              }}
            />
            <Button
              label="Switch"
              tip="Switch this jammer on or off"
              onClick={() => flip(which.value || jammers()[0].name)}
            />
          </>
        )}
      </>
    )
  },
}

const robotForm = placeForm()
const like = signal('')

function likeOf(): number {
  const robots = lanes.value[0]?.scene.robots.length ?? 0
  if (like.value !== '' && Number(like.value) < robots) return Number(like.value)
  return selected.value?.robot ?? 0
}

async function addRobot(at: Point) {
  robotForm.show(at)
  const name = lanes.value[0]?.scene.robots[likeOf()]?.name ?? ''
  const done = await act(send({ do: 'add-robot', like: likeOf(), place: rounded(at) }).then(() => true))
  if (done) notify(`A robot like ${name} joins.`, 'info')
}

export const robotTool: Tool = {
  id: 'add-robot',
  label: 'Add robot',
  icon: 'add-robot',
  key: 'a',
  tip: 'Let another robot join the team (A)',
  hint: () => 'click where it joins.',
  hits: [],
  cursor: 'crosshair',
  click: ({ at }) => void addRobot(at),
  hover,
  ghost: (look) => circle(look, look.scene.robots[likeOf()]?.radius ?? 0.1),
  Options: () => {
    const submit = () => {
      const at = robotForm.read()
      if (at) void addRobot(at)
    }
    return (
      <>
        <Choice
          label="Like"
          tip="Robot to copy"
          value={String(likeOf())}
          options={robotOptions()}
          onChange={(value) => {
            like.value = value
          }}
        />
        <PlaceFields form={robotForm} onEnter={submit} />
        <Go label="Add" tip="Add the robot at x, y" onClick={submit} />
      </>
    )
  },
}
