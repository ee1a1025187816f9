import { expect, test } from 'vitest'
import { complete } from '../../src/net/event'
import { Bids } from '../../src/panels/robot/bids'
import type { LogEvent } from '../../src/protocol'

const [EDDIE, JIMMY] = [0, 1]
const [SERVE, FETCH] = [0, 1]

const auction = (t: number, bids: [number, number, number][]): LogEvent =>
  complete({
    t,
    robot: 0,
    kind: 'auction',
    why: '',
    task: SERVE,
    bids: bids.map(([robot, part, value]) => [robot, part, value, false]),
  })

test('the bids of a robot are found among those of all', () => {
  const bids = new Bids(JIMMY, [SERVE, FETCH])
  const first = [
    auction(2, [[EDDIE, SERVE, 201]]),
    auction(12, [
      [EDDIE, SERVE, 201],
      [JIMMY, SERVE, 85],
      [JIMMY, FETCH, 95],
    ]),
  ]
  expect(bids.take(first)).toBe(true)
  expect(bids.rows).toEqual([[12, 85, 95]])
  expect(bids.take(first.concat([auction(20, [])]))).toBe(false)
  const more = first.concat([auction(20, []), auction(30, [[JIMMY, SERVE, 89]])])
  expect(bids.take(more)).toBe(true)
  expect(bids.rows.at(-1)).toEqual([30, 89, null])
  bids.take([])
  expect(bids.rows).toEqual([])
})
