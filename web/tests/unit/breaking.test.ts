import { describe, expect, it } from 'vitest'
import { breaking, type Part, parts } from '../../src/panels/robot/entries'
import type { DisturbanceKind } from '../../src/protocol'

const plain = { summary: '', example: '', group: 'Robots', needs: [], listed: true }
const severity = { key: 'severity', label: 'Lost', unit: '%', value: 50, min: 0, max: 100, step: 5 }
const KINDS: DisturbanceKind[] = [
  {
    ...plain,
    name: 'drive',
    by_hand: { part: 'Drive', device: null, ways: [{ label: 'slower', fault: 'slower', dial: severity }] },
  },
  {
    ...plain,
    name: 'sensor',
    by_hand: { part: 'Sensor', device: 'sensor', ways: [{ label: 'dead', fault: 'dead', dial: null }] },
  },
  {
    ...plain,
    name: 'battery',
    needs: ['battery'],
    by_hand: {
      part: 'Battery',
      device: null,
      ways: [{ label: 'drains', fault: null, dial: { ...severity, key: 'drain', value: 2 } }],
    },
  },
  {
    ...plain,
    name: 'stop',
    by_hand: { part: 'Robot', device: null, ways: [{ label: 'dies', fault: null, dial: null }] },
  },
  {
    ...plain,
    name: 'trap',
    by_hand: { part: 'Robot', device: null, ways: [{ label: 'trapped', fault: null, dial: null }] },
  },
  { ...plain, name: 'noise', by_hand: null },
]

describe('what can be broken on a robot', () => {
  const all = parts(KINDS, true)
  const part = (name: string): Part => {
    const found = all.find((one) => one.name === name)
    if (!found) throw new Error(name)
    return found
  }
  const wish = (name: string, harm = 0) => ({
    robot: 'blue',
    part: part(name),
    harm: part(name).harms[harm],
    device: '',
    degree: null,
    lasts: null,
  })

  it('is what the kinds say, the whole robot first', () => {
    expect(all.map((one) => one.label)).toEqual(['Robot', 'Drive', 'Sensor', 'Battery'])
    expect(part('stop').harms.map((one) => one.kind)).toEqual(['stop', 'trap'])
    expect(parts(KINDS, false).map((one) => one.name)).not.toContain('battery')
  })

  it('becomes an entry', () => {
    expect(breaking(wish('stop', 1))).toEqual({ trap: 'blue' })
    expect(breaking({ ...wish('stop'), lasts: 5 })).toEqual({ for: '5 s', stop: 'blue' })
    expect(breaking(wish('drive'))).toEqual({ drive: { robot: 'blue', fault: 'slower', severity: 0.5 } })
    expect(breaking({ ...wish('battery'), degree: 4 })).toEqual({ battery: { robot: 'blue', drain: 0.04 } })
    expect(breaking(wish('sensor'))).toEqual({ sensor: { robot: 'blue', fault: 'dead' } })
    expect(breaking({ ...wish('sensor'), device: 'compass' })).toEqual({
      sensor: { robot: 'blue', sensor: 'compass', fault: 'dead' },
    })
  })
})
