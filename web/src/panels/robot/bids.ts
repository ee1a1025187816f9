// A robot's bids in auctions, from the log.

import type { LogEvent } from '../../protocol'

export type Row = [number, ...(number | null)[]]

/** Rows of a robot's bids; takes the growing list of events repeatedly and processes only new ones. */
export class Bids {
  rows: Row[] = []
  private seen: LogEvent[] = []
  private taken = 0

  /** `tasks`: the task of each of its behaviours. */
  constructor(
    private readonly robot: number,
    private readonly tasks: number[],
  ) {}

  /** True if something changed. */
  take(events: LogEvent[]): boolean {
    if (events === this.seen) return false
    const goesOn =
      events.length >= this.taken && (this.taken === 0 || events[this.taken - 1] === this.seen[this.taken - 1])
    if (!goesOn) {
      this.rows = []
      this.taken = 0
    }
    this.seen = events
    const before = this.rows
    for (; this.taken < events.length; this.taken++) {
      const event = events[this.taken]
      if (event.kind !== 'auction') continue
      const row = this.row(event)
      if (row) this.rows = this.rows.concat([row])
    }
    return this.rows !== before || !goesOn
  }

  private row(event: LogEvent): Row | null {
    const bids = new Map(event.bids.filter(([robot]) => robot === this.robot).map(([, part, value]) => [part, value]))
    const values = this.tasks.map((task) => bids.get(task) ?? null)
    return values.some((value) => value !== null) ? [event.t, ...values] : null
  }
}
