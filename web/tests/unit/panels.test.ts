import { expect, test } from 'vitest'
import { Columns } from '../../src/panels/chart/columns'
import { inView, ROW, reveal } from '../../src/panels/log/rows'
import { HEAD, ROW as LINE, NAMES, rowAt, timeAt, type View, xOf } from '../../src/panels/team/gantt'
import { tree } from '../../src/panels/timeline/tree'
import { beside } from '../../src/panels/transport/speeds'
import { frame } from '../../src/panels/window'

test('rows become columns, and a moment that is told again replaces what came after', () => {
  const columns = new Columns(3)
  const rows: (number | null)[][] = [
    [0, 1, null],
    [1, 2, 5],
  ]
  columns.take(rows)
  columns.take(rows.concat([[2, 3, 6]]))
  expect(columns.data).toEqual([
    [0, 1, 2],
    [1, 2, 3],
    [null, 5, 6],
  ])
  expect(columns.take(rows)).toBe(true)
  expect(columns.data[0]).toEqual([0, 1])
  columns.take(rows.concat([[0.5, 9, 9]]))
  expect(columns.data[0]).toEqual([0, 0.5])
})

test('only rows in view are drawn', () => {
  expect(inView(0, 10 * ROW, 100_000)).toEqual([0, 16])
  const [first, last] = inView(500 * ROW, 10 * ROW, 100_000)
  expect([first, last]).toEqual([494, 516])
  expect(inView(0, 300, 3)).toEqual([0, 3])
  expect(reveal(2, 5 * ROW, 10 * ROW)).toBe(2 * ROW)
  expect(reveal(20, 0, 10 * ROW)).toBe(11 * ROW)
  expect(reveal(5, 0, 10 * ROW)).toBe(0)
})

test('places in the Gantt chart are times and robots', () => {
  const view: View = { width: 340, height: 200, scroll: LINE, frame: [10, 20], now: 15, end: 20 }
  expect(timeAt(view, xOf(view, 13))).toBeCloseTo(13)
  expect(xOf(view, 10)).toBe(NAMES)
  expect(rowAt(view, HEAD + 1, 5)).toBe(1)
  expect(rowAt(view, 2, 5)).toBeNull()
  expect(rowAt(view, HEAD + 10 * LINE, 5)).toBeNull()
})

test('branches stand below the one that they left', () => {
  const branch = (id: number, parent: number | null) => ({ id, parent, from: 0, end: 1, title: '' })
  const list = tree([branch(0, null), branch(1, 0), branch(2, 0), branch(3, 1), branch(4, 9)])
  expect(list.map(({ branch: { id }, depth }) => [id, depth])).toEqual([
    [0, 0],
    [1, 1],
    [3, 2],
    [2, 1],
    [4, 0],
  ])
})

test('speeds go up and down and stop at the ends', () => {
  expect(beside(1, true)).toBe(2)
  expect(beside(100, true)).toBeNull()
  expect(beside(null, true)).toBeNull()
  expect(beside(null, false)).toBe(100)
  expect(beside(0.1, false)).toBe(0.1)
  expect(beside(3, false)).toBe(2)
})

test('the moment shown is within the frame of charts', () => {
  expect(frame(null, 5, 40)).toEqual([0, 40])
  expect(frame(30, 100, 100)).toEqual([70, 100])
  expect(frame(30, 50, 100)).toEqual([27.5, 57.5])
  expect(frame(30, 0, 100)).toEqual([0, 30])
  expect(frame(30, 2, 5)).toEqual([0, 10])
})
