// The selectable speeds; null is as fast as possible.

export const SPEEDS: (number | null)[] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, null]

/** The next faster (or slower) speed. */
export function beside(speed: number | null, faster: boolean): number | null {
  const size = (one: number | null) => one ?? Number.POSITIVE_INFINITY
  const list = SPEEDS.filter((one) => (faster ? size(one) > size(speed) : size(one) < size(speed)))
  const found = faster ? list[0] : list.at(-1)
  return found === undefined ? speed : found
}
