// The page of a real `crewlab live` for a whole file of tests, with what its websocket was told.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { binary, chromiumBrowser, Server } from './harness'

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))

/** Whether there is a binary that can do it. */
export function available(): boolean {
  try {
    return spawnSync(binary(), ['live', '--help']).status === 0
  } catch {
    return false
  }
}

/** The last message of each kind, of lane 0. */
export type Told = {
  scene: { robots: { name: string }[]; item_kinds: string[]; bounds: { min: number[]; max: number[] } }
  things: { objects: { name: string; outline: unknown; garbage: number; jammer: unknown; added: boolean }[] }
  status: { playing: boolean; time: number }
  deeds: { list: { text: string; at: number; entry: Record<string, unknown> }[] }
  detail: { x: number; y: number; taken_over: boolean; speed: number } | null
  frames: number
}

export class LivePage {
  /** What went wrong in the page; should stay empty. */
  readonly errors: string[] = []
  private constructor(
    readonly page: Page,
    private readonly server: Server,
  ) {
    page.on('console', (message) => {
      if (message.text().includes('willReadFrequently')) return
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text())
    })
    page.on('pageerror', (error) => this.errors.push(error.message))
  }

  static async open(scenario: string, args: string[] = []): Promise<LivePage> {
    const server = await Server.start(scenario, ['--page', DIST, ...args])
    const context = await (await chromiumBrowser()).newContext({ viewport: { width: 1280, height: 720 } })
    const page = await context.newPage()
    const opened = new LivePage(page, server)
    await page.addInitScript(spy)
    await page.goto(server.url)
    await page.waitForSelector('canvas[data-lane="0"][data-painted]')
    return opened
  }

  async close() {
    await this.page.context().close()
    await this.server.stop()
  }

  told(): Promise<Told> {
    return this.page.evaluate(() => (window as unknown as { told: Told }).told)
  }

  /** Waits until what was told fits. */
  async until(fits: (told: Told) => boolean, what: string): Promise<Told> {
    for (let i = 0; i < 100; i++) {
      const told = await this.told()
      if (fits(told)) return told
      await this.page.waitForTimeout(100)
    }
    throw new Error(`it did not happen: ${what}; toasts: ${await this.page.locator('.toasts').textContent()}`)
  }

  /** Where a point of the world is on the screen while the map shows everything. */
  async at(x: number, y: number, lane = 0): Promise<{ x: number; y: number }> {
    const box = await this.page.locator(`canvas[data-lane="${lane}"]`).boundingBox()
    if (!box) throw new Error('there is no map')
    const { min, max } = (await this.told()).scene.bounds
    const scale = Math.min((box.width - 56) / (max[0] - min[0]), (box.height - 56) / (max[1] - min[1]))
    const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
    return { x: box.x + box.width / 2 + (x - middle[0]) * scale, y: box.y + box.height / 2 - (y - middle[1]) * scale }
  }

  async drag(from: [number, number], to: [number, number]) {
    const a = await this.at(...from)
    const b = await this.at(...to)
    await this.page.mouse.move(a.x, a.y)
    await this.page.mouse.down()
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2)
    await this.page.mouse.move(b.x, b.y)
    await this.page.mouse.up()
  }

  async click(x: number, y: number) {
    const at = await this.at(x, y)
    await this.page.mouse.click(at.x, at.y)
  }
}

/** Runs in the page before it: keeps the last message of each kind that its websocket gets. */
function spy() {
  const told: Record<string, unknown> = { detail: null, frames: 0 }
  ;(window as unknown as { told: unknown }).told = told
  const Real = window.WebSocket
  window.WebSocket = class extends Real {
    constructor(address: string | URL) {
      super(address)
      ;(window as unknown as { socket: WebSocket }).socket = this
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') {
          told.frames = (told.frames as number) + 1
          return
        }
        const message = JSON.parse(data) as { type: string; lane?: number }
        if (!message.lane) told[message.type] = message
      })
    }
  }
}
