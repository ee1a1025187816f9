// Which rows of a long list are visible.

export const ROW = 38
const MORE = 6

/** First and one past the last row to draw. */
export function inView(scroll: number, height: number, count: number): [number, number] {
  const first = Math.max(0, Math.floor(scroll / ROW) - MORE)
  return [Math.min(first, count), Math.min(count, Math.ceil((scroll + height) / ROW) + MORE)]
}

/** The scroll position that makes a row visible. */
export function reveal(row: number, scroll: number, height: number): number {
  if (row * ROW < scroll) return row * ROW
  if ((row + 1) * ROW > scroll + height) return (row + 1) * ROW - height
  return scroll
}
