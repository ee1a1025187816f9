// The ground: border, grid, terrain, and grids of numbers as coloured cells.

import type { Point, Scene } from '../protocol'
import { type Rgb, rampRgb } from '../ui/colours'
import { roundLength, toScreen, visible } from './camera'
import { FONT, type Look, write } from './look'

type Rgba = [number, number, number, number]
export type Grid = { origin: Point; columns: number; rows: number; cell: number }

export function drawGround(look: Look) {
  const { ctx, ink, size, scene, camera } = look
  ctx.fillStyle = ink.outside
  // Canvases have whole pixels: the remainder of the last ones must not show through.
  ctx.fillRect(0, 0, Math.ceil(size.width), Math.ceil(size.height))
  const [x0, y1] = toScreen(camera, size, scene.bounds.min)
  const [x1, y0] = toScreen(camera, size, scene.bounds.max)
  ctx.fillStyle = ink.ground
  ctx.fillRect(x0, y0, x1 - x0, y1 - y0)
  ctx.save()
  clipToWorld(look)
  drawGrid(look)
  ctx.restore()
}

/** Clips further drawing to the world; grids of cells may be larger. */
export function clipToWorld({ ctx, size, scene, camera }: Look) {
  const [x0, y1] = toScreen(camera, size, scene.bounds.min)
  const [x1, y0] = toScreen(camera, size, scene.bounds.max)
  ctx.beginPath()
  ctx.rect(x0, y0, x1 - x0, y1 - y0)
  ctx.clip()
}

export function drawBorder(look: Look) {
  const { ctx, ink, size, scene, camera } = look
  const [x0, y1] = toScreen(camera, size, scene.bounds.min)
  const [x1, y0] = toScreen(camera, size, scene.bounds.max)
  ctx.strokeStyle = ink.border
  ctx.lineWidth = 2
  ctx.strokeRect(x0 - 1, y0 - 1, x1 - x0 + 2, y1 - y0 + 2)
}

function drawGrid({ ctx, ink, size, camera }: Look) {
  const step = roundLength(camera.scale, 90)
  const seen = visible(camera, size)
  ctx.strokeStyle = ink.grid
  ctx.lineWidth = 1
  ctx.beginPath()
  for (let x = Math.ceil(seen.min[0] / step) * step; x <= seen.max[0]; x += step) {
    const [sx] = toScreen(camera, size, [x, 0])
    ctx.moveTo(Math.round(sx) + 0.5, 0)
    ctx.lineTo(Math.round(sx) + 0.5, size.height)
  }
  for (let y = Math.ceil(seen.min[1] / step) * step; y <= seen.max[1]; y += step) {
    const [, sy] = toScreen(camera, size, [0, y])
    ctx.moveTo(0, Math.round(sy) + 0.5)
    ctx.lineTo(size.width, Math.round(sy) + 0.5)
  }
  ctx.stroke()
}

