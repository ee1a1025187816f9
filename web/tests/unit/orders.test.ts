// What the operator wants, and the disturbances that change it.

import { describe, expect, it } from 'vitest'
import { entries, remaining, wanted, weightOf, wrong } from '../../src/panels/team/orders'

const TASKS = [
  { name: 'sweep', summary: '', open: true, weight: 1 },
  { name: 'guard', summary: '', open: false, weight: 2 },
]

describe('orders', () => {
  it('are those of the start, with what has changed', () => {
    expect(wanted(TASKS, [])).toEqual(TASKS)
    expect(wanted(TASKS, [[1, true, 5]])[1]).toMatchObject({ name: 'guard', open: true, weight: 5 })
  })
  it('become disturbances only where a draft differs', () => {
    expect(entries(TASKS, {})).toEqual([])
    expect(entries(TASKS, { sweep: { open: true, weight: '1.0' }, gone: { open: true } })).toEqual([])
    expect(entries(TASKS, { sweep: { open: false }, guard: { open: true, weight: '0.5' } })).toEqual([
      { 'task-cancelled': 'sweep' },
      { 'task-priority': { task: 'guard', weight: 0.5 } },
      { 'task-added': 'guard' },
    ])
  })
  it('that were changed while others were sent are kept', () => {
    const sent = { sweep: { open: false, weight: '2' } }
    expect(remaining(sent, sent)).toEqual({})
    expect(remaining({ sweep: { open: false, weight: '3' }, guard: { open: true } }, sent)).toEqual({
      sweep: { weight: '3' },
      guard: { open: true },
    })
  })
  it('have weights above 0, up to 1000', () => {
    expect(['', ' ', 'x', '0', '-1', '1e9', 'NaN', 'Infinity'].map(weightOf)).toEqual(Array(8).fill(null))
    expect(['1', ' 0.25 ', '1000'].map(weightOf)).toEqual([1, 0.25, 1000])
    expect([wrong(undefined), wrong({ open: true }), wrong({ weight: '2' }), wrong({ weight: '' })]).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(entries(TASKS, { sweep: { weight: '0' } })).toEqual([])
  })
})
