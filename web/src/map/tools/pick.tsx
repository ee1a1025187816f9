// Tools for things that are clicked: empty a can, remove, cut a link.

import { signal } from '@preact/signals'
import { lanes } from '../../net/store'
import type { Option } from '../../ui/button'
import { notify } from '../../ui/notify'
import { describe, placeOf } from '../hits'
import { type Look, placer } from '../look'
import { trace } from '../shapes'
import { robotPlace } from '../stage'
import { emptied, itemRemoved, linkCut, objectRemoved } from './entries'
import { Choice, Go, itemOptions, objectOptions, robotOptions } from './form'
import { hasCans } from './place'
import { disturb, meantName, type Pointer, type Tool, touch } from './tool'

let over: Pointer | null = null

function hover(at: Pointer | null) {
  over = at
  touch()
}

/** Highlights the candidates. */
function mark(look: Look, colour: string) {
  if (!over?.hit || over.lane !== look.lane) return
  const { ctx } = look
  const outline = over.hit.kind === 'object' ? look.things?.objects[over.hit.index]?.outline : null
  const at = placeOf(over.lane, over.hit)
  if (!at) return
  ctx.beginPath()
  if (outline) trace(ctx, outline, placer(look), look.camera.scale)
  else {
    const radius =
      over.hit.kind === 'robot' ? (look.scene.robots[over.hit.index]?.radius ?? 0.1) : look.scene.item_radius
    const [x, y] = placer(look)(at)
    ctx.arc(x, y, radius * look.camera.scale + 5, 0, 2 * Math.PI)
  }
  ctx.strokeStyle = colour
  ctx.lineWidth = 3
  ctx.stroke()
}

const full = signal('')

function canOptions(): Option[] {
  const cans = (lanes.value[0]?.things?.objects ?? []).filter((object) => object.stocks.garbage > 0)
  return cans.map(({ name }) => ({ value: name, label: name }))
}

export const emptyTool: Tool = {
  id: 'empty',
  label: 'Empty can',
  icon: 'empty',
  key: 'e',
  tip: 'Empty a can (E)',
  hint: () => 'click a full can.',
  hits: ['object'],
  cursor: 'pointer',
  missing: () => (hasCans() ? null : 'This mission has no cans.'),
  click: ({ lane, hit }) => {
    const object = hit?.kind === 'object' ? lanes.value[lane]?.things?.objects[hit.index] : undefined
    if (!object) return
    if (object.stocks.garbage > 0) {
      const name = hit && meantName(lane, hit.index)
      if (name) disturb(emptied(name), `${name} is emptied.`)
    } else notify(`${object.name || 'This'} has nothing in it.`, 'info')
  },
  hover,
  ghost: (look) => mark(look, look.ink.ghostEdge),
  Options: () => (
    <>
      <Choice
        label="Can"
        tip="Can to empty"
        value={full.value}
        options={canOptions()}
        onChange={(value) => {
          full.value = value
        }}
      />
      <Go
        label="Empty"
        tip="Empty this can"
        onClick={() => {
          if (full.value) disturb(emptied(full.value), `${full.value} is emptied.`)
          else notify('Choose a can.', 'info')
        }}
      />
    </>
  ),
}

const doomed = signal('')

export const removeTool: Tool = {
  id: 'remove',
  label: 'Remove',
  icon: 'remove',
  key: 'delete',
  tip: 'Remove an object or an item (Delete)',
  hint: () => 'click an object or an item.',
  hits: ['item', 'object'],
  cursor: 'pointer',
  click: ({ lane, hit }) => {
    const name = hit?.kind === 'object' ? meantName(lane, hit.index) : null
    if (hit?.kind === 'item') disturb(itemRemoved(hit.index), `${describe(lane, hit)[0]} is removed.`)
    else if (name) disturb(objectRemoved(name), `${name} is removed.`)
  },
  hover,
  ghost: (look) => mark(look, look.ink.bad),
  Options: () => (
    <>
      <Choice
        label="What"
        tip="What to remove"
        value={doomed.value}
        options={[...objectOptions(), ...itemOptions()]}
        onChange={(value) => {
          doomed.value = value
        }}
      />
      <Go
        label="Remove"
        tip="Remove it"
        onClick={() => {
          const [kind, ...rest] = doomed.value.split(' ')
          if (kind === 'item') disturb(itemRemoved(Number(rest[0])), `item ${rest[0]} is removed.`)
          else if (kind === 'object') disturb(objectRemoved(rest.join(' ')), `${rest.join(' ')} is removed.`)
          else notify('Choose what to remove.', 'info')
        }}
      />
    </>
  ),
}

const one = signal('')
const other = signal('')
let first: { lane: number; robot: number } | null = null

function nameOf(robot: number, lane = 0): string {
  return lanes.value[lane]?.scene.robots[robot]?.name ?? ''
}

function cut(a: string, b: string) {
  disturb(linkCut(a, b), `${a} and ${b} no longer hear each other.`)
}

export const cutTool: Tool = {
  id: 'cut',
  label: 'Cut link',
  icon: 'cut',
  key: 'x',
  tip: 'Cut the radio link between two robots (X)',
  hint: () =>
    one.value !== '' && first
      ? `click the robot that ${nameOf(first.robot, first.lane)} must not hear.`
      : 'click two robots.',
  hits: ['robot'],
  cursor: 'pointer',
  click: ({ lane, hit }) => {
    if (hit?.kind !== 'robot') return
    if (!first || first.lane !== lane) {
      first = { lane, robot: hit.index }
      one.value = String(hit.index)
    } else if (first.robot !== hit.index) {
      other.value = String(hit.index)
      cut(nameOf(first.robot, lane), nameOf(hit.index, lane))
      first = null
      one.value = ''
    }
    touch()
  },
  hover,
  cancel: () => {
    const had = first !== null
    first = null
    one.value = ''
    touch()
    return had
  },
  ghost: (look) => {
    mark(look, look.ink.bad)
    if (!first || first.lane !== look.lane) return
    const { ctx, ink } = look
    const place = placer(look)
    const from = place(robotPlace(first.lane, first.robot))
    ctx.strokeStyle = ink.bad
    ctx.lineWidth = 2
    ctx.beginPath()
    ctx.arc(from[0], from[1], (look.scene.robots[first.robot]?.radius ?? 0.1) * look.camera.scale + 5, 0, 2 * Math.PI)
    if (over && over.lane === look.lane) {
      ctx.moveTo(...from)
      ctx.lineTo(...place(over.at))
    }
    ctx.setLineDash([5, 4])
    ctx.stroke()
    ctx.setLineDash([])
  },
  Options: () => (
    <>
      <Choice
        label="Between"
        tip="One end of the link"
        value={one.value}
        options={robotOptions()}
        onChange={(value) => {
          one.value = value
        }}
      />
      <Choice
        label="and"
        tip="The other end of the link"
        value={other.value}
        options={robotOptions()}
        onChange={(value) => {
          other.value = value
        }}
      />
      <Go
        label="Cut"
        tip="Cut the link between both"
        onClick={() => {
          if (one.value === '' || other.value === '') notify('Choose two robots.', 'info')
          else cut(nameOf(Number(one.value)), nameOf(Number(other.value)))
        }}
      />
    </>
  ),
}
