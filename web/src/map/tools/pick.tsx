// Tools for things that are clicked: set a stock, remove, cut a link.

import { signal } from '@preact/signals'
import { lanes } from '../../net/store'
import { Field, Select } from '../../ui/button'
import { notify } from '../../ui/notify'
import { describe, placeOf } from '../hits'
import { type Look, placer } from '../look'
import { trace } from '../shapes'
import { robotPlace } from '../stage'
import { itemRemoved, linkCut, objectRemoved, stockSet } from './entries'
import { Choice, Go, itemOptions, objectOptions, robotOptions } from './form'
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

const stocked = signal('')
const stock = signal('')
const amount = signal('0')

/** Objects with stocks, by names that mean one of them. */
function withStocks(): { name: string; stocks: string[] }[] {
  const meant = new Set(objectOptions().map(({ label }) => label))
  const objects = (lanes.value[0]?.things?.objects ?? []).filter(({ name }) => meant.has(name))
  return objects
    .map(({ name, stocks }) => ({ name, stocks: Object.keys(stocks) }))
    .filter(({ stocks }) => stocks.length)
}

/** All stocks that an object has. */
function stocksOf(object: string): string[] {
  return withStocks().find(({ name }) => name === object)?.stocks ?? []
}

/** The chosen stock if the object has it, its first one otherwise. */
function stockOf(object: string): string {
  const names = stocksOf(object)
  return names.includes(stock.value) ? stock.value : (names[0] ?? '')
}

function setStock(object: string) {
  const level = Number(amount.value)
  if (amount.value.trim() === '' || !(level >= 0)) notify('Enter an amount of 0 or more.', 'error')
  else disturb(stockSet(object, stockOf(object), level), `${object} now has ${level} of ${stockOf(object)}.`)
}

export const stockTool: Tool = {
  id: 'stock',
  label: 'Set stock',
  icon: 'stock',
  key: 'e',
  tip: 'Empty or fill an object that has a stock (E)',
  hint: () => (Number(amount.value) === 0 ? 'click an object to empty it.' : 'click an object to fill it.'),
  hits: ['object'],
  cursor: 'pointer',
  missing: () => (withStocks().length ? null : 'No object here has a stock.'),
  click: ({ lane, hit }) => {
    const name = hit?.kind === 'object' ? meantName(lane, hit.index) : null
    if (!name) return
    if (stocksOf(name).length === 0) {
      notify(`${name} has no stock.`, 'info')
      return
    }
    stocked.value = name
    setStock(name)
  },
  hover,
  ghost: (look) => mark(look, look.ink.ghostEdge),
  Options: () => {
    const submit = () => {
      if (stocksOf(stocked.value).length) setStock(stocked.value)
      else notify('Choose an object.', 'info')
    }
    return (
      <>
        <Choice
          label="Object"
          tip="Object to empty or fill"
          value={stocked.value}
          options={withStocks().map(({ name }) => ({ value: name, label: name }))}
          onChange={(value) => {
            stocked.value = value
          }}
        />
        <Select
          label="Stock"
          tip="Stock to set"
          value={stockOf(stocked.value)}
          options={stocksOf(stocked.value).map((name) => ({ value: name, label: name }))}
          onChange={(value) => {
            stock.value = value
          }}
        />
        <Field
          label="Amount"
          tip="New amount; 0 empties it"
          type="number"
          min={0}
          size={4}
          value={amount.value}
          onChange={(value) => {
            amount.value = value
          }}
          onEnter={submit}
        />
        <Go label="Set" tip="Set the stock to this amount" onClick={submit} />
      </>
    )
  },
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
