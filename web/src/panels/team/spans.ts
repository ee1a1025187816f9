// Who did what and when, derived from shifts: [time, robot, behaviour or -1].

import type { History } from '../../protocol'

/** `work` is a behaviour of the robot; `to` is infinite for current work. */
export type Span = { from: number; to: number; work: number }

/** Spans of each robot; takes the list of shifts repeatedly and processes only new ones. */
export class Spans {
  readonly rows: Span[][] = []
  private seen: History['shifts'] = []
  private taken = 0

  /** True if something changed. */
  take(shifts: History['shifts']): boolean {
    if (shifts === this.seen) return false
    const goesOn =
      shifts.length >= this.taken && (this.taken === 0 || shifts[this.taken - 1] === this.seen[this.taken - 1])
    if (!goesOn) {
      this.rows.length = 0
      this.taken = 0
    }
    this.seen = shifts
    for (; this.taken < shifts.length; this.taken++) this.add(shifts[this.taken])
    return true
  }

  private add([time, robot, work]: [number, number, number]) {
    while (this.rows.length <= robot) this.rows.push([])
    const row = this.rows[robot]
    const last = row.at(-1)
    if (last && last.to === Number.POSITIVE_INFINITY) {
      if (last.work === work || time < last.from) return
      last.to = time
      if (last.to === last.from) row.pop()
    }
    if (work >= 0) row.push({ from: time, to: Number.POSITIVE_INFINITY, work })
  }
}

/** The index of the first span of a row that ends after a time. */
export function firstAfter(row: Span[], time: number): number {
  let low = 0
  let high = row.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (row[middle].to > time) high = middle
    else low = middle + 1
  }
  return low
}

/** A robot's work at a time. */
export function workAt(row: Span[] | undefined, time: number): Span | null {
  if (!row) return null
  const span = row[firstAfter(row, time)]
  return span && span.from <= time ? span : null
}
