// The meaning of colours, as data: the page and saved pictures show the same.

import { detail, lanes } from '../net/store'
import { type Overlay, RobotFlag } from '../protocol'
import { colourBy } from '../ui/colour-by'
import { idleColour, qualityColour, taskColour } from '../ui/colours'
import { layers, selected } from '../ui/selection'
import { theme } from '../ui/theme'
import {
  BLOCKED,
  costColour,
  costRange,
  energyColour,
  energyRange,
  hasEnergy,
  hasTerrain,
  noiseColour,
  noiseRange,
  terrainColour,
} from './draw-ground'
import { inkOf } from './ink'
import { itemColour } from './item-colours'
import { linksLeftOut } from './links'
import { pictureOf } from './stage'

export type LegendEntry =
  | { kind: 'swatch'; text: string; colour: string; shape: 'disc' | 'item'; item?: number }
  | { kind: 'ramp'; text: string; low: string; high: string; colours: string[] }
  | { kind: 'mark'; text: string; mark: 'down' | 'stopped' | 'faulty' | 'taken' }
  | { kind: 'note'; text: string }

function css([r, g, b, a]: [number, number, number, number]): string {
  return `rgba(${r},${g},${b},${(a / 255).toFixed(2)})`
}

/** True if the server sent a layer that is empty. */
function none(list: (overlay: Overlay) => unknown[] | null): boolean {
  const told = lanes.value.flatMap((lane) => (lane?.overlay ? [list(lane.overlay)] : []))
  return told.length > 0 && told.every((each) => each?.length === 0)
}

export function legend(): LegendEntry[] {
  const entries: LegendEntry[] = []
  const known = lanes.value[0]
  if (!known) return entries
  const dark = theme.value === 'dark'
  const shown = layers.value
  if (colourBy.value === 'task') {
    known.scene.tasks.slice(0, 8).forEach((task, i) => {
      entries.push({ kind: 'swatch', text: task.name, colour: taskColour(i), shape: 'disc' })
    })
    entries.push({ kind: 'swatch', text: 'idle', colour: idleColour(), shape: 'disc' })
  }
  known.scene.item_kinds.slice(0, 5).forEach((kind, i) => {
    entries.push({ kind: 'swatch', text: kind, colour: itemColour(i, dark), shape: 'item', item: i })
  })
  let flags = 0
  lanes.value.forEach((_, lane) => {
    const picture = pictureOf(lane)
    for (let i = 0; i < (picture?.robots ?? 0); i++)
      if ((picture?.robot.flags[i] ?? 0) & RobotFlag.Present) flags |= picture?.robot.flags[i] ?? 0
  })
  if (flags & RobotFlag.Down) entries.push({ kind: 'mark', text: 'down', mark: 'down' })
  if (flags & RobotFlag.Stopped) entries.push({ kind: 'mark', text: 'stopped', mark: 'stopped' })
  if (flags & RobotFlag.Faulty) entries.push({ kind: 'mark', text: 'faulty', mark: 'faulty' })
  if (flags & RobotFlag.TakenOver) entries.push({ kind: 'mark', text: 'driven by hand', mark: 'taken' })
  if (shown.links) {
    const colours = [0, 0.25, 0.5, 0.75, 1].map(qualityColour)
    entries.push({ kind: 'ramp', text: 'Link quality', low: '0 %', high: '100 %', colours })
    const out = lanes.value.reduce((sum, lane) => sum + linksLeftOut(lane?.overlay ?? null), 0)
    if (out > 0) entries.push({ kind: 'note', text: `${out} more links are not shown` })
    if (none((overlay) => overlay.links)) entries.push({ kind: 'note', text: 'Radio links: none' })
  }
  if (shown.rays && none((overlay) => overlay.rays)) entries.push({ kind: 'note', text: 'Sensor rays: none' })
  if (shown.plans && none((overlay) => overlay.plans)) entries.push({ kind: 'note', text: 'Plans: none at the moment' })
  if (shown.noise) {
    const noise = known.overlay?.noise
    if (!known.scene.physical)
      entries.push({ kind: 'note', text: `Noise floor: radio "${known.scene.radio}" has none` })
    else if (noise?.dbm.some(Number.isFinite)) {
      const [low, high] = noiseRange(noise.dbm)
      const colours = [0, 0.25, 0.5, 0.75, 1].map((at) => css(noiseColour(at, dark)))
      entries.push({ kind: 'ramp', text: 'Noise floor', low: `${low}`, high: `${high} dBm`, colours })
    } else entries.push({ kind: 'note', text: 'Noise floor: not available yet' })
  }
  if (shown.field) {
    const field = detail.value?.field
    if (!selected.value) entries.push({ kind: 'note', text: 'Cost field: select a robot' })
    else if (!field) entries.push({ kind: 'note', text: 'Cost field: none at the moment' })
    else {
      const range = costRange(field.costs)
      const steps = [0, 0.25, 0.5, 0.75, 1].map((at) => range[0] + at * (range[1] - range[0]))
      const colours = steps.map((cost) => css(costColour(cost, range, dark)))
      const [low, high] = range.map((cost) => String(+cost.toPrecision(3)))
      entries.push({ kind: 'ramp', text: 'Cost', low, high: `${high} or more`, colours })
      const blocked = `rgba(${BLOCKED[dark ? 'dark' : 'light'].join(',')},0.51)`
      entries.push({ kind: 'swatch', text: 'blocked', colour: blocked, shape: 'item', item: 1 })
    }
  }
  if (shown.terrain && hasTerrain(known.scene)) {
    const ground = inkOf(theme.value).ground
    const low = Math.min(...(known.scene.terrain?.factors ?? [1]))
    const high = Math.max(...(known.scene.terrain?.factors ?? [1]))
    const colours = [css(terrainColour(low, dark)), ground, ...(high > 1 ? [css(terrainColour(high, dark))] : [])]
    entries.push({ kind: 'ramp', text: 'Speed on ground', low: `× ${low}`, high: `× ${high}`, colours })
  }
  if (shown.terrain && hasEnergy(known.scene)) {
    const range = energyRange(known.scene.terrain?.energy ?? [])
    const steps = [0, 0.25, 0.5, 0.75, 1].map((at) => range[0] + at * (range[1] - range[0]))
    const colours = steps.map((factor) => css(energyColour(factor, range, dark)))
    const [low, high] = range.map((factor) => `× ${+factor.toPrecision(3)}`)
    entries.push({ kind: 'ramp', text: 'Energy on ground', low, high, colours })
  }
  return entries
}
