import { expect, test } from 'vitest'
import { Bids } from '../../src/panels/robot/bids'
import type { LogEvent } from '../../src/protocol'

const auction = (t: number, terms: [string, number][]): LogEvent => ({
  t,
  robot: 0,
  kind: 'auction',
  why: '',
  behaviour: null,
  task: 0,
  other: null,
  terms,
})

test('the bids of a robot are found among those of all', () => {
  const bids = new Bids('jimmy', ['serve', 'fetch-to-partner'])
  const first = [
    auction(2, [['bid-eddie-serve', 201]]),
    auction(12, [
      ['round', 2],
      ['bid-eddie-serve', 201],
      ['bid-jimmy-serve', 85],
      ['bid-jimmy-fetch-to-partner', 95],
    ]),
  ]
  expect(bids.take(first)).toBe(true)
  expect(bids.rows).toEqual([[12, 85, 95]])
  expect(bids.take(first.concat([auction(20, [])]))).toBe(false)
  const more = first.concat([auction(20, []), auction(30, [['bid-jimmy-serve', 89]])])
  expect(bids.take(more)).toBe(true)
  expect(bids.rows.at(-1)).toEqual([30, 89, null])
  bids.take([])
  expect(bids.rows).toEqual([])
})
