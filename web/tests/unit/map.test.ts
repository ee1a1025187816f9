import { describe, expect, it } from 'vitest'
import { noiseRange } from '../../src/map/draw-ground'
import { driveOf } from '../../src/map/hand'
import { chosenLinks, type Link, linksLeftOut, MOST } from '../../src/map/links'
import { measured } from '../../src/map/measure'
import { Motion, turnBetween } from '../../src/map/motion'
import { clock, fileName } from '../../src/map/save'
import { box, distance, middle, shifted } from '../../src/map/shapes'
import { Trails } from '../../src/map/trails'
import type { Columns, Picture } from '../../src/net/frame'

function picture(tick: number, places: [number, number][], epoch = 1): Picture {
  const column = (values: number[]) => Int32Array.from(values)
  const none = places.map(() => 0)
  const robot: Columns = {
    x: column(places.map(([x]) => x)),
    y: column(places.map(([, y]) => y)),
    heading: column(none),
    work: column(none),
    flags: column(places.map(() => 1)),
    energy: column(none),
    kind: column(none),
    holder: column(none),
  }
  return { epoch, tick, robots: places.length, items: 0, robot, item: robot }
}

describe('motion', () => {
  it('is between frames while the run plays, and exact when it does not', () => {
    const motion = new Motion()
    const shown = picture(1, [[0, 0]])
    motion.take(shown, 0)
    motion.show(0, true)
    shown.robot.x[0] = 1000
    motion.take(shown, 100)
    expect(motion.show(150, true)).toBe(true)
    expect(motion.x[0]).toBeCloseTo(0.5)
    expect(motion.show(150, false)).toBe(false)
    expect(motion.x[0]).toBe(1)
  })

  it('does not drive where a robot was put', () => {
    const motion = new Motion()
    const shown = picture(1, [[0, 0]])
    motion.take(shown, 0)
    shown.robot.x[0] = 5000
    motion.take(shown, 100)
    motion.show(110, true)
    expect(motion.x[0]).toBe(5)
  })

  it('turns the shorter way', () => {
    expect(turnBetween(0.1, 2 * Math.PI - 0.1)).toBeCloseTo(-0.2)
    expect(turnBetween(2 * Math.PI - 0.1, 0.1)).toBeCloseTo(0.2)
  })
})

describe('trails', () => {
  it('are kept while time goes on, and forgotten when it goes back or another epoch begins', () => {
    const trails = new Trails()
    for (let tick = 0; tick < 100; tick += 5) trails.take(picture(tick, [[tick, 0]]), 0.1)
    expect(trails.moments.length).toBeGreaterThan(5)
    trails.take(picture(10, [[0, 0]]), 0.1)
    expect(trails.moments.length).toBe(1)
    for (let tick = 15; tick < 100; tick += 5) trails.take(picture(tick, [[tick, 0]]), 0.1)
    trails.take(picture(101, [[0, 0]], 2), 0.1)
    expect(trails.moments.length).toBe(1)
  })

  it('do not go back for ever', () => {
    const trails = new Trails()
    for (let tick = 0; tick < 10000; tick += 2) trails.take(picture(tick, [[tick, 0]]), 0.1)
    expect((9998 - trails.moments[0].tick) * 0.1).toBeLessThan(21)
    expect(trails.moments.length).toBeLessThanOrEqual(61)
  })
})

describe('driving by hand', () => {
  it('adds up the keys that are held', () => {
    expect(driveOf([])).toEqual({ speed: 0, turn: 0 })
    expect(driveOf(['up', 'a'])).toEqual({ speed: 1, turn: 1 })
    expect(driveOf(['w', 'up', 'd'])).toEqual({ speed: 1, turn: -1 })
    expect(driveOf(['w', 's'])).toEqual({ speed: 0, turn: 0 })
  })
})

describe('links', () => {
  const place = (robot: number): [number, number] => [robot, 0]
  it('are all drawn if they are few', () => {
    const few: Link[] = [[0, 1, 1]]
    expect(chosenLinks(few, place, null)).toBe(few)
  })
  it('are the shortest and those of the selected robot otherwise', () => {
    const many = Array.from({ length: 3000 }, (_, i): Link => [0, i + 1, 1])
    const drawn = chosenLinks(many, place, 2900)
    expect(drawn.length).toBe(MOST)
    expect(drawn[0]).toEqual([0, 2900, 1])
    expect(drawn.at(-1)).toEqual([0, MOST - 1, 1])
    const overlay = {
      type: 'overlay' as const,
      lane: 0,
      epoch: 1,
      plans: null,
      rays: null,
      noise: null,
      stacks: null,
      sketches: [],
    }
    expect(linksLeftOut({ ...overlay, links: many, left_out: 10 })).toBe(3010 - MOST)
  })
})

describe('shapes', () => {
  const square = {
    polygon: [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ] as [number, number][],
  }
  it('know what is inside', () => {
    expect(distance(square, [1, 1])).toBe(0)
    expect(distance(square, [3, 1])).toBe(1)
    expect(distance({ circle: [0, 0, 1] }, [0, 3])).toBe(2)
    expect(
      distance(
        {
          segment: [
            [0, 0],
            [4, 0],
          ],
        },
        [2, 1],
      ),
    ).toBe(1)
  })
  it('have a middle and can be shifted', () => {
    expect(middle(square)).toEqual([1, 1])
    expect(box(shifted(square, 1, -1))).toEqual({ min: [1, -1], max: [3, 1] })
  })
})

describe('words and numbers', () => {
  it('measure', () => {
    expect(measured([1, 1], [1, 3])).toEqual({ metres: 2, degrees: 90 })
    expect(measured([0, 0], [-1, -1]).degrees).toBeCloseTo(225)
  })
  it('name files and times', () => {
    expect(fileName('Waste clean-up!', 12.34)).toBe('waste-clean-up-12.3s.png')
    expect(clock(75.04)).toBe('1:15.0')
    expect(clock(59.97)).toBe('1:00.0')
  })
  it('give noise a range', () => {
    expect(noiseRange([-95, -55.5])).toEqual([-95, -55])
    expect(noiseRange([-90, -90])).toEqual([-90, -84])
    expect(noiseRange([])).toEqual([-100, -90])
    expect(noiseRange([null, -95, null, -55.5])).toEqual([-95, -55])
  })
})
