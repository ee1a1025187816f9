// What robots draw on the layers of their mission, and the colours of the ground.

import { describe, expect, it } from 'vitest'
import { costColour, costRange, energyColour, energyRange, noiseColour } from '../../src/map/draw-ground'
import { attached, chosenSketches, coneCorners } from '../../src/map/sketches'
import type { SceneLayer, Sketch } from '../../src/protocol'

const layer = (name: string, about: SceneLayer['about']): SceneLayer => ({
  name,
  title: name,
  summary: '',
  about,
  shown: true,
})
const LAYERS = [layer('circles', 'robot'), layer('effects', 'world')]
const sketch = (layer: number, robot: number | null, x: number): Sketch => ({
  layer,
  robot,
  at: null,
  marks: [['circle', 1, x, 0, 5]],
})

describe('sketches', () => {
  const overlay = { sketches: [sketch(0, 0, 1), sketch(0, 1, 2), sketch(1, null, 3)] }
  const detail = { robot: 1, sketches: [sketch(0, 1, 4), sketch(1, 1, 5)] }
  const places = (list: Sketch[]) => list.map((one) => one.marks[0][2])
  it('of all robots are drawn if none is selected', () => {
    expect(places(chosenSketches(LAYERS, [true, true], overlay, null))).toEqual([1, 2, 3])
  })
  it('are the selected robot’s own, and about the world only what it believes', () => {
    expect(places(chosenSketches(LAYERS, [true, true], overlay, detail))).toEqual([1, 4, 5])
  })
  it('are drawn only if their layer is shown and known', () => {
    expect(places(chosenSketches(LAYERS, [false, true], overlay, detail))).toEqual([5])
    expect(chosenSketches(LAYERS, [false, false], overlay, detail)).toEqual([])
    expect(chosenSketches([], [true, true], overlay, detail)).toEqual([])
    expect(chosenSketches(LAYERS, [true, true], null, null)).toEqual([])
  })
  it('move with their robot as far as they are attached to it', () => {
    expect(attached(['circle', 1, 10, 20, 5], [1, -2])).toEqual(['circle', 1, 11, 18, 5])
    expect(attached(['cone', 1, 10, 20, 30, 40, 5], [1, -2])).toEqual(['cone', 1, 11, 18, 30, 40, 5])
    expect(attached(['disc', 1, 10, 20, 5], [1, -2])).toEqual(['disc', 1, 10, 20, 5])
  })
})

describe('cones', () => {
  it('touch their disc', () => {
    const corners = coneCorners([0, 0], [10, 0], 6)
    expect(corners).not.toBeNull()
    for (const [x, y] of corners ?? []) {
      expect(Math.hypot(x - 10, y)).toBeCloseTo(6)
      // A tangent is at right angles to the radius.
      expect(x * (x - 10) + y * y).toBeCloseTo(0)
    }
  })
  it('have no corners if the tip is in the disc', () => {
    expect(coneCorners([0, 0], [3, 0], 6)).toBeNull()
    expect(coneCorners([0, 0], [0, 0], 6)).toBeNull()
  })
})

describe('colours of the ground', () => {
  const alpha = (colour: number[]) => colour[3]
  it('are darker where driving takes more energy', () => {
    const range = energyRange([1, 4, 0.5, 36])
    expect(range).toEqual([0.5, 36])
    expect(alpha(energyColour(1, range, false))).toBe(0)
    expect(alpha(energyColour(36, range, false))).toBeGreaterThan(alpha(energyColour(4, range, false)))
    expect(energyRange([])).toEqual([1, 1])
  })
  it('tell costs that attract from others, whatever a few places cost', () => {
    const costs = Array.from({ length: 99 }, (_, i) => i - 50)
    const range = costRange([...costs, 1000, null])
    expect(range[0]).toBe(-50)
    expect(range[1]).toBeLessThan(50)
    expect(costColour(-50, range, false).slice(0, 3)).not.toEqual(costColour(48, range, false).slice(0, 3))
    expect(alpha(costColour(1000, range, false))).toBe(170)
    expect(alpha(costColour(0, range, false))).toBe(0)
    expect(costRange([null])).toEqual([0, 0])
    expect(costRange([0, 0, 0, 7])).toEqual([0, 7])
  })
  it('are darker where it is louder, on a light ground', () => {
    const light = (part: number) =>
      noiseColour(part, false)
        .slice(0, 3)
        .reduce((sum, value) => sum + value, 0)
    expect(light(1)).toBeLessThan(light(0.2))
  })
})
