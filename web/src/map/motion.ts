// Displayed positions of robots: interpolated between the last two frames while the run plays, otherwise exact.

import { type Picture, TURN } from '../net/frame'

const LONGEST = 250
/** A robot that moved farther than this did not drive there. [mm] */
const JUMP = 1500

export class Motion {
  /** In metres and radians. */
  x = new Float32Array(0)
  y = new Float32Array(0)
  heading = new Float32Array(0)
  private fromX = new Float32Array(0)
  private fromY = new Float32Array(0)
  private fromHeading = new Float32Array(0)
  private picture: Picture | null = null
  private came = 0
  private took = 0
  private moving = false

  /** Processes a frame. */
  take(picture: Picture, now: number) {
    const fresh = picture !== this.picture
    if (fresh || this.x.length !== picture.robots) {
      this.picture = picture
      this.x = new Float32Array(picture.robots)
      this.y = new Float32Array(picture.robots)
      this.heading = new Float32Array(picture.robots)
      this.fromX = new Float32Array(picture.robots)
      this.fromY = new Float32Array(picture.robots)
      this.fromHeading = new Float32Array(picture.robots)
      this.settle()
    }
    this.fromX.set(this.x)
    this.fromY.set(this.y)
    this.fromHeading.set(this.heading)
    this.took = Math.min(now - this.came, LONGEST)
    this.came = now
    this.moving = true
  }

  /** Moves every robot to its exact position. */
  settle() {
    const picture = this.picture
    if (!picture) return
    const { robot } = picture
    for (let i = 0; i < this.x.length; i++) {
      this.x[i] = robot.x[i] / 1000
      this.y[i] = robot.y[i] / 1000
      this.heading[i] = (robot.heading[i] / TURN) * 2 * Math.PI
    }
    this.moving = false
  }

  /** Moves robots to their displayed positions at this time; `smooth` while the run plays. True if they still move. */
  show(now: number, smooth: boolean): boolean {
    if (!this.moving || !this.picture) return false
    const part = this.took > 0 ? (now - this.came) / this.took : 1
    if (!smooth || part >= 1) {
      this.settle()
      return false
    }
    const { robot } = this.picture
    for (let i = 0; i < this.x.length; i++) {
      const x = robot.x[i] / 1000
      const y = robot.y[i] / 1000
      const heading = (robot.heading[i] / TURN) * 2 * Math.PI
      const dx = x - this.fromX[i]
      const dy = y - this.fromY[i]
      if (Math.abs(dx) + Math.abs(dy) > JUMP / 1000) {
        this.x[i] = x
        this.y[i] = y
        this.heading[i] = heading
        continue
      }
      this.x[i] = this.fromX[i] + dx * part
      this.y[i] = this.fromY[i] + dy * part
      this.heading[i] = this.fromHeading[i] + turnBetween(this.fromHeading[i], heading) * part
    }
    return true
  }
}

/** The shorter turn from one heading to another, -pi..pi. */
export function turnBetween(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI)
  if (turn > Math.PI) return turn - 2 * Math.PI
  if (turn < -Math.PI) return turn + 2 * Math.PI
  return turn
}
