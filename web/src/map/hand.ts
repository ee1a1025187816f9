// Driving a robot by hand: arrow keys or WASD, sent to the server whenever the pressed keys change.

import { effect, signal } from '@preact/signals'
import { connected, frames, lanes, pictures, send } from '../net/store'
import { RobotFlag } from '../protocol'
import { keyName, ownsKey, windowOpen } from '../ui/keys'
import { notify } from '../ui/notify'

export type Driven = { lane: number; robot: number; name: string }

/** The robot that is driven from this page, or null. */
export const driven = signal<Driven | null>(null)
/** The current speed and turn, -1..1 each. */
export const drive = signal<{ speed: number; turn: number }>({ speed: 0, turn: 0 })

const held = new Set<string>()
/** True once the server has confirmed the take-over. */
let seen = false

/** Number of attempts to release a robot, and the pause between them. [ms] */
const TRIES = 40
const AGAIN = 500

const FORWARD = ['up', 'w']
const BACK = ['down', 's']
const LEFT = ['left', 'a']
const RIGHT = ['right', 'd']
const ALL = [...FORWARD, ...BACK, ...LEFT, ...RIGHT]

/** Speed and turn for the pressed keys; opposite keys cancel each other. */
export function driveOf(keys: Iterable<string>): { speed: number; turn: number } {
  const down = new Set(keys)
  const any = (names: string[]) => (names.some((name) => down.has(name)) ? 1 : 0)
  return { speed: any(FORWARD) - any(BACK), turn: any(LEFT) - any(RIGHT) }
}

export function takeOver(lane: number, robot: number) {
  const name = lanes.value[lane]?.scene.robots[robot]?.name
  if (name === undefined) return
  if (driven.value?.name === name) return
  release()
  held.clear()
  seen = false
  drive.value = { speed: 0, turn: 0 }
  driven.value = { lane, robot, name }
  tell()
}

export function release() {
  const at = driven.value
  if (!at) return
  driven.value = null
  held.clear()
  drive.value = { speed: 0, turn: 0 }
  giveBack(at.name)
}

/** The server may be busy for a while; when the page is closed, it releases the robot by itself. */
function giveBack(name: string, tries = TRIES) {
  if (!connected.value) return
  send({ do: 'disturb', entry: { release: name } }).catch((error: Error) => {
    if (tries > 0) setTimeout(() => giveBack(name, tries - 1), AGAIN)
    else notify(`Cannot release ${name}: ${error.message}`, 'error')
  })
}

function tell() {
  const at = driven.value
  if (!at) return
  const entry = { 'take-over': { robot: at.name, ...drive.value } }
  send({ do: 'disturb', entry }).catch((error: Error) => {
    notify(error.message, 'error')
    if (driven.value === at) release()
  })
}

function keysChanged() {
  const next = driveOf(held)
  if (next.speed === drive.value.speed && next.turn === drive.value.turn) return
  drive.value = next
  tell()
}

function onDown(event: KeyboardEvent) {
  if (!driven.value || event.ctrlKey || event.metaKey || event.altKey) return
  const name = keyName(event).toLowerCase()
  if (name === 'escape' && !windowOpen()) {
    event.preventDefault()
    release()
    return
  }
  if (!ALL.includes(name) || ownsKey(event.target, name) || windowOpen()) return
  event.preventDefault()
  held.add(name)
  keysChanged()
}

function onUp(event: KeyboardEvent) {
  if (!driven.value) return
  if (held.delete(keyName(event).toLowerCase())) keysChanged()
}

function letGo() {
  if (!driven.value) return
  held.clear()
  keysChanged()
}

/** Listens while the page is open. */
export function keepHand() {
  addEventListener('keydown', onDown, true)
  addEventListener('keyup', onUp, true)
  addEventListener('blur', letGo)
  addEventListener('pagehide', release)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) letGo()
  })
  effect(() => {
    const at = driven.peek()
    if (connected.value || !at) return
    driven.value = null
    held.clear()
    notify(`Connection lost: ${at.name} is no longer driven from this page.`, 'error')
  })
  // Somebody else may release it, or the run may go back to an earlier time.
  effect(() => {
    frames.value
    const at = driven.peek()
    if (!at) return
    const scene = lanes.peek()[at.lane]?.scene
    const picture = pictures[at.lane]
    if (scene?.robots[at.robot]?.name !== at.name) {
      driven.value = null
      return
    }
    const taken = picture && at.robot < picture.robots && picture.robot.flags[at.robot] & RobotFlag.TakenOver
    if (taken) seen = true
    else if (seen) {
      driven.value = null
      held.clear()
      notify(`${at.name} is no longer driven from this page.`, 'info')
    }
  })
}
