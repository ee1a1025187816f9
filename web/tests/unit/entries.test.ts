import { describe, expect, it } from 'vitest'
import * as entries from '../../src/map/tools/entries'

describe('tools tell the server', () => {
  it('an obstacle by its centre and size, whichever corner came first', () => {
    const drawn = entries.rectangle([4, 1], [2, 2.5])
    expect(drawn).toEqual({ at: [3, 1.75], size: [2, 1.5] })
    expect(entries.obstacle('obstacle 1', drawn.at, drawn.size)).toEqual({
      'object-added': { name: 'obstacle 1', rectangle: [2, 1.5], at: [3, 1.75] },
    })
    expect(entries.obstacle('slow ground 1', [1, 1], [1, 1], 0.5)).toEqual({
      'object-added': { name: 'slow ground 1', rectangle: [1, 1], at: [1, 1], penetrability: 0.5 },
    })
  })

  it('places to the centimetre', () => {
    expect(entries.robotMoved('blue', [1.23456, -0.001])).toEqual({
      'robot-moved': { robot: 'blue', place: [1.23, 0] },
    })
    expect(entries.itemMoved(7, [1, 2])).toEqual({ 'items-moved': { number: 7, place: [1, 2], radius: 0 } })
    expect(entries.objectMoved('desk', [1, 2])).toEqual({ 'object-moved': { object: 'desk', to: [1, 2] } })
  })

  it('what is added', () => {
    expect(entries.itemAdded('waste', [1, 2])).toEqual({
      'items-added': { item: 'waste', count: 1, place: [1, 2], radius: 0 },
    })
    expect(entries.jammer('jammer 1', [1, 2], 20)).toEqual({
      'object-added': { name: 'jammer 1', circle: 0.15, at: [1, 2], penetrability: 1, jammer: { power: 20 } },
    })
    expect(entries.jammerSwitched('jammer 1', false)).toEqual({ jammer: { object: 'jammer 1', on: false } })
    expect(entries.objectCopied('desk', 'copy of desk 1', [1.234, 2])).toEqual({
      'object-copied': { object: 'desk', name: 'copy of desk 1', at: [1.23, 2] },
    })
  })

  it('what goes', () => {
    expect(entries.stockSet('can', 'garbage', 0)).toEqual({
      'object-changed': { object: 'can', stocks: { garbage: 0 } },
    })
    expect(entries.linkCut('blue', 'gold')).toEqual({ 'link-cut': { between: ['blue', 'gold'] } })
    expect(entries.objectRemoved('desk')).toEqual({ 'object-removed': 'desk' })
    expect(entries.itemRemoved(3)).toEqual({ 'items-removed': { number: 3 } })
  })

  it('names that nothing has yet', () => {
    expect(entries.freeName('obstacle', [])).toBe('obstacle 1')
    expect(entries.freeName('obstacle', ['obstacle 1', 'obstacle 3', 'desk'])).toBe('obstacle 2')
  })
})
