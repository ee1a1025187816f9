// Converts rows into the columns that charts need; only new rows are processed.

type Row = readonly (number | null)[]

export class Columns {
  data: (number | null)[][] = []
  /** True if there is any value. */
  some = false
  private seen: readonly Row[] = []
  private taken = 0

  constructor(private readonly width: number) {
    this.clear()
  }

  private clear() {
    this.data = Array.from({ length: this.width }, () => [])
    this.taken = 0
    this.some = false
  }

  /** True if something changed. */
  take(rows: readonly Row[]): boolean {
    if (rows === this.seen) return false
    const goesOn = rows.length >= this.taken && (this.taken === 0 || rows[this.taken - 1] === this.seen[this.taken - 1])
    if (!goesOn) this.clear()
    this.seen = rows
    for (; this.taken < rows.length; this.taken++) {
      const row = rows[this.taken]
      const last = this.data[0].at(-1)
      // A repeated time replaces the earlier values.
      if (last !== undefined && last !== null && (row[0] ?? 0) <= last) this.drop(row[0] ?? 0)
      for (let i = 0; i < this.width; i++) {
        const value = row[i] ?? null
        this.data[i].push(value)
        if (i > 0 && value !== null) this.some = true
      }
    }
    return true
  }

  private drop(from: number) {
    const times = this.data[0]
    let keep = times.length
    while (keep > 0 && (times[keep - 1] ?? 0) >= from) keep--
    for (const column of this.data) column.length = keep
  }
}
