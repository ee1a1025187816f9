// What is worth a mark on the timeline and in charts.

import type { Deed, LogEvent } from '../../protocol'

export type MarkKind = 'deed' | 'disturbance' | 'done' | 'trouble' | 'question'
export type Mark = { t: number; kind: MarkKind; text: string }

const KINDS: Record<string, MarkKind> = {
  disturbance: 'disturbance',
  'disturbance-delayed': 'disturbance',
  completed: 'done',
  'mission-completed': 'done',
  'spill-cleared': 'done',
  'quadrant-cleaned': 'done',
  'bound-completed': 'done',
  reported: 'done',
  'sign-lit': 'done',
  served: 'done',
  failed: 'trouble',
  'gave-up': 'trouble',
  exhausted: 'trouble',
  'searched-in-vain': 'trouble',
  'dumping-in-vain': 'trouble',
  asked: 'question',
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
  return KINDS[event.kind] ?? null
}

/** Marks of events from place `from` on. A disturbance made by hand is shown once, as a deed. */
export function eventMarks(events: LogEvent[], from: number, deeds: Deed[], names: string[]): Mark[] {
  const marks: Mark[] = []
  for (let i = from; i < events.length; i++) {
    const event = events[i]
    const kind = kindOf(event)
    if (!kind) continue
    if (kind === 'disturbance' && deeds.some((deed) => Math.abs(deed.at - event.t) < 0.2 && same(deed.text, event.why)))
      continue
    const who = event.robot === null ? '' : `${names[event.robot] ?? `robot ${event.robot}`}: `
    marks.push({ t: event.t, kind, text: `${who}${event.why || event.kind}` })
  }
  return marks
}

function same(deed: string, why: string): boolean {
  return deed === why || deed.includes(why) || why.includes(deed)
}

export function deedMarks(deeds: Deed[]): Mark[] {
  return deeds.map((deed) => ({ t: deed.at, kind: 'deed', text: deed.text }))
}

/** All marks in the order of time. */
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
