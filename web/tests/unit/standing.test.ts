// Where robots stand in the team's plan.

import { expect, test } from 'vitest'
import { dots, meetings } from '../../src/panels/team/standing'
import type { Stack } from '../../src/protocol'

const walking: Stack[] = [
  { robot: 0, stack: [0, 2], wait: null },
  { robot: 1, stack: [0], wait: { node: 0, kind: 'terminate', missing: [0, 3], said: [] } },
  { robot: 2, stack: [0], wait: { node: 0, kind: 'terminate', missing: [0], said: [] } },
]

test('a robot is on every behaviour of its stack, and at home on the innermost', () => {
  expect(dots(walking, 0).robots).toEqual([
    { robot: 0, innermost: false },
    { robot: 1, innermost: true },
    { robot: 2, innermost: true },
  ])
  expect(dots(walking, 2)).toEqual({ robots: [{ robot: 0, innermost: true }], waited: false })
  expect(dots(walking, 1).robots).toEqual([])
})

test('robots that wait at one point are told together, and only who is missing for all of them', () => {
  expect(meetings(walking)).toEqual([{ node: 0, kind: 'terminate', waiting: [1, 2], missing: [0], said: [] }])
})

test('votes that any robot has heard are told in the order of the team', () => {
  const wait = (missing: number[], said: [number, string][]) => ({ node: 1, kind: 'decide', missing, said })
  const stacks: Stack[] = [
    {
      robot: 0,
      stack: [1],
      wait: wait(
        [2],
        [
          [1, 'end'],
          [0, 'search'],
        ],
      ),
    },
    { robot: 2, stack: [1], wait: wait([], [[2, 'end']]) },
  ]
  expect(meetings(stacks)[0].said).toEqual([
    [0, 'search'],
    [1, 'end'],
    [2, 'end'],
  ])
  expect(meetings(stacks)[0].missing).toEqual([])
})
