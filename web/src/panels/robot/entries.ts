// What can be broken on a robot and how, as entries of a scenario's disturbances.

import type { SceneRobot } from '../../protocol'

/** What can go wrong. `severity` says what it means, if it has one. */
export type Harm = { name: string; label: string; severity?: Severity }
export type Severity = { label: string; unit: string; value: number; min: number; max: number; step: number }

export type Part = 'robot' | 'sensor' | 'effector' | 'drive' | 'radio' | 'battery'

const share = (label: string, value = 50, min = 0): Severity => ({ label, unit: '%', value, min, max: 100, step: 5 })

export const PARTS: { name: Part; label: string; harms: Harm[] }[] = [
  {
    name: 'robot',
    label: 'Whole robot',
    harms: [
      { name: 'stop', label: 'dies: still, silent, lets go' },
      { name: 'emergency-stop', label: 'emergency stop pressed' },
      { name: 'crash', label: 'computer crashes and restarts' },
      { name: 'trap', label: 'is walled in' },
      { name: 'robot-removed', label: 'is taken away' },
    ],
  },
  {
    name: 'drive',
    label: 'Drive',
    harms: [
      { name: 'dead', label: 'dead' },
      { name: 'slower', label: 'slower', severity: share('Speed lost') },
      { name: 'pulls', label: 'pulls to one side', severity: share('To the left', 30, -100) },
      { name: 'stuck', label: 'stuck: goes on as it was' },
    ],
  },
  {
    name: 'sensor',
    label: 'Sensor',
    harms: [
      { name: 'dead', label: 'dead' },
      { name: 'stuck', label: 'stuck at its last reading' },
      {
        name: 'biased',
        label: 'biased',
        severity: { label: 'Off by, in its unit', unit: '', value: 0.5, min: -1000, max: 1000, step: 0.1 },
      },
      {
        name: 'noisier',
        label: 'noisier',
        severity: { label: 'Noise added', unit: '%', value: 50, min: 0, max: 1000, step: 5 },
      },
      { name: 'drops-out', label: 'drops out', severity: share('Readings missed') },
    ],
  },
  { name: 'effector', label: 'Gripper or tool', harms: [{ name: 'dead', label: 'dead' }] },
  {
    name: 'radio',
    label: 'Radio',
    harms: [
      { name: 'dead', label: 'dead' },
      { name: 'deaf', label: 'deaf: sends only' },
      { name: 'mute', label: 'mute: hears only' },
      { name: 'lossy', label: 'lossy', severity: share('Messages lost', 80) },
    ],
  },
  {
    name: 'battery',
    label: 'Battery',
    harms: [
      {
        name: 'drains',
        label: 'drains',
        severity: { label: 'Lost per second', unit: '%', value: 2, min: 0, max: 100, step: 0.5 },
      },
    ],
  },
]

/** Tools that can break; the drive has harms of its own. */
export function tools(robot: SceneRobot): string[] {
  return robot.effectors.filter((name) => name !== 'drive')
}

export type Wish = {
  robot: string
  part: Part
  harm: string
  /** Name of the sensor or effector; empty for all sensors. */
  device: string
  severity: number | null
  /** How long it lasts in seconds; null for good. */
  lasts: number | null
}

/** The entry that lets it happen. */
export function breaking(wish: Wish): Record<string, unknown> {
  const { robot, part, harm, device, severity } = wish
  const kind = PARTS.find((one) => one.name === part)?.harms.find((one) => one.name === harm)
  const scale = kind?.severity?.unit === '%' ? 100 : 1
  const worse = kind?.severity && severity !== null ? { severity: severity / scale } : {}
  const lasting = wish.lasts === null ? {} : { for: `${wish.lasts} s` }
  switch (part) {
    case 'robot':
      return { ...lasting, [harm]: robot }
    case 'sensor':
      return { ...lasting, sensor: { robot, ...(device ? { sensor: device } : {}), fault: harm, ...worse } }
    case 'effector':
      return { ...lasting, effector: { robot, effector: device } }
    case 'battery':
      return { ...lasting, battery: { robot, drain: `${(severity ?? 2) / 100} /s` } }
    default:
      return { ...lasting, [part]: { robot, fault: harm, ...worse } }
  }
}

/** The entry that repairs a part, or everything. */
export function repairing(robot: string, part: string): Record<string, unknown> {
  return { repair: part ? { robot, part } : { robot } }
}

/** Names of what can be repaired. */
export function repairable(robot: SceneRobot): string[] {
  return [...new Set(['drive', 'radio', 'stop', 'battery', 'clock', ...robot.sensors, ...tools(robot)])]
}
