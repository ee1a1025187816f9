import { describe, expect, it } from 'vitest'
import { pan, roundLength, showAll, toScreen, toWorld, visible, zoomAt } from '../../src/map/camera'
import type { Point } from '../../src/protocol'

const size = { width: 800, height: 400 }
const bounds = { min: [0, 0] as Point, max: [10, 8] as Point }

describe('camera', () => {
  it('goes from the world to the screen and back', () => {
    const camera = { x: 3, y: 2, scale: 40 }
    expect(toScreen(camera, size, [3, 2])).toEqual([400, 200])
    expect(toScreen(camera, size, [4, 3])).toEqual([440, 160])
    const [x, y] = toWorld(camera, size, toScreen(camera, size, [1.25, -7]))
    expect(x).toBeCloseTo(1.25)
    expect(y).toBeCloseTo(-7)
  })

  it('shows everything', () => {
    const seen = visible(showAll(bounds, size), size)
    expect(seen.min[0]).toBeLessThan(0)
    expect(seen.min[1]).toBeLessThan(0)
    expect(seen.max[0]).toBeGreaterThan(10)
    expect(seen.max[1]).toBeGreaterThan(8)
  })

  it('keeps what is under the pointer when it zooms', () => {
    const camera = showAll(bounds, size)
    const at: Point = [500, 180]
    const before = toWorld(camera, size, at)
    const after = toWorld(zoomAt(camera, size, at, 1.7, bounds), size, at)
    expect(after[0]).toBeCloseTo(before[0])
    expect(after[1]).toBeCloseTo(before[1])
  })

  it('does not zoom without end', () => {
    let camera = showAll(bounds, size)
    for (let i = 0; i < 100; i++) camera = zoomAt(camera, size, [400, 200], 2, bounds)
    expect(camera.scale).toBe(2000)
    for (let i = 0; i < 100; i++) camera = zoomAt(camera, size, [400, 200], 0.5, bounds)
    expect(camera.scale).toBeCloseTo(showAll(bounds, size).scale / 3)
  })

  it('moves like paper and does not lose the world', () => {
    const camera = { x: 5, y: 4, scale: 50 }
    expect(pan(camera, 50, 25, bounds)).toEqual({ x: 4, y: 4.5, scale: 50 })
    expect(pan(camera, 1e6, 1e6, bounds)).toEqual({ x: 0, y: 8, scale: 50 })
  })

  it('has round lengths for the scale bar', () => {
    expect(roundLength(50, 110)).toBe(2)
    expect(roundLength(20, 110)).toBe(5)
    expect(roundLength(1000, 110)).toBeCloseTo(0.1)
    expect(roundLength(0.1, 110)).toBe(1000)
  })
})
