// The state of the page: one signal per kind of message, and the pictures that the map draws.

import { signal } from '@preact/signals'
import type {
  Chart,
  Command,
  Deed,
  Detail,
  FromServer,
  Hello,
  History,
  Layer,
  LogEvent,
  Overlay,
  Scene,
  Status,
  Things,
} from '../protocol'
import { complete } from './event'
import { apply, type Picture } from './frame'

export const connected = signal(false)
export const hello = signal<Hello | null>(null)
export const status = signal<Status | null>(null)
/** The deeds in the current branch. */
export const deeds = signal<Deed[]>([])

/** Number of events that are kept, as on the server. */
const MOST_EVENTS = 200_000

/** The state of one lane. */
export type Lane = {
  scene: Scene
  things: Things | null
  overlay: Overlay | null
  /** The latest events, and the index of the first of them among all. */
  events: LogEvent[]
  first: number
  shifts: History['shifts']
  samples: History['samples']
}

export const lanes = signal<(Lane | undefined)[]>([])
/** The watched robot. */
export const watched = signal<{ lane: number; robot: number } | null>(null)
export const detail = signal<Detail | null>(null)
export const chart = signal<Chart['rows']>([])
/** Increases with every frame; the map draws from `pictures`. */
export const frames = signal(0)
export const pictures: (Picture | undefined)[] = []
/** The lane of the last frame. */
export let newest = -1

let socket: WebSocket | null = null
let lastId = 0
const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()

/** Sends a command; returns its result, or throws an error with the server's message. */
export function send(command: Command): Promise<unknown> {
  const open = socket
  if (!open || open.readyState !== WebSocket.OPEN) return Promise.reject(new Error('not connected'))
  const id = ++lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    open.send(JSON.stringify({ id, ...command }))
  })
}

/** Watches a robot (or none), with the layers that the server has to compute. */
export function watch(robot: { lane: number; robot: number } | null, layers: Layer[]) {
  if (robot?.lane !== watched.value?.lane || robot?.robot !== watched.value?.robot) {
    detail.value = null
    chart.value = []
  }
  watched.value = robot
  send({ do: 'watch', lane: robot?.lane ?? 0, robot: robot?.robot ?? null, layers }).catch(() => {})
}

/** Lanes that this connection has described. */
const told = new Set<number>()

function change(lane: number, epoch: number, what: (old: Lane) => Partial<Lane>) {
  const old = lanes.value[lane]
  if (!old || old.scene.epoch !== epoch) return
  const next = lanes.value.slice()
  next[lane] = { ...old, ...what(old) }
  lanes.value = next
}

function take(message: FromServer) {
  switch (message.type) {
    case 'hello':
      hello.value = message
      told.clear()
      break
    case 'scene': {
      // The same epoch again: the team has changed, but the history still holds. A new connection sends everything from
      // the beginning.
      const old = lanes.value[message.lane]
      const goesOn = old?.scene.epoch === message.epoch && told.has(message.lane)
      told.add(message.lane)
      const next = lanes.value.slice()
      next[message.lane] = goesOn
        ? { ...old, scene: message }
        : { scene: message, things: null, overlay: null, events: [], first: 0, shifts: [], samples: [] }
      lanes.value = next
      if (!goesOn && watched.value?.lane === message.lane) {
        chart.value = []
        detail.value = null
      }
      break
    }
    case 'things':
      change(message.lane, message.epoch, () => ({ things: message }))
      break
    case 'overlay':
      change(message.lane, message.epoch, () => ({ overlay: message }))
      break
    case 'deeds':
      deeds.value = deeds.value.slice(0, message.from).concat(message.list)
      break
    case 'status': {
      status.value = message
      if (lanes.value.length > message.lanes.length) {
        lanes.value = lanes.value.slice(0, message.lanes.length)
        pictures.length = Math.min(pictures.length, message.lanes.length)
      }
      break
    }
    case 'events':
      change(message.lane, message.epoch, (old) => {
        const first = old.events.length > 0 ? old.first : message.from
        const events = old.events.slice(0, message.from - first).concat(message.list.map(complete))
        const more = events.length > MOST_EVENTS ? events.length - (MOST_EVENTS * 3) / 4 : 0
        return { events: more > 0 ? events.slice(more) : events, first: first + more }
      })
      break
    case 'history':
      change(message.lane, message.epoch, (old) => ({
        shifts: old.shifts.concat(message.shifts),
        samples: old.samples.concat(message.samples),
      }))
      break
    case 'chart':
      if (watched.value?.lane === message.lane && watched.value.robot === message.robot)
        chart.value = message.fresh ? message.rows : chart.value.concat(message.rows)
      break
    case 'detail':
      if (watched.value?.lane === message.lane && watched.value.robot === message.robot) detail.value = message
      break
    case 'answer': {
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.ok) asked?.resolve(message.result)
      else asked?.reject(new Error(message.error))
    }
  }
}

/** Connects, and reconnects after every loss. */
export function connect() {
  const address = new URL('ws', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  address.search = location.search
  const open = new WebSocket(address)
  open.binaryType = 'arraybuffer'
  socket = open
  open.onopen = () => {
    connected.value = true
  }
  open.onmessage = ({ data }) => {
    if (typeof data === 'string') take(JSON.parse(data) as FromServer)
    else {
      newest = apply(pictures, new Uint8Array(data as ArrayBuffer))
      frames.value++
    }
  }
  open.onclose = () => {
    connected.value = false
    for (const asked of waiting.values()) asked.reject(new Error('connection lost'))
    waiting.clear()
    setTimeout(connect, 1000)
  }
}
