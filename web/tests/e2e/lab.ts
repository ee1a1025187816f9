// A real laboratory for tests: `crewlab live` on a free port, and its page in Debian's Chromium.
//
//   const lab = laboratory('waste-cleanup', ['--paused'])          // for a whole `describe`
//   const lab = await open('waste-cleanup', ['--speed', '8'])      // for one test
//   await lab.page.getByRole('button', { name: 'Pause' }).click()
//
// Both close automatically. Any error on a page's console fails the tests, unless it was announced before
// (`lab.allow`). The server's messages are available as well (`lab.told`): to wait for something, and to know where
// things are; but tests should check what the page shows.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { Deed, Detail, Scene, Status, Things } from '../../src/protocol'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** The page as last built. */
const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]
/** Timeout for something that is immediate on a quiet machine. [ms] */
export const PATIENCE = 20_000

/** Chromium, started once per file of tests. */
let browser: Promise<Browser> | null = null
export function chromiumBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS })
  return browser
}
afterAll(async () => {
  await (await browser)?.close()
  browser = null
})

/** The binary: $CREWLAB, or the last build. */
export function binary(): string {
  if (process.env.CREWLAB) return resolve(process.env.CREWLAB)
  const built = ['release', 'debug']
    .map((kind) => join(ROOT, 'target', kind, 'crewlab'))
    .filter((file) => existsSync(file))
  built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (!built[0]) throw new Error('there is no crewlab to test: `cargo build` makes one')
  return built[0]
}

/** A running `crewlab live`. */
export class Server {
  /** Its output, line by line. */
  readonly lines: string[] = []
  private constructor(
    readonly process: ChildProcess,
    /** Its working directory; removed at the end. */
    readonly folder: string,
  ) {}

  /** The address of the page. */
  get url(): string {
    return this.lines[0] ?? ''
  }

  static async start(scenario: string, args: string[] = []): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), 'crewlab-e2e-'))
    const child = spawn(binary(), ['live', scenario, '--port', '0', '--no-open', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const server = new Server(child, folder)
    let complaint = ''
    child.stderr.on('data', (text) => {
      complaint += text
    })
    await new Promise<void>((ready, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`crewlab live ended with ${code}: ${complaint}`)))
      createInterface(child.stdout).on('line', (line) => {
        server.lines.push(line)
        ready()
      })
    })
    return server
  }

  /** Stops it as Ctrl-C does; returns its exit code. */
  async stop(): Promise<number | null> {
    const { process: child } = this
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000)
      child.kill('SIGINT')
      await ended
      clearTimeout(impatient)
    }
    rmSync(this.folder, { recursive: true, force: true })
    return child.exitCode
  }
}

/** The last message of each kind, of lane 0. */
export type Told = {
  scene: Scene
  things: Things
  status: Status
  deeds: { list: (Omit<Deed, 'entry'> & { entry: Record<string, unknown> })[] }
  detail: Detail | null
}

/** A laboratory with one or more viewers. */
export class Lab {
  server!: Server
  /** The first viewer. */
  page!: Page
  private readonly problems: string[] = []
  private readonly allowed: RegExp[] = [/willReadFrequently/]
  private closed = false
  constructor(
    private readonly scenario: string,
    private readonly args: string[],
  ) {}

  async start() {
    this.server = await Server.start(this.scenario, ['--page', DIST, ...this.args])
    this.page = await this.another()
  }

  get url(): string {
    return this.server.url
  }

