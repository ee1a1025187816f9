import { expect, test } from 'vitest'
import { bytes, count, figure, lasting, pace, percent, stopwatch, times } from '../../src/panels/format'

test('a stopwatch shows tenths and carries over', () => {
  expect(stopwatch(0)).toBe('0:00.0')
  expect(stopwatch(42.34)).toBe('0:42.3')
  expect(stopwatch(59.97)).toBe('1:00.0')
  expect(stopwatch(725)).toBe('12:05.0')
  expect(stopwatch(3723.4)).toBe('1:02:03.4')
  expect(stopwatch(90, 0)).toBe('1:30')
  expect(stopwatch(-3)).toBe('−0:03.0')
})

test('lengths of time are told in words', () => {
  expect(lasting(0.4)).toBe('0.4 s')
  expect(lasting(12.2)).toBe('12 s')
  expect(lasting(60)).toBe('1 min')
  expect(lasting(200)).toBe('3 min 20 s')
  expect(lasting(7500)).toBe('2 h 5 min')
})

test('what is not complete does not read as complete', () => {
  expect(percent(0.437)).toBe('44 %')
  expect(percent(0.999)).toBe('99 %')
  expect(percent(1)).toBe('100 %')
})

test('factors, counts and figures stay short', () => {
  expect([times(0.5), times(12.34), times(250.4)]).toEqual(['0.50×', '12.3×', '250×'])
  expect([pace(0.25), pace(10), pace(null)]).toEqual(['0.25×', '10×', 'max'])
  expect(count(1234567)).toBe('1\u202f234\u202f567')
  expect([bytes(12), bytes(2048), bytes(3e6)]).toEqual(['12 B', '2.0 kB', '3.0 MB'])
  expect([figure(0), figure(594.538), figure(0.12345), figure(-2400), figure(2.5)]).toEqual([
    '0',
    '594.5',
    '0.1235',
    '-2400',
    '2.5',
  ])
})
