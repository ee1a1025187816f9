// Colours that are distinguishable with any colour vision, in both themes.

import { type Theme, theme } from './theme'

// Okabe and Ito's palette; darker on a light background and lighter on a dark one.
const LIGHT = ['#0072b2', '#c44e00', '#00805f', '#a8478a', '#7a6200', '#2b8fc4', '#5b4bb5', '#8c3b3b']
const DARK = ['#56b4e9', '#f0953c', '#27c49a', '#e58fc0', '#f0e442', '#8fd0f5', '#a99bf5', '#e88b80']

export const PALETTE_SIZE = LIGHT.length

function palette(of: Theme): string[] {
  return of === 'dark' ? DARK : LIGHT
}

function pick(i: number): string {
  const colours = palette(theme.value)
  return colours[((i % colours.length) + colours.length) % colours.length]
}

/** Colour of the robot with this index in the scene. */
export function robotColour(i: number): string {
  return pick(i)
}

/** Colour of the task with this index in the scene; -1 for none. */
export function taskColour(i: number): string {
  return i < 0 ? idleColour() : pick(i)
}

/** Colour of a robot without a task. */
export function idleColour(): string {
  return theme.value === 'dark' ? '#8b95a5' : '#6b7482'
}

/** Colour of a link of quality 0..1: from red (bad) over amber to a bluish green (good). */
export function qualityColour(q: number): string {
  return ramp(theme.value === 'dark' ? QUALITY_DARK : QUALITY_LIGHT, q)
}

const QUALITY_LIGHT: Rgb[] = [
  [178, 24, 43],
  [214, 140, 20],
  [0, 128, 95],
]
const QUALITY_DARK: Rgb[] = [
  [240, 90, 110],
  [245, 190, 80],
  [39, 196, 154],
]

export type Rgb = [number, number, number]

/** The colour at 0..1 between the stops. */
export function ramp(stops: Rgb[], at: number): string {
  const [r, g, b] = rampRgb(stops, at)
  return `rgb(${r}, ${g}, ${b})`
}

export function rampRgb(stops: Rgb[], at: number): Rgb {
  const place = Math.min(1, Math.max(0, Number.isFinite(at) ? at : 0)) * (stops.length - 1)
  const low = Math.min(stops.length - 2, Math.floor(place))
  const part = place - low
  return stops[low].map((value, i) => Math.round(value + (stops[low + 1][i] - value) * part)) as Rgb
}
