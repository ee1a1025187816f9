// The time span of the bar at the bottom: slightly longer than the run, and growing in few, large steps, so that marks
// keep their positions while the run continues.

const STEPS = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400]
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400]

/** The time at the right end of the bar. */
export function span(end: number, until: number): number {
  const step = STEPS.find((one) => one >= end) ?? Math.ceil(end / 86400) * 86400
  const bound = until > 0 ? Math.max(until, end) : step
  return Math.min(step, bound)
}

/** Times below the bar, at most `most` of them. */
export function ticks(all: number, most: number): number[] {
  const step = TICKS.find((one) => all / one <= most) ?? all
  const times: number[] = []
  for (let time = 0; time <= all + 1e-9; time += step) times.push(time)
  return times
}
