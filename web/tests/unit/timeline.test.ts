import { expect, test } from 'vitest'
import type { EventKind } from '../../src/kinds'
import { complete } from '../../src/net/event'
import { byHand, deedMarks, eventMarks, merged, near, neighbour, told } from '../../src/panels/timeline/marks'
import { span, ticks } from '../../src/panels/timeline/scale'
import { seeker } from '../../src/panels/timeline/seeker'
import type { Deed, LogEvent } from '../../src/protocol'

const event = (t: number, kind: EventKind, why = '', robot: number | null = null): LogEvent =>
  complete({ t, kind, why, robot })
const deed = (at: number, text: string): Deed => ({ number: 1, at, text, entry: {} })

test('the bar grows in large steps and never past the end of the run', () => {
  expect(span(0, 600)).toBe(10)
  expect(span(31, 600)).toBe(60)
  expect(span(400, 450)).toBe(450)
  expect(span(90000, 0)).toBe(172800)
  expect(ticks(60, 8)).toEqual([0, 10, 20, 30, 40, 50, 60])
})

test('what a person did is marked once, everyday events not at all', () => {
  const events = [event(1, 'activated'), event(5, 'disturbance', 'blue stops'), event(9, 'disturbance', 'a crate')]
  const deeds = [deed(5, 'blue stops')]
  const marks = ((found) => merged(found, deedMarks(deeds, found)))(eventMarks(events, 0, deeds, []))
  expect(marks.map((mark) => [mark.t, mark.kind])).toEqual([
    [5, 'deed'],
    [9, 'disturbance'],
  ])
})

test('the log says in better words what a person did, if it is clear which event is meant', () => {
  const events = [event(5, 'disturbance', 'blue stops'), event(9, 'disturbance', 'one'), event(9, 'disturbance', 'two')]
  const made = [
    { ...deed(5, 'stop: blue'), number: 0 },
    { ...deed(9, 'x: y'), number: 1 },
  ]
  expect([...told(made, events)].map(([number, { why }]) => [number, why])).toEqual([[0, 'blue stops']])
  expect(told([], events).size).toBe(0)
  expect(deedMarks([deed(7, 'waits')], [])).toEqual([{ t: 7, kind: 'deed', text: 'waits' }])
})

test('what was done by hand was not planned', () => {
  const stops = (t: number, name: string, planned: boolean, lasts: number | null): LogEvent => ({
    ...event(t, 'disturbance', `${name} stops (${planned ? 'planned' : 'by chance, no. 1'})`),
    disturbance: { what: `${name} stops`, planned, lasts },
  })
  expect(byHand(stops(5, 'gold', true, null))).toBe('gold stops')
  expect(byHand(stops(5, 'gold', true, 5))).toBe('gold stops (for 5 s)')
  expect(byHand(stops(5, 'gold', false, null))).toBe('gold stops (by chance, no. 1)')
  const events = [stops(5, 'blue', true, null), stops(9, 'gold', true, null)]
  expect(eventMarks(events, 0, [deed(5, 'stop: blue')], []).map(({ text }) => text)).toEqual([
    'blue stops',
    'gold stops (planned)',
  ])
})

test('marks say whose they are', () => {
  expect(eventMarks([event(2, 'exhausted', 'out of energy', 1)], 0, [], ['blue', 'gold'])[0].text).toBe(
    'gold: out of energy',
  )
})

test('one can go from mark to mark', () => {
  const marks = deedMarks([deed(1, 'a'), deed(3, 'b'), deed(8, 'c')], [])
  expect(neighbour(marks, 3, true, 0.05)?.text).toBe('c')
  expect(neighbour(marks, 3, false, 0.05)?.text).toBe('a')
  expect(neighbour(marks, 8, true, 0.05)).toBeNull()
  expect(near(marks, 2.9, 0.5).map((mark) => mark.text)).toEqual(['b'])
})

test('of many wishes only the last is sent', async () => {
  const sent: number[] = []
  const open: (() => void)[] = []
  const seek = seeker(
    (time) => {
      sent.push(time)
      return new Promise<void>((resolve) => open.push(resolve))
    },
    () => {},
  )
  for (const time of [1, 2, 3, 4]) seek.want(time)
  expect(sent).toEqual([1])
  open[0]()
  await Promise.resolve()
  await Promise.resolve()
  expect(sent).toEqual([1, 4])
})

test('a wish that fails is told and does not stop the next', async () => {
  const told: string[] = []
  const seek = seeker(
    () => Promise.reject(new Error('no')),
    (error) => told.push(error.message),
  )
  seek.want(1)
  await new Promise((resolve) => setTimeout(resolve))
  seek.want(2)
  await new Promise((resolve) => setTimeout(resolve))
  expect(told).toEqual(['no', 'no'])
})
