import { expect, test } from 'vitest'
import type { EventKind } from '../../src/kinds'
import { complete } from '../../src/net/event'
import { EVERYTHING, matches, Sieve } from '../../src/panels/log/filter'
import type { LogEvent } from '../../src/protocol'

const event = (kind: EventKind, robot: number | null, why = '', other: number | null = null): LogEvent =>
  complete({ t: 0, kind, why, robot, other })
const names = ['blue', 'gold']

test('filters by robot, kind and text', () => {
  const won = event('won', 0, 'its bid was Best', 1)
  expect(matches(won, EVERYTHING, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, robot: 0 }, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, robot: 1 }, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, robot: -1 }, names)).toBe(false)
  expect(matches(event('disturbance', null), { ...EVERYTHING, robot: -1 }, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, kind: 'outbid' }, names)).toBe(false)
  expect(matches(won, { ...EVERYTHING, text: 'BEST' }, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, text: 'blue' }, names)).toBe(true)
  expect(matches(won, { ...EVERYTHING, text: 'red' }, names)).toBe(false)
})

test('a sieve takes what is new and begins anew with another filter or run', () => {
  const sieve = new Sieve()
  const first = [event('bid', 0), event('won', 1)]
  sieve.take(first, EVERYTHING, names)
  const more = first.concat([event('bid', 1)])
  expect(sieve.take(more, EVERYTHING, names)).toBe(true)
  expect(sieve.take(more, EVERYTHING, names)).toBe(false)
  expect(sieve.places).toEqual([0, 1, 2])
  expect(sieve.kinds.get('bid')).toBe(2)
  sieve.take(more, { ...EVERYTHING, robot: 1 }, names)
  expect(sieve.places).toEqual([1, 2])
  expect(sieve.kinds.get('bid')).toBe(2)
  sieve.take([event('reset', 0)], EVERYTHING, names)
  expect([...sieve.kinds]).toEqual([['reset', 1]])
  expect(sieve.places).toEqual([0])
})

test('a hundred thousand events are sieved in well under a second', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => event(i % 2 ? 'won' : 'outbid', i % 50, `reason ${i}`))
  const began = performance.now()
  new Sieve().take(many, { robot: null, kind: '', text: 'reason 99' }, names)
  expect(performance.now() - began).toBeLessThan(500)
})
