// Team, log and disturbances, against a real run.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binary, laboratory, PATIENCE } from './lab'

describe('the panels at the side', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crewlab-panels-'))
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6', '--out', join(folder, 'runs')])
  beforeAll(async () => {
    await lab.runTo(110)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows who does what, and a click goes there', async () => {
    await lab.tab('Team')
    const chart = lab.page.getByRole('group', { name: /Who did what when/ })
    const box = await chart.boundingBox()
    if (!box) throw new Error('there is no chart')
    await lab.page.mouse.move(box.x + box.width / 2, box.y + 27)
    await expect.poll(() => lab.page.locator('.gantt-hint').textContent()).toMatch(/^blue: /)
    await lab.page.mouse.click(box.x + box.width / 2, box.y + 27)
    await lab.untilStatus('about the middle is shown', ({ time, end }) => time > end * 0.3 && time < end * 0.6)
    await chart.focus()
    await lab.page.keyboard.press('ArrowDown')
    await lab.page.keyboard.press('ArrowDown')
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.page.getByRole('tab', { name: 'Robot' }).getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => lab.page.locator('.choose select').inputValue()).toBe('0 1')
    await lab.page.keyboard.press('l')
  })

  it('counts who works on what', async () => {
    await lab.tab('Team')
    const rows = lab.page.locator('.tasks tbody tr')
    await expect.poll(() => rows.count()).toBe(5)
    const counts = async () => (await rows.locator('td.figures').allInnerTexts()).map(Number)
    await expect.poll(async () => (await counts()).reduce((a, b) => a + b, 0)).toBe(3)
    await lab.page.getByRole('img', { name: 'Progress of the mission over time' }).waitFor()
    await lab.page.getByRole('img', { name: 'Messages sent, delivered and lost over time' }).waitFor()
  })

  it('filters the log, and goes to the moment of an event', async () => {
    await lab.tab('Log')
    const panel = lab.page.getByRole('tabpanel')
    const rows = panel.getByRole('listbox', { name: /Events/ }).getByRole('option')
    await expect.poll(() => rows.count()).toBeGreaterThan(4)
    await panel.getByLabel('Kind', { exact: true }).selectOption('activated')
    await expect
      .poll(async () => new Set(await panel.locator('.row .kind').allInnerTexts()))
      .toEqual(new Set(['activated']))
    await panel.getByLabel('Robot', { exact: true }).selectOption({ label: 'gold' })
    await expect.poll(async () => new Set(await panel.locator('.row .who').allInnerTexts())).toEqual(new Set(['gold']))
    await panel.getByLabel('Text').fill('no such words')
    await expect.poll(() => rows.count()).toBe(0)
    await panel.getByRole('button', { name: 'All' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(4)
    await panel.getByRole('listbox', { name: /Events/ }).focus()
    await lab.page.keyboard.press('Home')
    await lab.page.keyboard.press('ArrowDown')
    await expect.poll(() => panel.locator('.log-box [aria-selected=true]').getAttribute('aria-posinset')).toBe('2')
    await expect.poll(() => panel.locator('.term-list div').count()).toBeGreaterThan(0)
    await lab.page.keyboard.press('Enter')
    await lab.untilStatus('an early moment is shown', ({ time, end }) => time < end / 2)
    await lab.page.keyboard.press('l')
  })

  it('stays at the newest event until one scrolls up', async () => {
    const list = lab.page.getByRole('listbox', { name: /Events/ })
    const rest = () => list.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
    await expect.poll(() => list.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeGreaterThan(100)
    await list.evaluate((box) => {
      box.scrollTop = 0
    })
    await lab.page.getByRole('button', { name: 'Newest' }).click()
    await expect.poll(rest).toBeLessThan(4)
    await lab.runTo(150)
    await expect.poll(rest).toBeLessThan(4)
    await list.evaluate((box) => {
      box.scrollTop = 40
    })
    await lab.runTo(160)
    expect(await list.evaluate((box) => box.scrollTop)).toBe(40)
  })

  it('lets any disturbance happen, from its example', async () => {
    await lab.tab('Disturbances')
    const panel = lab.page.getByRole('tabpanel')
    const entry = panel.getByLabel('Entry, as in a scenario or as JSON')
    await panel.getByLabel('Disturbance', { exact: true }).selectOption('object-added')
    await expect.poll(() => entry.inputValue()).toMatch(/^\{for: 3 min, object-added: \{name: crate/)
    await panel.getByRole('button', { name: 'Trigger now' }).click()
    await expect.poll(async () => (await lab.entries()).length).toBe(1)
    await expect.poll(() => panel.locator('.deeds li').count()).toBe(1)
    await entry.fill('{"stop": "gold"}')
    await panel.getByRole('button', { name: 'Trigger now' }).click()
    await expect.poll(() => panel.locator('.deeds li').count()).toBe(2)
    await expect.poll(() => panel.locator('.deeds').textContent()).toContain('gold stops')
  })

  it('explains what cannot be read, and says what the laboratory refuses', async () => {
    const panel = lab.page.getByRole('tabpanel')
    const entry = panel.getByLabel('Entry, as in a scenario or as JSON')
    await entry.fill('{stop: blue')
    await expect.poll(() => panel.locator('.note').textContent()).toContain('a comma or } is missing')
    await expect.poll(() => panel.getByRole('button', { name: 'Trigger now' }).isDisabled()).toBe(true)
    await entry.fill('{stop: nobody}')
    await panel.getByRole('button', { name: 'Trigger now' }).click()
    await expect.poll(() => lab.toasts()).toContain('there is no robot `nobody`')
  })

  it('goes to the moment of a deed', async () => {
    await lab.runTo((await lab.status()).time + 10)
    await lab.page.locator('.deeds button').first().click()
    await lab.untilStatus('its moment is shown', ({ time, end }) => time < end - 5)
    await lab.page.keyboard.press('l')
    await lab.untilStatus('the end is shown', ({ time, end }) => time === end)
  })

  it.each(['button', 'menu by keyboard'])('saves a scenario that does the same run again, with the %s', async (how) => {
    const { page } = lab
    const panel = page.getByRole('tabpanel')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        if (how === 'button') return panel.getByRole('button', { name: 'Save as scenario' }).click()
        await page.keyboard.press('.')
        await page.getByRole('button', { name: 'Save', exact: true }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: /Save as scenario/ }).waitFor()
        await page.keyboard.press('Enter')
      })(),
    ])
    const file = join(folder, download.suggestedFilename())
    await download.saveAs(file)
    expect(readFileSync(file, 'utf8')).toContain('stop: gold')
    await expect
      .poll(() => panel.locator('.command code').textContent())
      .toBe(`crewlab run ${download.suggestedFilename()}`)
    const again = spawnSync(binary(), ['run', file, '--json', '--out', join(folder, how)], { encoding: 'utf8' })
    const hash = async () => ((await panel.locator('.hash').textContent()) ?? '').replace(/\s/g, '')
    await expect.poll(hash).toBe(JSON.parse(again.stdout).result_hash)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  })

  it.each(['button', 'menu by keyboard'])('exports the run with its report, with the %s', async (how) => {
    const { page } = lab
    const panel = page.getByRole('tabpanel')
    if (how === 'button') await panel.getByRole('button', { name: 'Export the run' }).click()
    else {
      await lab.tab('Team')
      await page.getByRole('button', { name: 'Save', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: /Save as scenario/ }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    const link = panel.getByRole('link', { name: 'Open the report' })
    await link.waitFor({ timeout: 2 * PATIENCE })
    const [report] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await report.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => report.locator('body').textContent()).toContain('waste-cleanup')
    await expect.poll(() => report.locator('img, svg').count()).toBeGreaterThan(0)
    await report.close()
  })
})
