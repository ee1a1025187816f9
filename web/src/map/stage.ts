// The data that a lane's map draws from, and what the page adds: displayed positions and trails.

import { effect, signal } from '@preact/signals'
import { frames, lanes, newest, pictures } from '../net/store'
import { ItemFlag, type Point, RobotFlag, type Scene } from '../protocol'
import type { Bounds, Camera, Size } from './camera'
import { showAll } from './camera'
import { Motion } from './motion'
import { Trails } from './trails'

export type Stage = { motion: Motion; trails: Trails; epoch: number; tick: number }

const stages: Stage[] = []

export function stage(lane: number): Stage {
  stages[lane] ??= { motion: new Motion(), trails: new Trails(), epoch: -1, tick: -1 }
  return stages[lane]
}

/** Both lanes share one camera. */
export const camera = signal<Camera>({ x: 0, y: 0, scale: 50 })
/** True while the camera shows everything; it then adapts to the size of the window. */
export const fitted = signal(true)
/** True while the camera follows the selected robot. */
export const following = signal(false)
/** Size of one lane's canvas. */
export const size = signal<Size>({ width: 800, height: 500 })

export function bounds(): Bounds {
  return lanes.value[0]?.scene.bounds ?? { min: [0, 0], max: [10, 10] }
}

export function fitAll() {
  following.value = false
  fitted.value = true
  camera.value = showAll(bounds(), size.value)
}

/** Moves the camera manually. */
export function look(next: Camera) {
  fitted.value = false
  camera.value = next
}

/** Processes every frame. */
export function keepStages() {
  effect(() => {
    frames.value
    const lane = newest
    const picture = pictures[lane]
    const scene = lanes.peek()[lane]?.scene
    if (!picture || !scene || picture.epoch !== scene.epoch) return
    const at = stage(lane)
    at.motion.take(picture, performance.now())
    if (at.tick === picture.tick && at.epoch === picture.epoch) {
      // Something changed while the run is paused: no interpolation.
      at.motion.settle()
      return
    }
    at.tick = picture.tick
    at.epoch = picture.epoch
    at.trails.take(picture, scene.tick_s)
  })
  let known: Bounds | null = null
  effect(() => {
    const now = lanes.value[0]?.scene.bounds
    const room = size.value
    if (!now) return
    const other = !known || known.min.join() !== now.min.join() || known.max.join() !== now.max.join()
    known = now
    if (other || fitted.peek()) {
      fitted.value = true
      camera.value = showAll(now, room)
    }
  })
}

/** The picture of a lane, if it belongs to the current scene. */
export function pictureOf(lane: number) {
  const picture = pictures[lane]
  const scene = lanes.value[lane]?.scene
  return picture && scene && picture.epoch === scene.epoch ? picture : null
}

/** True if a robot is in the world. */
export function present(lane: number, robot: number): boolean {
  const picture = pictureOf(lane)
  return !!picture && robot < picture.robots && (picture.robot.flags[robot] & RobotFlag.Present) !== 0
}

/** The displayed position of a robot. */
export function robotPlace(lane: number, robot: number): Point {
  const { motion } = stage(lane)
  return [motion.x[robot], motion.y[robot]]
}

/** The displayed position of an item: that of its holder if it is held. Null if it is absent. */
export function itemPlace(lane: number, item: number): Point | null {
  const picture = pictureOf(lane)
  if (!picture || item >= picture.items || !(picture.item.flags[item] & ItemFlag.Present)) return null
  const holder = picture.item.holder[item] - 1
  if (holder < 0) return [picture.item.x[item] / 1000, picture.item.y[item] / 1000]
  const { motion } = stage(lane)
  const reach = 0.6 * (lanes.value[lane]?.scene.robots[holder]?.radius ?? 0.1)
  return [
    motion.x[holder] + reach * Math.cos(motion.heading[holder]),
    motion.y[holder] + reach * Math.sin(motion.heading[holder]),
  ]
}

/** The task that a robot works on, -1 for none. */
export function taskOf(scene: Scene, robot: number, work: number): number {
  return work > 0 ? (scene.robots[robot]?.behaviours[work - 1]?.task ?? -1) : -1
}

/** What a robot does, as text. */
export function workOf(scene: Scene, robot: number, work: number): string {
  return work > 0 ? (scene.robots[robot]?.behaviours[work - 1]?.name ?? '') : ''
}
