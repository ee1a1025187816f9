// A real laboratory for tests: `crewlab live` on a free port, and its page in Debian's Chromium.
//
//   const lab = await open('waste-cleanup', ['--speed', '8'])
//   await lab.page.getByRole('button', { name: 'Pause' }).click()
//
// It closes by itself at the end of the test. Anything that the page complains about on its console fails the test,
// unless the test said before that it will (`lab.allow`).

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
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

/** The binary: $CREWLAB, or what was built last. */
export function binary(): string {
  if (process.env.CREWLAB) return resolve(process.env.CREWLAB)
  const built = ['release', 'debug']
    .map((kind) => join(ROOT, 'target', kind, 'crewlab'))
    .filter((file) => existsSync(file))
  built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (!built[0]) throw new Error('there is no crewlab to test: `cargo build` makes one')
  return built[0]
}

/** A `crewlab live` that runs. */
export class Server {
  /** What it printed, line by line. */
  readonly lines: string[] = []
  private constructor(
    readonly process: ChildProcess,
    /** Where it works; gone when it has ended. */
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

  /** Ends it as Ctrl-C does; gives its exit code. */
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

/** A laboratory with one viewer or more. */
export class Lab {
  private readonly problems: string[] = []
  private readonly allowed: RegExp[] = [/willReadFrequently/]
  private closed = false
  private constructor(
    readonly server: Server,
    readonly url: string,
    /** The first viewer. */
    public page: Page,
  ) {}

  static async open(scenario: string, args: string[]): Promise<Lab> {
    const server = await Server.start(scenario, args)
    const lab = new Lab(server, server.url, undefined as unknown as Page)
    onTestFinished(() => lab.close())
    lab.page = await lab.another()
    return lab
  }

  /** One more viewer, with nothing in common with the others but the laboratory. */
  async another(viewport = { width: 1280, height: 720 }): Promise<Page> {
    const context = await (await chromiumBrowser()).newContext({ viewport, acceptDownloads: true })
    const page = await context.newPage()
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
    await page.goto(this.url)
    await page.locator('canvas[data-lane="0"][data-painted]').waitFor()
    return page
  }

  /** What the test does makes the page complain like this. */
  allow(pattern: RegExp) {
    this.allowed.push(pattern)
  }

  /** What the pages complained about and nobody allowed. */
  complaints(): string[] {
    return this.problems.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)))
  }

  async close() {
    if (this.closed) return
    this.closed = true
    // Read now: pages complain when their server goes.
    const complaints = this.complaints()
    for (const context of (await chromiumBrowser()).contexts()) await context.close()
    await this.server.stop()
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`)
  }
}

/** Starts `crewlab live` with a scenario and opens its page. */
export function open(scenario: string, args: string[] = []): Promise<Lab> {
  return Lab.open(scenario, args)
}

/** What a lane's map shows, in short: the same text is the same picture. */
export async function picture(page: Page, lane = 0): Promise<string> {
  const png = await page.locator(`canvas[data-lane="${lane}"]`).screenshot()
  return createHash('sha256').update(png).digest('hex')
}

/** How many pixels of a lane's map differ after a while. */
export async function movement(page: Page, milliseconds: number, lane = 0): Promise<number> {
  return page.evaluate(
    async ([lane, milliseconds]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(`canvas[data-lane="${lane}"]`)
      const pixels = () => canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      const before = pixels()
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      const after = pixels()
      if (!before || !after) throw new Error('there is no map')
      let count = 0
      for (let i = 0; i < after.length; i += 4)
        if (before[i] !== after[i] || before[i + 1] !== after[i + 1] || before[i + 2] !== after[i + 2]) count++
      return count
    },
    [lane, milliseconds],
  )
}
