import { describe, expect, it } from 'vitest'
import { matching } from '../../src/panels/shelf/search'

const runs = [
  { key: 'a-1', title: 'waste, seed 1', note: 'completed after 500 s' },
  { key: 'a-2', title: 'waste, seed 2', note: 'not completed' },
  { key: 'b-1', title: 'janitorial, seed 1', note: '' },
]
const found = (text: string) => matching(runs, text).map(({ key }) => key)

describe('runs', () => {
  it('are found by all words, wherever they are', () => {
    expect(found('')).toEqual(['a-1', 'a-2', 'b-1'])
    expect(found('  ')).toEqual(['a-1', 'a-2', 'b-1'])
    expect(found('SEED 1')).toEqual(['a-1', 'b-1'])
    expect(found('completed waste')).toEqual(['a-1', 'a-2'])
    expect(found('b-1')).toEqual(['b-1'])
    expect(found('nothing')).toEqual([])
  })
})
