// The interface of tools, and the selected tool.

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { lanes, send } from '../../net/store'
import type { Point } from '../../protocol'
import type { IconName } from '../../ui/icon'
import { act, notify } from '../../ui/notify'
import type { Hit, HitKind } from '../hits'
import type { Look } from '../look'
import { bounds, present, robotPlace } from '../stage'
import { type Entry, freeName } from './entries'

/** The position of the pointer. */
export type Pointer = {
  lane: number
  at: Point
  /** What is there, of the kinds that the tool accepts. */
  hit: Hit | null
}

export type Tool = {
  id: string
  label: string
  icon: IconName
  key: string
  tip: string
  /** A hint on how to use it now. */
  hint: () => string
  /** The kinds of things that it accepts. */
  hits: HitKind[]
  /** Why it cannot be used, or null. */
  missing?: () => string | null
  cursor?: string
  /** Handles a drag that begins here; without it, dragging pans the map. */
  drag?: (from: Pointer) => boolean
  dragged?: (to: Pointer) => void
  dropped?: (to: Pointer) => void
  click?: (at: Pointer) => void
  hover?: (at: Pointer | null) => void
  /** Cancels an action in progress. True if there was one. */
  cancel?: () => boolean
  /** Draws a preview. */
  ghost?: (look: Look) => void
  /** The same with the keyboard. */
  Options?: ComponentType
}

/** Id of the selected tool. */
export const tool = signal('select')
/** Increases when a preview changes. */
export const ghosts = signal(0)

export function touch() {
  ghosts.value++
}

/** Triggers a disturbance; reports success or the reason for failure. */
export async function disturb(entry: Entry, words: string): Promise<boolean> {
  const done = await act(send({ do: 'disturb', entry }).then(() => true))
  if (done) notify(words, 'info')
  return done ?? false
}

export function newName(stem: string): string {
  const names = lanes.value.flatMap((lane) => lane?.things?.objects.map((object) => object.name) ?? [])
  const epoch = lanes.value[0]?.scene.epoch ?? 0
  if (epoch !== givenIn) given.clear()
  givenIn = epoch
  const deeds = given.get(stem) ?? []
  const name = freeName(stem, [...names, ...deeds])
  given.set(stem, [...deeds, name])
  return name
}

/** Names assigned by this page; a thing may wait for its place and not exist yet. */
const given = new Map<string, string[]>()
let givenIn = 0

/** The name of an object if it is unambiguous; reports the reason otherwise. */
export function meantName(lane: number, index: number): string | null {
  const objects = lanes.value[lane]?.things?.objects ?? []
  const name = objects[index]?.name ?? ''
  const same = objects.filter((object) => object.name === name).length
  if (name && same === 1) return name
  notify(name ? `${same} objects are named ${name}: the name is ambiguous.` : 'This object has no name.', 'error')
  return null
}

/** Reports that something was added, or that it waits: nothing is put where a robot stands. */
export function putWords(name: string, at: Point, size: Point): string {
  for (let lane = 0; lane < lanes.value.length; lane++) {
    const robots = lanes.value[lane]?.scene.robots ?? []
    for (let i = 0; i < robots.length; i++) {
      if (!present(lane, i)) continue
      const [x, y] = robotPlace(lane, i)
      const dx = Math.max(0, Math.abs(x - at[0]) - size[0] / 2)
      const dy = Math.max(0, Math.abs(y - at[1]) - size[1] / 2)
      if (Math.hypot(dx, dy) < robots[i].radius) return `${name} appears when ${robots[i].name} has left that place.`
    }
  }
  return `${name} is placed.`
}

/** The position in a tool's form, as typed. */
export function placeForm() {
  const x = signal('')
  const y = signal('')
  return {
    x,
    y,
    /** Shows the last position of the pointer. */
    show([px, py]: Point) {
      x.value = px.toFixed(2)
      y.value = py.toFixed(2)
    },
    /** The position, the centre of the world if nothing was typed; null if it is invalid. */
    read(): Point | null {
      const { min, max } = bounds()
      const place: Point = [
        x.value.trim() === '' ? (min[0] + max[0]) / 2 : Number(x.value),
        y.value.trim() === '' ? (min[1] + max[1]) / 2 : Number(y.value),
      ]
      if (place.every(Number.isFinite)) return place
      notify('Enter the position as two numbers in metres.', 'error')
      return null
    },
  }
}

export type PlaceForm = ReturnType<typeof placeForm>
