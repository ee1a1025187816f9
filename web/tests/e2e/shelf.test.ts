// Runs in a results folder: the report, links to runs, and how the page reacts when another run is opened.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bare, findings, withAxe } from './access'
import { binary, chromiumBrowser, laboratory, open, PATIENCE, painted } from './lab'

const results = mkdtempSync(join(tmpdir(), 'crewlab-results-'))
afterAll(() => rmSync(results, { recursive: true, force: true }))

/** Runs a scenario with `crewlab run`; returns its result hash. */
function run(folder: string, scenario: string, ...args: string[]): string {
  const ran = spawnSync(binary(), ['run', scenario, '--quiet', '--out', folder, ...args], { encoding: 'utf8' })
  if (ran.error || ![0, 3].includes(ran.status ?? 1)) throw new Error(`${ran.error} ${ran.stderr}`)
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).result_hash
}

const waste = { folder: join(results, 'waste'), hash: '' }
beforeAll(() => {
  waste.hash = run(waste.folder, 'waste-cleanup', '--seed', '6')
  run(join(results, 'janitor #2'), 'janitorial', '--seed', '3', '--set', 'run.until=200 s')
})
const heading = (page: Page) => page.locator('.run-name').textContent()

describe('the results of one run', () => {
  const lab = laboratory(waste.folder, ['--paused'])

  it('are run again to the same end', async () => {
    await expect.poll(() => heading(lab.page)).toBe('waste-cleanupalliance · seed 6')
    await lab.page.getByLabel('Speed', { exact: true }).selectOption('max')
    await lab.button('Play').click()
    const { status } = await lab.until('the end', ({ status }) => status.lanes[0].finished)
    expect(status.lanes[0].result_hash).toBe(waste.hash)
  })

  it('have their report, with its style and its script', async () => {
    await lab.button('Runs of this experiment').click()
    const [report] = await Promise.all([
      lab.page.context().waitForEvent('page'),
      lab.page.getByRole('link', { name: 'See the report' }).click(),
    ])
    // A new tab is empty at first, and cannot be reloaded before it has navigated.
    await report.waitForURL(/\/report$/)
    const complaints: string[] = []
    report.on('console', (message) => complaints.push(message.text()))
    await report.reload()
    await expect.poll(() => report.locator('h1').textContent()).toContain('waste-cleanup')
    const plain = await report.evaluate(() => getComputedStyle(document.querySelector('h1') as Element).fontSize)
    expect(plain).not.toBe('32px')
    // The script filters the table of events.
    const rows = report.locator('tbody tr:visible')
    const all = await rows.count()
    await report.locator('input').first().fill('no row has these words')
    await expect.poll(() => rows.count()).toBeLessThan(all)
    expect(complaints).toEqual([])
    await report.close()
  })
})