export function drawScaleBar(look: Look) {
  const { ctx, ink, size, camera } = look
  const length = roundLength(camera.scale, 110)
  const width = length * camera.scale
  const x = 12
  const y = size.height - 12
  ctx.lineWidth = 5
  ctx.strokeStyle = ink.halo
  bar()
  ctx.lineWidth = 2
  ctx.strokeStyle = ink.text
  bar()
  ctx.font = `11px ${FONT}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  write(look, lengthText(length), x + 5, y - 3, ink.text)

  function bar() {
    ctx.beginPath()
    ctx.moveTo(x, y - 6)
    ctx.lineTo(x, y)
    ctx.lineTo(x + width, y)
    ctx.lineTo(x + width, y - 6)
    ctx.stroke()
  }
}

export function lengthText(length: number): string {
  if (length >= 1000) return `${+(length / 1000).toPrecision(3)} km`
  if (length >= 1) return `${+length.toPrecision(3)} m`
  return `${+(length * 100).toPrecision(3)} cm`
}

type Painted = { source: unknown; dark: boolean; image: HTMLCanvasElement }
const painted = new Map<string, Painted>()

/** Cells of a grid, each in its colour; cached as an image until the numbers change. */
export function drawCells(
  look: Look,
  name: string,
  grid: Grid,
  source: unknown,
  colour: (index: number) => [number, number, number, number],
  smooth: boolean,
) {
  if (grid.columns < 1 || grid.rows < 1) return
  const key = `${look.lane} ${name}`
  let kept = painted.get(key)
  if (kept?.source !== source || kept?.dark !== look.dark) {
    const image = document.createElement('canvas')
    image.width = grid.columns
    image.height = grid.rows
    const to = image.getContext('2d')
    if (!to) return
    const data = to.createImageData(grid.columns, grid.rows)
    for (let row = 0; row < grid.rows; row++)
      for (let column = 0; column < grid.columns; column++) {
        const at = ((grid.rows - 1 - row) * grid.columns + column) * 4
        data.data.set(colour(row * grid.columns + column), at)
      }
    to.putImageData(data, 0, 0)
    kept = { source, dark: look.dark, image }
    painted.set(key, kept)
  }
  const { ctx, camera, size } = look
  const [x, y] = toScreen(camera, size, [grid.origin[0], grid.origin[1] + grid.rows * grid.cell])
  ctx.imageSmoothingEnabled = smooth
  ctx.drawImage(kept.image, x, y, grid.columns * grid.cell * camera.scale, grid.rows * grid.cell * camera.scale)
  ctx.imageSmoothingEnabled = true
}

const SLOW: Record<'light' | 'dark', Rgb> = { light: [176, 130, 60], dark: [150, 110, 50] }
const FAST: Record<'light' | 'dark', Rgb> = { light: [70, 150, 190], dark: [60, 130, 170] }

/** The colour of ground with this factor on speed. */
export function terrainColour(factor: number, dark: boolean): [number, number, number, number] {
  const theme = dark ? 'dark' : 'light'
  if (factor < 1) return [...SLOW[theme], Math.round(40 + 150 * (1 - Math.max(0, factor)))]
  if (factor > 1) return [...FAST[theme], Math.round(40 + 110 * Math.min(1, factor - 1))]
  return [0, 0, 0, 0]
}

const HARD: Record<'light' | 'dark', Rgb> = { light: [70, 52, 30], dark: [0, 0, 0] }
const EASY: Record<'light' | 'dark', Rgb> = { light: [120, 190, 90], dark: [90, 150, 70] }

/** The factors on energy between which colours differ: 1 is in between. */
export function energyRange(energy: number[]): [number, number] {
  return energy.reduce(([low, high], factor) => [Math.min(low, factor), Math.max(high, factor)], [1, 1])
}

/** The colour of ground with this factor on energy: the harder, the darker. */
export function energyColour(factor: number, [low, high]: [number, number], dark: boolean): Rgba {
  const theme = dark ? 'dark' : 'light'
  if (factor > 1) return [...HARD[theme], Math.round(20 + 150 * Math.min(1, (factor - 1) / (high - 1 || 1)))]
  if (factor < 1) return [...EASY[theme], Math.round(20 + 90 * Math.min(1, (1 - factor) / (1 - low || 1)))]
  return [0, 0, 0, 0]
}

export function drawTerrain(look: Look) {
  const terrain = look.scene.terrain
  if (!terrain) return
  look.ctx.save()
  clipToWorld(look)
  if (terrain.energy.length > 0) {
    const range = energyRange(terrain.energy)
    const colour = (i: number) => energyColour(terrain.energy[i] ?? 1, range, look.dark)
    drawCells(look, 'energy', terrain, terrain, colour, false)
  }
  drawCells(look, 'terrain', terrain, terrain, (i) => terrainColour(terrain.factors[i], look.dark), false)
  look.ctx.restore()
}

export function hasTerrain(scene: Scene): boolean {
  return !!scene.terrain?.factors.some((factor) => factor !== 1)
}

export function hasEnergy(scene: Scene): boolean {
  return !!scene.terrain?.energy.some((factor) => factor !== 1)
}

// Dark blue through teal to yellow, as in viridis.
const NOISE: Rgb[] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]

/** The range of levels that the colours cover, at least 6 dB. Levels may be unknown yet. */
export function noiseRange(dbm: (number | null)[]): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const level of dbm)
    if (level !== null && Number.isFinite(level)) {
      low = Math.min(low, level)
      high = Math.max(high, level)
    }
  if (low > high) return [-100, -90]
  return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 6)]
}

/** The colour of a level at 0..1 of the range; quiet places are almost transparent. What is louder stands out from the ground: darker
 *  on a light one. */
export function noiseColour(part: number, dark: boolean): [number, number, number, number] {
  return [...rampRgb(NOISE, dark ? part : 1 - part), Math.round(35 + 150 * Math.sqrt(Math.min(1, Math.max(0, part))))]
}

export function drawNoise(look: Look) {
  const noise = look.overlay?.noise
  if (!noise) return
  const [low, high] = noiseRange(noise.dbm)
  const colour = (i: number): [number, number, number, number] => {
    const level = noise.dbm[i]
    return level !== null && Number.isFinite(level)
      ? noiseColour((level - low) / (high - low), look.dark)
      : [0, 0, 0, 0]
  }
  look.ctx.save()
  clipToWorld(look)
  drawCells(look, 'noise', noise, noise, colour, true)
  look.ctx.restore()
}

/** Above this share of the costs, colours do not differ: a few places that are impossible must not hide all others. */
const USUAL = 0.95

/** The costs between which colours differ: 0 is in between, and costs below it attract. */
export function costRange(costs: (number | null)[]): [number, number] {
  const known = costs.filter((cost): cost is number => cost !== null && Number.isFinite(cost)).sort((a, b) => a - b)
  const high = known[Math.floor(USUAL * (known.length - 1))] ?? 0
  const low = Math.min(0, known[0] ?? 0)
  // With few costs above 0, all of them count.
  return [low, high > 0 ? high : Math.max(0, known.at(-1) ?? 0)]
}

/** The colour of a cost. */
export function costColour(cost: number, [low, high]: [number, number], dark: boolean): Rgba {
  const theme = dark ? 'dark' : 'light'
  const alpha = (share: number) => Math.round(170 * Math.sqrt(Math.min(1, Math.max(0, share))))
  // Attraction reaches far: what is cheapest must stand out.
  if (cost < 0) return [...ATTRACTS[theme], alpha((low < 0 ? cost / low : 0) ** 6)]
  return [...COST[theme], alpha(high > 0 ? cost / high : 0)]
}

export const COST: Record<'light' | 'dark', Rgb> = { light: [214, 96, 20], dark: [255, 150, 70] }

export const ATTRACTS: Record<'light' | 'dark', Rgb> = { light: [0, 110, 190], dark: [80, 170, 250] }

export const BLOCKED: Record<'light' | 'dark', Rgb> = { light: [150, 10, 50], dark: [235, 60, 90] }

export function drawField(look: Look) {
  const field = look.detail?.field
  if (!field) return
  const range = costRange(field.costs)
  const blocked = BLOCKED[look.dark ? 'dark' : 'light']
  const colour = (i: number): [number, number, number, number] => {
    const cost = field.costs[i]
    if (cost === null || cost === undefined) return [...blocked, 130]
    return costColour(cost, range, look.dark)
  }
  drawCells(look, 'field', field, field, colour, false)
  const { ctx, camera, size, ink } = look
  const [x, y] = toScreen(camera, size, [field.origin[0], field.origin[1] + field.rows * field.cell])
  ctx.strokeStyle = ink.faint
  ctx.lineWidth = 1
  ctx.setLineDash([3, 3])
  ctx.strokeRect(x, y, field.columns * field.cell * camera.scale, field.rows * field.cell * camera.scale)
  ctx.setLineDash([])
}
