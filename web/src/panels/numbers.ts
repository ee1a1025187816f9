// The numbers of an event, with their names.

import type { LogEvent, Scene } from '../protocol'
import { words } from './format'

/** Terms, then bids. */
export function numbers(event: LogEvent, scene: Scene | null): [string, number | null][] {
  const robot = (place: number) => scene?.robots[place]?.name ?? `robot ${place}`
  const task = (place: number) => scene?.tasks[place]?.name ?? `task ${place}`
  const terms = event.terms.map(([name, of, value]): [string, number | null] => [
    of === null ? words(name) : `${words(name)} of ${robot(of)}`,
    value,
  ])
  const bids = event.bids.map(([bidder, part, value, won]): [string, number | null] => [
    `${won ? 'winning bid' : 'bid'} of ${robot(bidder)} for ${task(part)}`,
    value,
  ])
  return terms.concat(bids)
}
