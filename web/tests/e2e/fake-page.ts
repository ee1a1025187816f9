// The page with a server that is played inside it (tests/fake/fake.js): for what the page draws and says.

import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { chromiumBrowser } from './harness'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
const FAKE = fileURLToPath(new URL('../fake/fake.js', import.meta.url))
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
/** As the server says; the page must do with it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export type Options = { robots?: number; items?: number; lanes?: number; physical?: boolean; paused?: boolean }
export type Sent = { id: number; do: string; entry?: Record<string, unknown> } & Record<string, unknown>

export class FakePage {
  /** What went wrong in the page; should stay empty. */
  readonly errors: string[] = []
  private constructor(
    readonly page: Page,
    private readonly server: Server,
  ) {
    page.on('console', (message) => {
      // The tests read pixels, the page does not.
      if (message.text().includes('willReadFrequently')) return
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text())
    })
    page.on('pageerror', (error) => this.errors.push(error.message))
  }

  static async open(options: Options = {}): Promise<FakePage> {
    const server = createServer(async (request, response) => {
      const path = new URL(request.url ?? '/', 'http://here').pathname
      try {
        const body = await readFile(join(DIST, path === '/' ? 'index.html' : path))
        const type = TYPES[extname(path) || '.html'] ?? 'application/octet-stream'
        response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY })
        response.end(body)
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const context = await (await chromiumBrowser()).newContext({ viewport: { width: 1280, height: 720 } })
    const page = await context.newPage()
    const opened = new FakePage(page, server)
    await page.addInitScript(`window.fakeOptions = ${JSON.stringify(options)}`)
    await page.addInitScript({ path: FAKE })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForSelector('canvas[data-lane="0"][data-painted]')
    return opened
  }

  async close() {
    await this.page.context().close()
    this.server.close()
  }

  /** Commands that the page sent, of one kind. */
  sent(kind: string): Promise<Sent[]> {
    return this.page.evaluate(
      (kind) => (window as unknown as { fake: { sent: Sent[] } }).fake.sent.filter((command) => command.do === kind),
      kind,
    )
  }

  /** Where a point of the world (12 m x 8 m) is on the screen while the map shows everything. */
  async at(x: number, y: number, lane = 0): Promise<{ x: number; y: number }> {
    const box = await this.page.locator(`canvas[data-lane="${lane}"]`).boundingBox()
    if (!box) throw new Error('there is no map')
    const scale = Math.min((box.width - 56) / 12, (box.height - 56) / 8)
    return { x: box.x + box.width / 2 + (x - 6) * scale, y: box.y + box.height / 2 - (y - 4) * scale }
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

  /** Pixels of the map, as a short sum: differs when something else is drawn. */
  sum(lane = 0): Promise<number> {
    return this.page.evaluate((lane) => {
      const canvas = document.querySelector<HTMLCanvasElement>(`canvas[data-lane="${lane}"]`)
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let sum = 0
      for (let i = 0; i < data.length; i += 4)
        sum = (sum * 31 + data[i] + 256 * data[i + 1] + 65536 * data[i + 2]) % 1e9
      return sum
    }, lane)
  }

  async settled() {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
}
