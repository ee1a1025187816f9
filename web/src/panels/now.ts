// The data that panels show, divided so that each of them redraws only when its own part changes.

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { deeds, hello, lanes, send, status } from '../net/store'
import type { Branch, Deed, LogEvent, Question } from '../protocol'
import { act } from '../ui/notify'
import { selected } from '../ui/selection'
import { Sieve } from './log/filter'
import { deedMarks, eventMarks, type Mark, merged, told } from './timeline/marks'
import { seeker } from './timeline/seeker'

/** A computed value that stays the same object while its fingerprint does not change. */
function steady<T>(read: () => T, fingerprint: (value: T) => string): ReadonlySignal<T> {
  let kept: { value: T; print: string } | null = null
  return computed(() => {
    const value = read()
    const print = fingerprint(value)
    if (kept?.print !== print) kept = { value, print }
    return kept.value
  })
}

const chosenLane = signal<number | null>(null)
/** The lane that team and log show: the chosen one, or that of the selected robot. */
export const laneShown = computed(() => {
  const lane = chosenLane.value ?? selected.value?.lane ?? 0
  return lane < lanes.value.length ? lane : 0
})
export function showLane(lane: number | null) {
  chosenLane.value = lane
}

export const comparing = computed(() => lanes.value.length > 1)
export const scenes = computed(() => lanes.value.map((lane) => lane?.scene))
export const scene = computed(() => lanes.value[laneShown.value]?.scene ?? null)
/** The scene of the first lane, for the run as a whole. */
export const mainScene = computed(() => lanes.value[0]?.scene ?? null)
const NO_EVENTS: LogEvent[] = []
export const events = computed(() => lanes.value[laneShown.value]?.events ?? NO_EVENTS)
const NO_SHIFTS: [number, number, number][] = []
export const shifts = computed(() => lanes.value[laneShown.value]?.shifts ?? NO_SHIFTS)
const NO_SAMPLES: [number, number, number, number, number][] = []
export const samples = computed(() => lanes.value[laneShown.value]?.samples ?? NO_SAMPLES)
export const names = steady(
  () => scene.value?.robots.map((robot) => robot.name) ?? [],
  (list) => list.join('\n'),
)

export const time = computed(() => status.value?.time ?? 0)
export const end = computed(() => status.value?.end ?? 0)
export const playing = computed(() => status.value?.playing ?? false)
export const tick = computed(() => mainScene.value?.tick_s ?? 0.1)
/** True if the moment shown is before the end of the computed run. */
export const behind = computed(() => end.value - time.value > tick.value / 2)

export { deeds }

const NO_BRANCHES: Branch[] = []
export const branches = steady(
  () => status.value?.branches ?? NO_BRANCHES,
  (list) => list.map((branch) => `${branch.id} ${branch.end.toFixed(1)} ${branch.title}`).join('\n'),
)
const NO_QUESTIONS: Question[] = []
export const questions = steady(
  () => status.value?.questions ?? NO_QUESTIONS,
  (list) => list.map((one) => `${one.lane} ${one.robot} ${one.number} ${one.text}`).join('\n'),
)
export const coordinators = computed(() => hello.value?.coordinators ?? [])

const sieve = new Sieve()
const DISTURBANCES = { robot: null, kind: 'disturbance', text: '' }
/** The log's text for each deed, by the deed's number. */
export const deedWords = computed(() => {
  sieve.take(events.value, DISTURBANCES, names.value)
  return told(
    deeds.value,
    sieve.places.map((place) => events.value[place]),
  )
})

// Marks, computed from new events only.
let marked: { events: LogEvent[]; deeds: Deed[]; names: string[]; found: Mark[]; all: Mark[] } | null = null
export const marks = computed<Mark[]>(() => {
  const [list, made, who] = [events.value, deeds.value, names.value]
  const last = marked
  const goesOn =
    last !== null &&
    last.deeds === made &&
    last.names === who &&
    list.length >= last.events.length &&
    (last.events.length === 0 || list[last.events.length - 1] === last.events[last.events.length - 1])
  const fresh = eventMarks(list, goesOn ? last.events.length : 0, made, who)
  if (goesOn && fresh.length === 0) {
    marked = { ...last, events: list }
    return last.all
  }
  const found = goesOn ? last.found.concat(fresh) : fresh
  marked = { events: list, deeds: made, names: who, found, all: merged(found, deedMarks(made, found)) }
  return marked.all
})

/** The requested moment that is not shown yet. */
export const wanted = signal<number | null>(null)
const seeking = seeker(
  async (moment) => {
    await send({ do: 'seek', time: moment })
    if (wanted.value === moment) setTimeout(() => wanted.value === moment && forget(), 250)
  },
  (error) => {
    forget()
    void act(Promise.reject(error))
  },
)
function forget() {
  wanted.value = null
}

/** Shows the run at this time. */
export function goTo(moment: number) {
  const to = Math.min(end.value, Math.max(0, moment))
  wanted.value = to
  seeking.want(to)
}

/** Triggers a disturbance now. True if the server accepted it. */
export async function disturb(entry: Record<string, unknown>, lane?: number): Promise<boolean> {
  const done = await act(send({ do: 'disturb', entry, lane }).then((result) => ({ result })))
  return done !== undefined
}
