// What is at a position.

import { lanes } from '../net/store'
import { ItemFlag, type Point, RobotFlag, type Stocks } from '../protocol'
import { distance, middle } from './shapes'
import { itemPlace, pictureOf, stage, workOf } from './stage'

export type Hit =
  | { kind: 'robot'; index: number }
  | { kind: 'item'; index: number }
  | { kind: 'object'; index: number }
  | { kind: 'area'; index: number }
export type HitKind = Hit['kind']

/** The nearest robot, otherwise item, otherwise object, otherwise area within `slack` metres. */
export function hitAt(lane: number, at: Point, slack: number, kinds: HitKind[]): Hit | null {
  const known = lanes.value[lane]
  const picture = pictureOf(lane)
  if (!known) return null
  const nearest = (kind: HitKind, count: number, far: (index: number) => number): Hit | null => {
    if (!kinds.includes(kind)) return null
    let best = -1
    let least = slack
    for (let i = 0; i < count; i++) {
      const d = far(i)
      if (d <= least && (d < least || best < 0)) {
        best = i
        least = d
      }
    }
    return best < 0 ? null : { kind, index: best }
  }
  const { motion } = stage(lane)
  const robots = picture ? Math.min(picture.robots, motion.x.length) : 0
  const inner = (i: number) => {
    if (!picture || !(picture.robot.flags[i] & RobotFlag.Present)) return Number.POSITIVE_INFINITY
    const d = Math.hypot(motion.x[i] - at[0], motion.y[i] - at[1])
    return Math.max(d - (known.scene.robots[i]?.radius ?? 0.1), d * 1e-3)
  }
  const item = (i: number) => {
    if (!picture || !(picture.item.flags[i] & ItemFlag.Present)) return Number.POSITIVE_INFINITY
    const place = itemPlace(lane, i)
    if (!place) return Number.POSITIVE_INFINITY
    return Math.max(0, Math.hypot(place[0] - at[0], place[1] - at[1]) - known.scene.item_radius)
  }
  const objects = known.things?.objects ?? []
  const areas = known.things?.areas ?? []
  return (
    nearest('robot', robots, inner) ??
    nearest('item', picture?.items ?? 0, item) ??
    lastFirst(nearest('object', objects.length, (i) => distance(objects[i].outline, at))) ??
    nearest('area', areas.length, (i) => (distance(areas[i].outline, at) === 0 ? 0 : Number.POSITIVE_INFINITY))
  )

  /** Of overlapping objects, the latest is on top. */
  function lastFirst(hit: Hit | null): Hit | null {
    if (hit?.kind !== 'object') return hit
    for (let i = objects.length - 1; i > hit.index; i--)
      if (distance(objects[i].outline, at) <= distance(objects[hit.index].outline, at))
        return { kind: 'object', index: i }
    return hit
  }
}

/** Its position. */
export function placeOf(lane: number, hit: Hit): Point | null {
  const known = lanes.value[lane]
  const { motion } = stage(lane)
  switch (hit.kind) {
    case 'robot':
      return [motion.x[hit.index], motion.y[hit.index]]
    case 'item':
      return itemPlace(lane, hit.index)
    case 'object': {
      const object = known?.things?.objects[hit.index]
      return object ? middle(object.outline) : null
    }
    case 'area': {
      const area = known?.things?.areas[hit.index]
      return area ? middle(area.outline) : null
    }
  }
}

/** Its name, and a second line with details. */
export function describe(lane: number, hit: Hit): [string, string] {
  const known = lanes.value[lane]
  const picture = pictureOf(lane)
  if (!known) return ['', '']
  switch (hit.kind) {
    case 'robot':
      return [known.scene.robots[hit.index]?.name ?? '', robotWords(lane, hit.index)]
    case 'item': {
      const kind = known.scene.item_kinds[picture?.item.kind[hit.index] ?? 0] ?? 'item'
      const holder = (picture?.item.holder[hit.index] ?? 0) - 1
      const given = (picture?.item.flags[hit.index] ?? 0) & ItemFlag.Given
      const state = holder >= 0 ? `held by ${known.scene.robots[holder]?.name}` : given ? 'delivered' : 'on the ground'
      return [`${kind} ${hit.index}`, state]
    }
    case 'object': {
      const object = known.things?.objects[hit.index]
      if (!object) return ['', '']
      const words: string[] = []
      if (object.jammer) words.push(object.jammer.on ? `jams with ${object.jammer.power} dBm` : 'jammer, off')
      words.push(...stockWords(object.stocks))
      if (!object.solid && object.penetrability !== 1) words.push(`speed × ${+object.penetrability.toPrecision(3)}`)
      if (object.energy !== 1) words.push(`energy × ${+object.energy.toPrecision(3)}`)
      if (object.passes.length > 0) words.push(`passable for ${object.passes.join(', ')}`)
      if (object.added) words.push('added')
      return [object.name || 'object', words.join(', ') || (object.solid ? 'obstacle' : 'no obstacle')]
    }
    case 'area': {
      const area = known.things?.areas[hit.index]
      if (!area) return ['', '']
      const words = [area.kind]
      words.push(...area.states, ...stockWords(area.stocks))
      if (area.person) words.push('a person is there')
      return [area.name || 'area', words.join(', ')]
    }
  }
}

/** Stocks that are not empty, each with its amount. */
function stockWords(stocks: Stocks): string[] {
  const left = Object.entries(stocks).filter(([, amount]) => amount > 0)
  return left.map(([name, amount]) => `${name} ${+amount.toPrecision(3)}`)
}

/** What a robot does, and its problems. */
export function robotWords(lane: number, robot: number): string {
  const scene = lanes.value[lane]?.scene
  const picture = pictureOf(lane)
  if (!scene || !picture || robot >= picture.robots) return ''
  const flags = picture.robot.flags[robot]
  if (!(flags & RobotFlag.Present)) return 'absent'
  const words = [workOf(scene, robot, picture.robot.work[robot]) || 'idle']
  if (flags & RobotFlag.Holding) words.push('holds something')
  if (flags & RobotFlag.Down) words.push('down')
  if (flags & RobotFlag.Stopped) words.push('stopped')
  if (flags & RobotFlag.Faulty) words.push('faulty')
  if (flags & RobotFlag.TakenOver) words.push('driven by hand')
  const energy = picture.robot.energy[robot]
  if (energy <= 200) words.push(`battery ${Math.round(energy / 2)} %`)
  return words.join(', ')
}