describe('a folder with several runs', () => {
  const lab = laboratory(results, ['--paused'])
  beforeAll(() => lab.page.evaluate(withAxe))
  const list = () => lab.page.getByRole('region', { name: 'Runs of this experiment' })
  const entry = (name: string) => list().getByRole('button', { name })

  it('lists them, each with a name and a tooltip, and without barriers', async () => {
    await lab.button('Runs of this experiment').click()
    await list().waitFor()
    await expect
      .poll(() => list().getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^janitorial, alliance, seed 3\s+not completed: \d+ % done after 200 s$/),
        expect.stringMatching(/^waste-cleanup, alliance, seed 6\s+completed after [\d.]+ s$/),
      ])
    await expect.poll(() => entry('janitorial').getAttribute('aria-current')).toBe('true')
    const { nameless, tipless } = await bare(lab)
    expect({ nameless, tipless }).toEqual({ nameless: [], tipless: [] })
    expect(await findings(lab)).toEqual([])
    const bar = await lab.page.locator('.transport').evaluate((box) => box.scrollWidth - box.clientWidth)
    expect(bar).toBe(0)
    await lab.page.keyboard.press('Escape')
    await list().waitFor({ state: 'detached' })
  })

  it('opens another one for everybody, who forget what they chose in the one before', async () => {
    const { page } = lab
    const other = await lab.another()
    await lab.runTo(20)
    await lab.tab('Robot')
    await page.keyboard.press('n')
    await lab.until('a robot is selected', ({ detail }) => detail !== null)
    await lab.tab('Disturbances')
    await page.getByLabel('Entry, as in a scenario or as JSON').fill('{stop: all}')
    await lab.button('Trigger now').click()
    await page.locator('.deeds li').waitFor()
    await lab.button('Compare').click()
    await page.getByLabel('With', { exact: true }).selectOption('greedy')
    await lab.button('Start').click()
    await lab.untilStatus('both are there', ({ lanes }) => lanes.length === 2)
    // By keyboard, with the arrow keys.
    await lab.button('Runs of this experiment').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('janitorial')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    for (const each of [page, other]) {
      await expect.poll(() => heading(each), { timeout: PATIENCE }).toBe('waste-cleanupalliance · seed 6')
      await each.getByText('Opened: waste-cleanup, alliance, seed 6').waitFor()
      await expect.poll(() => each.locator('canvas[data-lane="1"]').count()).toBe(0)
      await painted(each)
    }
    const { status, deeds } = await lab.until('it stands at its start', ({ status }) => status.tick === 0)
    expect({ playing: status.playing, branches: status.branches.length, deeds: deeds.list }).toEqual({
      playing: false,
      branches: 1,
      deeds: [],
    })
    await expect.poll(() => lab.listed()).toEqual([])
    await lab.tab('Robot')
    await expect.poll(() => lab.panel().getByLabel('Robot', { exact: true }).inputValue()).toBe('')
    await lab.runTo(30)
    await other.context().close()
  })

  it('opens the run that a link in a file leads to', async () => {
    const file = join(results, 'links.html')
    writeFileSync(file, `<a href="${lab.url}replay/${encodeURIComponent('janitor #2')}">replay</a>`)
    const page = await lab.another()
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('link').click()
    await expect.poll(() => heading(page), { timeout: PATIENCE }).toBe('janitorialalliance · seed 3')
    expect(page.url()).toBe(lab.url)
    // Reloading the page does not restart the run.
    await lab.runTo(5)
    await page.reload()
    await painted(page)
    await expect.poll(async () => (await lab.status()).time).toBeGreaterThanOrEqual(5)
    await page.context().close()
  })

  it('asks before it replaces what somebody has done', async () => {
    await lab.tab('Disturbances')
    await lab.page.getByLabel('Entry, as in a scenario or as JSON').fill('{stop: all}')
    await lab.button('Trigger now').click()
    await lab.page.locator('.deeds li').waitFor()
    const page = await lab.another()
    const card = page.getByRole('dialog', { name: 'Open another run?' })
    await page.goto(`${lab.url}replay/waste`)
    await card.waitFor()
    await expect.poll(() => card.textContent()).toContain('This discards one manual action')
    await page.evaluate(withAxe)
    expect(await findings({ page })).toEqual([])
    expect(await bare({ page })).toMatchObject({ nameless: [], tipless: [] })
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(page.url()).toBe(lab.url)
    await expect.poll(async () => (await lab.told()).scene.run).toBe('janitor #2')
    await page.goto(`${lab.url}replay/waste`)
    await card.getByRole('button', { name: 'Open it' }).click()
    await lab.until('it is there', ({ scene }) => scene.run === 'waste')
    await page.context().close()
  })

  it('says what there is when a link leads to nothing, and keeps the run', async () => {
    const page = await lab.another()
    await page.goto(`${lab.url}replay/nothing`)
    const card = page.getByRole('dialog', { name: 'This run cannot be opened' })
    await card.waitFor()
    await expect
      .poll(() => card.textContent())
      .toMatch(/There is no run `nothing` in .*; there are: `janitor #2`, `waste`\./)
    await page.evaluate(withAxe)
    expect(await findings({ page })).toEqual([])
    await expect.poll(async () => (await lab.told()).scene.run).toBe('waste')
    await card.getByRole('button', { name: 'janitorial' }).click()
    await lab.until('the other run is there', ({ scene }) => scene.run === 'janitor #2')
    await card.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('waits until somebody looks at the page', async () => {
    const page = await lab.another()
    await page.addInitScript(() => {
      const at = window as unknown as { looked: boolean }
      Object.defineProperty(document, 'visibilityState', { get: () => (at.looked ? 'visible' : 'hidden') })
    })
    const { orders } = await lab.status()
    await page.goto(`${lab.url}replay/waste`)
    await painted(page)
    await page.waitForTimeout(500)
    expect([(await lab.told()).scene.run, (await lab.status()).orders]).toEqual(['janitor #2', orders])
    await page.evaluate(() => {
      ;(window as unknown as { looked: boolean }).looked = true
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await lab.until('it is opened now', ({ scene }) => scene.run === 'waste')
    await page.context().close()
  })

  it('does nothing for a page from elsewhere that only asks for the address', async () => {
    const to = `${lab.url}replay/${encodeURIComponent('janitor #2')}`
    const evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<img src="${to}"><iframe src="${to}"></iframe><script src="${to}"></script>
        <script>fetch('${to}', { mode: 'no-cors' }).finally(() => { document.title = 'done' })</script>`)
    })
    await new Promise<void>((ready) => evil.listen(0, '127.0.0.1', ready))
    // All its attempts are refused and the browser reports that: these errors are not our page's.
    const page = await (await chromiumBrowser()).newPage()
    const { orders } = await lab.status()
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
    await expect.poll(() => page.title()).toBe('done')
    await page.waitForTimeout(1000)
    const told = await lab.told()
    expect([told.scene.run, told.status.orders]).toEqual(['waste', orders])
    await page.context().close()
    evil.close()
  })
})

describe('a laboratory without results', () => {
  it('says that there are none', async () => {
    const lab = await open('waste-cleanup', ['--paused'])
    await expect.poll(() => lab.button('Runs of this experiment').count()).toBe(0)
    lab.allow(/404/)
    const answer = await lab.page.goto(`${lab.url}replay/waste`)
    expect(answer?.status()).toBe(404)
    expect(await answer?.text()).toContain('crewlab live FOLDER')
    await lab.page.goto(`${lab.url}?open=waste`)
    await lab.page.getByRole('dialog', { name: 'This run cannot be opened' }).waitFor()
  })
})
