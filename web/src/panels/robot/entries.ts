// What can be broken on a robot and how, as entries of a scenario's disturbances. The kinds describe it themselves.

import type { Dial, DisturbanceKind, SceneRobot, Way } from '../../protocol'

/** An action on a part: a kind of disturbance and one of its variants. */
export type Harm = { name: string; kind: string; label: string; way: Way }

/** A part of a robot, with all actions on it. */
export type Part = { name: string; label: string; device: 'sensor' | 'effector' | null; whole: boolean; harms: Harm[] }

/** The breakable parts of a robot, the whole robot first. */
export function parts(kinds: DisturbanceKind[], powered: boolean): Part[] {
  const found: Part[] = []
  for (const { name: kind, needs, by_hand: hand } of kinds) {
    if (!hand || (needs.includes('battery') && !powered)) continue
    const harms = hand.ways.map((way) => ({ name: way.fault ?? kind, kind, label: way.label, way }))
    const known = found.find((part) => part.label === hand.part)
    if (known) known.harms.push(...harms)
    else found.push({ name: kind, label: hand.part, device: hand.device, whole: isWhole(hand), harms })
  }
  return [...found.filter((part) => part.whole), ...found.filter((part) => !part.whole)]
}

/** True if the entry is the robot alone. */
function isWhole(hand: NonNullable<DisturbanceKind['by_hand']>): boolean {
  return !hand.device && hand.ways.every((way) => !way.fault && !way.dial)
}

/** Effectors that can break; the drive has its own faults. */
export function tools(robot: SceneRobot): string[] {
  return robot.effectors.filter((name) => name !== 'drive')
}

export type Wish = {
  robot: string
  part: Part
  harm: Harm
  /** Name of the sensor or effector; empty for all sensors. */
  device: string
  /** The severity, as the dial shows it. */
  degree: number | null
  /** The duration in seconds; null if permanent. */
  lasts: number | null
}

/** The value of a dial as in an entry. */
function dialled(dial: Dial, degree: number): number {
  return dial.unit === '%' ? degree / 100 : degree
}

/** The entry that triggers it. */
export function breaking(wish: Wish): Record<string, unknown> {
  const { robot, part, harm, device, degree } = wish
  const lasting = wish.lasts === null ? {} : { for: `${wish.lasts} s` }
  if (part.whole) return { ...lasting, [harm.kind]: robot }
  const keys: Record<string, unknown> = { robot }
  if (part.device && device) keys[part.device] = device
  if (harm.way.fault) keys.fault = harm.way.fault
  if (harm.way.dial) keys[harm.way.dial.key] = dialled(harm.way.dial, degree ?? harm.way.dial.value)
  return { ...lasting, [harm.kind]: keys }
}

/** The entry that repairs a part, or everything. */
export function repairing(robot: string, part: string): Record<string, unknown> {
  return { repair: part ? { robot, part } : { robot } }
}

/** The names of the repairable parts. */
export function repairable(robot: SceneRobot, parts: string[]): string[] {
  return [...new Set([...parts, ...robot.sensors, ...tools(robot)])]
}
