// What a tool is, and which one is in hand.

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { lanes, send } from '../../net/store'
import type { Point } from '../../protocol'
import type { IconName } from '../../ui/icon'
import { act, notify } from '../../ui/notify'
import type { Hit, HitKind } from '../hits'
import type { Look } from '../look'
import { bounds } from '../stage'
import { type Entry, freeName } from './entries'

/** Where the pointer is. */
export type Pointer = {
  lane: number
  at: Point
  /** What is there, of the kinds that the tool is for. */
  hit: Hit | null
}

export type Tool = {
  id: string
  label: string
  icon: IconName
  key: string
  tip: string
  /** What to do with it now. */
  hint: () => string
  /** Kinds of things that it is for. */
  hits: HitKind[]
  /** Why it cannot be used, or null. */
  missing?: () => string | null
  cursor?: string
  /** Takes the drag that begins here; without it, dragging moves the map. */
  drag?: (from: Pointer) => boolean
  dragged?: (to: Pointer) => void
  dropped?: (to: Pointer) => void
  click?: (at: Pointer) => void
  hover?: (at: Pointer | null) => void
  /** Forgets what was begun. True if there was something. */
  cancel?: () => boolean
  /** Draws what will be. */
  ghost?: (look: Look) => void
  /** The same by keyboard. */
  Options?: ComponentType
}

/** Id of the tool in hand. */
export const tool = signal('select')
/** Counts up when a ghost changed. */
export const ghosts = signal(0)

export function touch() {
  ghosts.value++
}

/** Lets something happen in the run; says what, or why not. */
export async function disturb(entry: Entry): Promise<boolean> {
  const result = await act(send({ do: 'disturb', entry }).then((result) => ({ result })))
  if (!result) return false
  const text = (result.result as { text?: unknown } | null | undefined)?.text
  if (typeof text === 'string') notify(text, 'info')
  return true
}

export function newName(stem: string): string {
  const names = lanes.value.flatMap((lane) => lane?.things?.objects.map((object) => object.name) ?? [])
  const deeds = given.get(stem) ?? []
  const name = freeName(stem, [...names, ...deeds])
  given.set(stem, [...deeds, name])
  return name
}

/** Names given by this page; a thing may wait for its place and not be there yet. */
const given = new Map<string, string[]>()

/** The place in a tool's form, as typed. */
export function placeForm() {
  const x = signal('')
  const y = signal('')
  return {
    x,
    y,
    /** Shows where the pointer was. */
    show([px, py]: Point) {
      x.value = px.toFixed(2)
      y.value = py.toFixed(2)
    },
    /** The place, the middle of the world if nothing was typed; null if it cannot be read. */
    read(): Point | null {
      const { min, max } = bounds()
      const place: Point = [
        x.value.trim() === '' ? (min[0] + max[0]) / 2 : Number(x.value),
        y.value.trim() === '' ? (min[1] + max[1]) / 2 : Number(y.value),
      ]
      if (place.every(Number.isFinite)) return place
      notify('Give the place as two numbers in metres.', 'error')
      return null
    },
  }
}

export type PlaceForm = ReturnType<typeof placeForm>
