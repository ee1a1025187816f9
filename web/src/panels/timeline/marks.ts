// Events that are marked on the timeline and in charts.

import { TOPICS, type Topic } from '../../kinds'
import type { Deed, LogEvent } from '../../protocol'

export type MarkKind = 'deed' | 'disturbance' | 'done' | 'trouble' | 'question'
export type Mark = { t: number; kind: MarkKind; text: string }

/** Topics whose events are marked. */
const MARKED: Partial<Record<Topic, MarkKind>> = {
  disturbance: 'disturbance',
  done: 'done',
  trouble: 'trouble',
  question: 'question',
}

export const MARK_WORDS: Record<MarkKind, string> = {
  deed: 'done by hand',
  disturbance: 'disturbance',
  done: 'completed',
  trouble: 'trouble',
  question: 'question',
}

export function kindOf(event: LogEvent): MarkKind | null {
  return MARKED[TOPICS[event.kind]] ?? null
}

/** Largest distance between a deed and the event that reports it. [s] */
const SLACK = 0.05

/** The log's text for each deed, by the deed's number: only if it is clear which event belongs to which deed. */
export function told(deeds: Deed[], events: LogEvent[]): Map<number, LogEvent> {
  const found = new Map<number, LogEvent>()
  if (deeds.length === 0) return found
  const [first, last] = [Math.min(...deeds.map((deed) => deed.at)), Math.max(...deeds.map((deed) => deed.at))]
  const near = events.filter(
    (event) => event.kind === 'disturbance' && event.t >= first - SLACK && event.t <= last + SLACK,
  )
  for (const at of new Set(deeds.map((deed) => deed.at))) {
    const made = deeds.filter((deed) => deed.at === at)
    const there = near.filter((event) => Math.abs(event.t - at) <= SLACK)
    if (made.length === there.length) for (const [i, deed] of made.entries()) found.set(deed.number, there[i])
  }
  return found
}

/** Text for a manual action: the log says "planned", which is not true of manual actions. */
export function byHand(event: LogEvent): string {
  const done = event.disturbance
  if (!done?.planned) return event.why
  return done.lasts === null ? done.what : `${done.what} (for ${done.lasts} s)`
}

/** Marks of events from index `from` on, and of deeds. A manual action is marked once. */
export function eventMarks(events: LogEvent[], from: number, deeds: Deed[], names: string[]): Mark[] {
  const marks: Mark[] = []
  for (let i = from; i < events.length; i++) {
    const event = events[i]
    let kind = kindOf(event)
    if (!kind) continue
    if (event.kind === 'disturbance' && deeds.some((deed) => Math.abs(deed.at - event.t) <= SLACK)) kind = 'deed'
    const who = event.robot === null || kind === 'deed' ? '' : `${names[event.robot] ?? `robot ${event.robot}`}: `
    marks.push({ t: event.t, kind, text: `${who}${kind === 'deed' ? byHand(event) : event.why}` })
  }
  return marks
}

/** Deeds that are not in the log (yet), in addition to the marks of events. */
export function deedMarks(deeds: Deed[], marks: Mark[]): Mark[] {
  const silent = (deed: Deed) => !marks.some(({ kind, t }) => kind === 'deed' && Math.abs(deed.at - t) <= SLACK)
  return deeds.filter(silent).map((deed) => ({ t: deed.at, kind: 'deed', text: deed.text }))
}

/** All marks in order of time. */
export function merged(one: Mark[], two: Mark[]): Mark[] {
  return one.concat(two).sort((a, b) => a.t - b.t)
}

/** The last mark clearly before a time, or the first one clearly after it. */
export function neighbour(marks: Mark[], time: number, forward: boolean, slack: number): Mark | null {
  if (forward) return marks.find((mark) => mark.t > time + slack) ?? null
  return marks.findLast((mark) => mark.t < time - slack) ?? null
}

/** Marks that are drawn within `reach` of a time, nearest first. */
export function near(marks: Mark[], time: number, reach: number): Mark[] {
  const close = marks.filter((mark) => Math.abs(mark.t - time) <= reach)
  return close.sort((a, b) => Math.abs(a.t - time) - Math.abs(b.t - time))
}
