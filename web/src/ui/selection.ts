// The user's selection: the robot, and the layers.

import { computed, effect, signal } from '@preact/signals'
import { connected, lanes, watch, watched } from '../net/store'
import type { Layer, SceneLayer } from '../protocol'
import { recall, remember } from './storage'

/** The selected robot, or null. */
export const selected = watched

export const LAYERS = [
  { name: 'trails', label: 'Trails', tip: 'Where robots were in the last seconds' },
  { name: 'rays', label: 'Sensor rays', tip: 'Beams of range sensors' },
  { name: 'links', label: 'Radio links', tip: 'Who hears whom, coloured by quality' },
  { name: 'plans', label: 'Plans', tip: 'Where robots intend to drive' },
  { name: 'terrain', label: 'Terrain', tip: 'Ground that slows robots or takes more energy: the harder, the darker' },
  { name: 'noise', label: 'Noise floor', tip: 'Radio noise over the ground, in dBm' },
  { name: 'field', label: 'Cost field', tip: 'What the steering of the selected robot avoids' },
  { name: 'labels', label: 'Task labels', tip: 'What each robot does' },
  { name: 'ids', label: 'Names', tip: 'Names of robots, objects and areas' },
] as const

export type LayerName = (typeof LAYERS)[number]['name']

const FIRST: Record<LayerName, boolean> = {
  trails: true,
  rays: false,
  links: false,
  plans: false,
  terrain: true,
  noise: false,
  field: false,
  labels: false,
  ids: true,
}

/** Which layers are shown. */
export const layers = signal<Record<LayerName, boolean>>(recalled())

function recalled(): Record<LayerName, boolean> {
  const result = { ...FIRST }
  try {
    const kept = JSON.parse(recall('layers') ?? '{}') as Record<string, unknown>
    for (const { name } of LAYERS) if (typeof kept?.[name] === 'boolean') result[name] = kept[name] as boolean
  } catch {
    // not readable: use the defaults
  }
  return result
}

export function setLayer(name: LayerName, shown: boolean) {
  layers.value = { ...layers.value, [name]: shown }
  remember('layers', JSON.stringify(layers.value))
  watch(watched.value, asked())
}

const NO_LAYERS: SceneLayer[] = []

/** Which layers of missions somebody has shown or hidden, by name. */
const chosen = signal<Record<string, boolean>>(recalledNames())

function recalledNames(): Record<string, boolean> {
  try {
    const kept = Object.entries(JSON.parse(recall('sketches') ?? '{}') as Record<string, unknown>)
    return Object.fromEntries(kept.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))
  } catch {
    return {}
  }
}

/** The layers of the mission, in the order of the scene, and whether each is shown. */
export const sketches = computed(() =>
  (lanes.value[0]?.scene.layers ?? NO_LAYERS).map((layer) => ({
    ...layer,
    on: chosen.value[layer.name] ?? layer.shown,
  })),
)

export function setSketch(name: string, shown: boolean) {
  chosen.value = { ...chosen.value, [name]: shown }
  remember('sketches', JSON.stringify(chosen.value))
  watch(watched.value, asked())
}

export function toggleLayer(name: LayerName) {
  setLayer(name, !layers.value[name])
}

/** Selects a robot of a lane, or none. */
export function select(lane: number, robot: number | null) {
  if (robot === null) {
    if (watched.value) watch(null, asked())
    return
  }
  if (watched.value?.lane === lane && watched.value.robot === robot) return
  watch({ lane, robot }, asked())
}

const SERVED = ['links', 'plans', 'rays', 'noise', 'field'] as const

/** True while somebody looks at the team's plan. */
let stacks = false

/** Begins or ends to ask where robots stand in the team's plan. */
export function showStacks(shown: boolean) {
  stacks = shown
  watch(watched.value, asked())
}

/** The visible layers that the server has to compute. */
function asked(): Layer[] {
  const mission = sketches.value.flatMap((layer, sketch) => (layer.on ? [{ sketch }] : []))
  return [...SERVED.filter((name) => layers.value[name]), ...(stacks ? (['stacks'] as const) : []), ...mission]
}

/** Tells the server what is watched, and drops robots that no longer exist. */
export function keepWatch() {
  const seen = computed(() => (connected.value ? lanes.value.map((lane) => lane?.scene.epoch).join() : ''))
  effect(() => {
    if (seen.value) queueMicrotask(() => watch(watched.value, asked()))
  })
  effect(() => {
    const at = watched.value
    if (!at || lanes.value.length === 0) return
    const lane = lanes.value[at.lane]
    if (!lane || at.robot >= lane.scene.robots.length) queueMicrotask(() => select(0, null))
  })
}
