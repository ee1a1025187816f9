// Which events of the log are shown.

import type { LogEvent } from '../../protocol'

/** `robot` -1: events without a robot; null: all. An empty kind or text: all. */
export type Filter = { robot: number | null; kind: string; text: string }

export const EVERYTHING: Filter = { robot: null, kind: '', text: '' }

export function matches(event: LogEvent, filter: Filter, names: string[]): boolean {
  if (filter.robot !== null && (event.robot ?? -1) !== filter.robot && event.other !== filter.robot) return false
  if (filter.kind !== '' && event.kind !== filter.kind) return false
  if (filter.text === '') return true
  const wanted = filter.text.toLowerCase()
  if (event.why.toLowerCase().includes(wanted) || event.kind.toLowerCase().includes(wanted)) return true
  return event.robot !== null && (names[event.robot] ?? '').toLowerCase().includes(wanted)
}

/** Indices of the events that pass a filter; takes the growing list repeatedly and processes only new events. */
export class Sieve {
  places: number[] = []
  /** Kinds so far, with their counts. */
  readonly kinds = new Map<string, number>()
  private seen: LogEvent[] = []
  private taken = 0
  private filter = EVERYTHING

  /** True if something changed. */
  take(events: LogEvent[], filter: Filter, names: string[]): boolean {
    if (events === this.seen && filter === this.filter) return false
    const goesOn =
      events.length >= this.taken && (this.taken === 0 || events[this.taken - 1] === this.seen[this.taken - 1])
    const again = !goesOn || filter !== this.filter
    if (!goesOn) this.kinds.clear()
    const counted = goesOn ? this.taken : 0
    if (again) {
      this.places = []
      this.taken = 0
    }
    this.seen = events
    this.filter = filter
    for (let i = counted; i < events.length; i++) {
      const { kind } = events[i]
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
    }
    for (; this.taken < events.length; this.taken++)
      if (matches(events[this.taken], filter, names)) this.places.push(this.taken)
    return true
  }
}
