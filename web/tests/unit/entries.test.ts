import { expect, test } from 'vitest'
import { entry, FlowError, parse, template, write } from '../../src/panels/deeds/flow'
import { breaking, repairable, repairing } from '../../src/panels/robot/entries'

test('entries are read as JSON or as in a scenario', () => {
  expect(entry('{"stop": "blue"}')).toEqual({ stop: 'blue' })
  expect(entry('{at: 60 s, for: 30 s, sensor: {robot: blue, fault: dead}}')).toEqual({
    for: '30 s',
    sensor: { robot: 'blue', fault: 'dead' },
  })
  expect(entry('stop: blue')).toEqual({ stop: 'blue' })
  expect(entry('{at: 1 min, object-added: {name: crate, rectangle: [1 m, 0.5 m], at: [6 m, 4 m]}}')).toEqual({
    'object-added': { name: 'crate', rectangle: ['1 m', '0.5 m'], at: ['6 m', '4 m'] },
  })
  expect(entry('{when: progress > 0.5, robot-removed: gold}')).toEqual({ 'robot-removed': 'gold' })
  expect(parse('[1, -2.5, true, null, "a, b", \'c\']')).toEqual([1, -2.5, true, null, 'a, b', 'c'])
})

test('what cannot be read is explained', () => {
  for (const text of ['', 'blue', '{stop}', '{stop: blue', '{for: 3 s}', '{stop: }', '[1]', '{a: 1} b', '{a: "b}'])
    expect(() => entry(text), text).toThrow(FlowError)
})

test('what is written can be read again', () => {
  const value = { 'a b': ['1 m', 2, true], c: { d: 'x: y', e: '12' } }
  expect(parse(write(value))).toEqual(value)
  expect(template('{at: 40 s, trap: blue}')).toBe('{trap: blue}')
})

test('the form makes entries as in a scenario', () => {
  const wish = { robot: 'blue', device: '', severity: null, lasts: null }
  expect(breaking({ ...wish, part: 'robot', harm: 'emergency-stop' })).toEqual({ 'emergency-stop': 'blue' })
  expect(breaking({ ...wish, part: 'sensor', harm: 'dead', device: 'compass', lasts: 30 })).toEqual({
    for: '30 s',
    sensor: { robot: 'blue', sensor: 'compass', fault: 'dead' },
  })
  expect(breaking({ ...wish, part: 'drive', harm: 'slower', severity: 40 })).toEqual({
    drive: { robot: 'blue', fault: 'slower', severity: 0.4 },
  })
  expect(breaking({ ...wish, part: 'drive', harm: 'dead', severity: 40 })).toEqual({
    drive: { robot: 'blue', fault: 'dead' },
  })
  expect(breaking({ ...wish, part: 'sensor', harm: 'biased', severity: 0.5 })).toEqual({
    sensor: { robot: 'blue', fault: 'biased', severity: 0.5 },
  })
  expect(breaking({ ...wish, part: 'effector', harm: 'dead', device: 'gripper' })).toEqual({
    effector: { robot: 'blue', effector: 'gripper' },
  })
  expect(breaking({ ...wish, part: 'battery', harm: 'drains', severity: 2 })).toEqual({
    battery: { robot: 'blue', drain: '0.02 /s' },
  })
  expect(repairing('blue', '')).toEqual({ repair: { robot: 'blue' } })
  expect(repairing('blue', 'gripper')).toEqual({ repair: { robot: 'blue', part: 'gripper' } })
})

test('drive is among the parts once', () => {
  const robot = {
    name: 'blue',
    type: 'r2',
    radius: 0.1,
    outline: [],
    sensors: ['compass'],
    effectors: ['drive', 'gripper'],
    capabilities: [],
    behaviours: [],
  }
  expect(repairable(robot)).toEqual(['drive', 'radio', 'stop', 'battery', 'clock', 'compass', 'gripper'])
})
