// The robots' positions in the last seconds, kept by the page from the frames it received.

import type { Picture } from '../net/frame'
import { RobotFlag } from '../protocol'

/** Length of trails. [s] */
export const TRAIL = 20
/** Number of points of all trails together; with more robots, trails are coarser. */
const POINTS = 12000
/** A longer step was a jump in time, not a drive. [s] */
const GAP = 3

export class Trails {
  /** Positions in metres, one row of all robots per moment; NaN for absent robots. */
  private rows: { tick: number; x: Float32Array; y: Float32Array }[] = []
  private picture: Picture | null = null
  private epoch = -1

  /** Moments, oldest first. */
  get moments() {
    return this.rows
  }

  clear() {
    this.rows = []
  }

  /** Processes a frame. True if a moment was added. */
  take(picture: Picture, tick_s: number): boolean {
    const last = this.rows.at(-1)
    const size = picture.robots
    const passed = last ? (picture.tick - last.tick) * tick_s : 0
    const changed = picture.epoch !== this.epoch || (last && last.x.length !== size)
    const back = last && picture.tick < last.tick
    if (changed || back || passed > GAP || (picture !== this.picture && passed > 1)) this.clear()
    this.picture = picture
    this.epoch = picture.epoch
    const count = Math.max(6, Math.min(60, Math.floor(POINTS / Math.max(1, size))))
    if (this.rows.length > 0 && passed < TRAIL / count) return false
    const x = new Float32Array(size)
    const y = new Float32Array(size)
    for (let i = 0; i < size; i++) {
      const there = picture.robot.flags[i] & RobotFlag.Present
      x[i] = there ? picture.robot.x[i] / 1000 : Number.NaN
      y[i] = there ? picture.robot.y[i] / 1000 : Number.NaN
    }
    this.rows.push({ tick: picture.tick, x, y })
    const oldest = picture.tick - TRAIL / tick_s
    while (this.rows.length > count + 1 || (this.rows.length > 0 && this.rows[0].tick < oldest)) this.rows.shift()
    return true
  }
}
