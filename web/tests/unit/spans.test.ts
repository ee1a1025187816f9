import { expect, test } from 'vitest'
import { firstAfter, Spans, workAt } from '../../src/panels/team/spans'

type Shift = [number, number, number]

test('a shift ends the one before', () => {
  const spans = new Spans()
  spans.take([
    [0, 0, 1],
    [0, 1, 0],
    [5, 0, 2],
    [8, 1, -1],
  ])
  expect(spans.rows[0]).toEqual([
    { from: 0, to: 5, work: 1 },
    { from: 5, to: Number.POSITIVE_INFINITY, work: 2 },
  ])
  expect(spans.rows[1]).toEqual([{ from: 0, to: 8, work: 0 }])
})

test('only new shifts are looked at, and another run begins anew', () => {
  const spans = new Spans()
  const first: Shift[] = [[0, 0, 1]]
  spans.take(first)
  const more = first.concat([[4, 0, 2]])
  expect(spans.take(more)).toBe(true)
  expect(spans.take(more)).toBe(false)
  expect(spans.rows[0].length).toBe(2)
  spans.take([[1, 0, 3]])
  expect(spans.rows).toEqual([[{ from: 1, to: Number.POSITIVE_INFINITY, work: 3 }]])
})

test('what was told twice and what took no time is left out', () => {
  const spans = new Spans()
  spans.take([
    [0, 0, 1],
    [2, 0, 1],
    [3, 0, 2],
    [3, 0, 4],
  ])
  expect(spans.rows[0].map((span) => [span.from, span.work])).toEqual([
    [0, 1],
    [3, 4],
  ])
})

test('the work at a moment is found', () => {
  const spans = new Spans()
  spans.take([
    [0, 0, 1],
    [5, 0, -1],
    [7, 0, 2],
  ])
  expect(workAt(spans.rows[0], 3)?.work).toBe(1)
  expect(workAt(spans.rows[0], 6)).toBeNull()
  expect(workAt(spans.rows[0], 100)?.work).toBe(2)
  expect(workAt(undefined, 1)).toBeNull()
  expect(firstAfter(spans.rows[0], 5)).toBe(1)
})