  /** Another viewer, which shares only the laboratory with the others. */
  async another(viewport = { width: 1280, height: 720 }): Promise<Page> {
    const context = await (await chromiumBrowser()).newContext({ viewport, acceptDownloads: true })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.problems.push(`page: ${error.message}`))
    page.on('response', (response) => {
      if (response.status() >= 400) this.problems.push(`${response.status()} for ${response.url()}`)
    })
    page.on('requestfailed', (request) => {
      this.problems.push(`${request.failure()?.errorText} for ${request.url()}`)
    })
    await page.addInitScript(spy)
    await page.goto(this.url)
    await painted(page)
    return page
  }

  /** Announces an expected error message on the page's console. */
  allow(pattern: RegExp) {
    this.allowed.push(pattern)
  }

  /** Errors on the pages' consoles that were not announced. */
  complaints(): string[] {
    return this.problems.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)))
  }

  async close() {
    if (this.closed || !this.server) return
    this.closed = true
    // Read now, because pages report errors when their server stops.
    const complaints = this.complaints()
    for (const context of (await chromiumBrowser()).contexts()) await context.close()
    await this.server.stop()
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`)
  }

  told(): Promise<Told> {
    return this.page.evaluate(() => (window as unknown as { told: Told }).told)
  }

  async status(): Promise<Status> {
    return (await this.told()).status
  }

  async entries(): Promise<Record<string, unknown>[]> {
    return (await this.told()).deeds.list.map(({ entry }) => entry)
  }

  /** Waits until the server's messages meet a condition. */
  async until(what: string, fits: (told: Told) => boolean): Promise<Told> {
    const late = Date.now() + PATIENCE
    for (;;) {
      const told = await this.told()
      if (fits(told)) return told
      if (Date.now() > late)
        throw new Error(`it did not happen: ${what}; ${await this.toasts()} ${JSON.stringify(told.status)}`)
      await this.page.waitForTimeout(50)
    }
  }

  /** Waits until the status meets a condition and the run is not moving to another moment. */
  async untilStatus(what: string, fits: (status: Status) => boolean): Promise<Status> {
    return (await this.until(what, ({ status }) => status.busy === null && fits(status))).status
  }

  /** The text of the messages to the user. */
  toasts(): Promise<string | null> {
    return this.page.locator('.toasts').textContent()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** Computes the run up to a time, fast, and stops shortly after it. */
  async runTo(time: number, speed = '100') {
    await this.page.getByLabel('Speed', { exact: true }).selectOption(speed)
    await this.button('Play').click()
    await this.until(`the run is at ${time} s`, ({ status }) => status.time >= time)
    await this.button('Pause').click()
    await this.until('it stands still', ({ status }) => !status.playing)
    await this.button('Play').waitFor()
  }

  slider(): Locator {
    return this.page.getByRole('slider', { name: 'Time shown' })
  }

  /** Goes to a moment with the mouse. */
  async seek(time: number): Promise<Told> {
    const { end } = await this.status()
    expect(time).toBeLessThanOrEqual(end)
    const share = await this.page
      .locator('.bar-done')
      .evaluate((done) => Number.parseFloat((done as HTMLElement).style.width) / 100)
    const box = await this.slider().boundingBox()
    if (!box) throw new Error('there is no time bar')
    const all = end / share
    await this.page.mouse.click(box.x + (time / all) * box.width, box.y + 20)
    return this.until(`the moment ${time} s is shown`, ({ status }) => Math.abs(status.time - time) < all / 100)
  }

  tab(name: string) {
    return this.page.getByRole('tab', { name, exact: true }).click()
  }

  panel(): Locator {
    return this.page.getByRole('tabpanel')
  }

  async chooseRobot(name: string) {
    await this.tab('Robot')
    const list = this.panel().getByLabel('Robot', { exact: true })
    const label = (await list.locator('option').allInnerTexts()).find((text) => text.startsWith(name))
    await list.selectOption({ label: label ?? name })
  }

  /** A robot's position; selects the robot for that. */
  async place(name: string): Promise<[number, number]> {
    await this.chooseRobot(name)
    const { detail } = await this.until(`${name} is selected`, (told) => robotOf(told) === name)
    return detail ? [detail.x, detail.y] : [0, 0]
  }

  /** The content of the list of manual actions. */
  async listed(): Promise<string[]> {
    await this.tab('Disturbances')
    return this.page.locator('.deeds li').allInnerTexts()
  }

  /** Waits until the log has an event with a text, however many follow it. */
  async logs(text: string) {
    await this.tab('Log')
    const find = this.panel().getByLabel('Text', { exact: true })
    await find.fill(text)
    await this.panel().locator('.log-box .row', { hasText: text }).first().waitFor()
    await find.fill('')
  }

  map(lane = 0): Locator {
    return this.page.locator(`canvas[data-lane="${lane}"]`)
  }

  /** The screen position of a point of the world while the map shows everything. */
  async at(x: number, y: number, lane = 0): Promise<{ x: number; y: number }> {
    const box = await this.map(lane).boundingBox()
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

  async click(x: number, y: number, lane = 0) {
    const at = await this.at(x, y, lane)
    await this.page.mouse.click(at.x, at.y)
  }

  /** Waits until the map's tooltip at a point of the world has a text. */
  async pointed(x: number, y: number, says: string | RegExp) {
    const at = await this.at(x, y)
    const tip = this.page.locator('.map-tip')
    // It is updated whenever the mouse moves.
    let by = 2
    const look = async () => {
      by = -by
      await this.page.mouse.move(at.x + by, at.y)
      return (await tip.count()) === 0 ? '' : tip.textContent()
    }
    await expect.poll(look, { timeout: PATIENCE }).toMatch(says)
  }

  /** A fingerprint of a lane's map: the same number means the same picture. */
  picture(lane = 0, page = this.page): Promise<number> {
    return page.evaluate((lane) => {
      const canvas = document.querySelector<HTMLCanvasElement>(`canvas[data-lane="${lane}"]`)
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let sum = 0
      for (let i = 0; i < data.length; i += 4)
        sum = (sum * 31 + data[i] + 256 * data[i + 1] + 65536 * data[i + 2]) % 1e9
      return sum
    }, lane)
  }

  /** The colour of the map at a point of the world. */
  async colour(x: number, y: number): Promise<number[]> {
    const at = await this.at(x, y)
    const box = await this.map().boundingBox()
    return this.page.evaluate(
      ([x, y]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-lane="0"]')
        const scale = canvas ? canvas.width / canvas.clientWidth : 1
        const data = canvas?.getContext('2d')?.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data
        return data ? [data[0], data[1], data[2]] : []
      },
      [at.x - (box?.x ?? 0), at.y - (box?.y ?? 0)],
    )
  }

  /** Waits until the map changes; returns its fingerprint. */
  async otherPicture(before: number, lane = 0): Promise<number> {
    await expect.poll(() => this.picture(lane), { timeout: PATIENCE }).not.toBe(before)
    return this.picture(lane)
  }

  /** Waits until the map no longer changes; returns its fingerprint. */
  async still(lane = 0): Promise<number> {
    let last = await this.picture(lane)
    for (let same = 0, i = 0; same < 3; i++) {
      if (i > 100) throw new Error('the map does not come to rest')
      await this.page.waitForTimeout(120)
      const next = await this.picture(lane)
      same = next === last ? same + 1 : 0
      last = next
    }
    return last
  }

  /** Number of pixels of the map that differ after a while. */
  movement(milliseconds: number, page = this.page): Promise<number> {
    return page.evaluate(async (milliseconds) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-lane="0"]')
      const pixels = () => canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      const before = pixels()
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      const after = pixels()
      if (!before || !after) throw new Error('there is no map')
      let count = 0
      for (let i = 0; i < after.length; i += 4)
        if (before[i] !== after[i] || before[i + 1] !== after[i + 1] || before[i + 2] !== after[i + 2]) count++
      return count
    }, milliseconds)
  }

  /** Waits until robots drive on the map. */
  async moves(page = this.page) {
    await expect.poll(() => this.movement(300, page), { timeout: PATIENCE }).toBeGreaterThan(20)
  }
}

/** The name of the robot whose details are sent. */
export function robotOf({ scene, detail }: Told): string {
  return detail ? (scene.robots[detail.robot]?.name ?? '') : ''
}

/** Waits until there is something on the map. */
export function painted(page: Page): Promise<void> {
  return page.locator('canvas[data-lane="0"][data-painted]').waitFor()
}

/** A laboratory for one test. */
export async function open(scenario: string, args: string[] = []): Promise<Lab> {
  const lab = new Lab(scenario, args)
  onTestFinished(() => lab.close())
  await lab.start()
  return lab
}

/** A laboratory for all tests of a `describe`, to be called within it. */
export function laboratory(scenario: string, args: string[] = []): Lab {
  const lab = new Lab(scenario, args)
  beforeAll(() => lab.start())
  afterAll(() => lab.close())
  return lab
}

/** Runs in the page before its own scripts: keeps the last message of each kind from its websocket. */
function spy() {
  const told: Record<string, unknown> = { detail: null, deeds: { list: [] }, things: { objects: [], areas: [] } }
  ;(window as unknown as { told: unknown }).told = told
  const Real = window.WebSocket
  window.WebSocket = class extends Real {
    constructor(address: string | URL) {
      super(address)
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return
        const message = JSON.parse(data) as { type: string; lane?: number; from: number; list: unknown[] }
        if (message.type === 'deeds') {
          const known = (told.deeds as { list: unknown[] }).list.slice(0, message.from)
          told.deeds = { list: known.concat(message.list) }
        } else if (!message.lane) told[message.type] = message
      })
    }
  }
}
