// Help, comparison, keyboard, themes and accessibility of the panels, against a real run.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { available } from './live-page'
import { Panels } from './panels.lab'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Finding = { id: string; impact: string; nodes: { html: string }[] }

describe.skipIf(!available())('the page', () => {
  let lab: Panels
  beforeAll(async () => {
    lab = await Panels.open('waste-cleanup', ['--seed', '6'])
    await lab.runTo(60)
  }, 60_000)
  afterAll(() => lab.close())

  it('lists all keys in an overlay that keeps the focus and gives it back', async () => {
    const { page } = lab
    const opener = page.getByRole('button', { name: 'Keyboard help' })
    await opener.focus()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.waitFor()
    for (const what of ['Play or pause', 'Back to the event before', 'Take over the selected robot'])
      expect(await help.textContent()).toContain(what)
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => !document.activeElement?.closest('.app > :not(dialog)'))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('changes tabs with the arrow keys', async () => {
    await lab.tab('Robot')
    for (const name of ['Team', 'Log', 'Disturbances', 'Robot']) {
      await lab.page.keyboard.press('ArrowRight')
      expect(await lab.page.getByRole('tab', { selected: true }).textContent()).toBe(name)
      expect(await lab.page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    }
  })

  it('has a menu to save, by keyboard', async () => {
    const opener = lab.page.getByRole('button', { name: 'Save', exact: true })
    await opener.focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toContain('Save as scenario')
    await lab.page.keyboard.press('ArrowDown')
    expect(await lab.page.evaluate(() => document.activeElement?.textContent)).toContain('Export the run')
    await lab.page.keyboard.press('Escape')
    expect(await opener.getAttribute('aria-expanded')).toBe('false')
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('keeps controls where they are while numbers change', async () => {
    const { page } = lab
    const places = () =>
      page
        .locator('.transport button, .transport select, .timeline-tools button')
        .evaluateAll((list) => list.map((element) => Math.round(element.getBoundingClientRect().left)))
    await page.getByLabel('Speed', { exact: true }).selectOption('10')
    const before = await places()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    for (let i = 0; i < 10; i++) {
      await page.waitForTimeout(200)
      expect(await places()).toEqual(before)
    }
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await lab.until('it stands', ({ playing }) => !playing)
    expect(await places()).toEqual(before)
  })

  it('fits a screen of 1280 by 720 without scrolling', async () => {
    const { page } = lab
    for (const name of ['Robot', 'Team', 'Log', 'Disturbances']) {
      await lab.tab(name)
      expect(
        await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]),
      ).toEqual([1280, 720])
      const panel = page.getByRole('tabpanel')
      expect(await panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    }
    const bar = await page.locator('.transport').evaluate((box) => box.scrollWidth - box.clientWidth)
    expect(bar).toBe(0)
  })

  it('keeps the bar on one line, also with a long name', async () => {
    const { page } = lab
    const high = () => page.locator('.top').evaluate((bar) => bar.getBoundingClientRect().height)
    const before = await high()
    await page.locator('h1').evaluate((title) => {
      title.textContent = 'a scenario with a name that is much longer than names of scenarios usually are'
    })
    expect(await high()).toBe(before)
    expect(before).toBeLessThan(60)
  })

  it('compares two coordinators and shows both', async () => {
    const { page } = lab
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByLabel('With', { exact: true }).selectOption('greedy')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await lab.until('there are two', ({ lanes }) => lanes.length === 2)
    const bar = page.getByRole('region', { name: 'Compare two coordinators' })
    await expect.poll(() => bar.textContent()).toMatch(/alliance[\s\S]*greedy/)
    await lab.runTo((await lab.status()).time + 20)
    expect(await bar.getByRole('progressbar').count()).toBe(2)
    await lab.tab('Log')
    await page.getByRole('tabpanel').getByLabel('Run', { exact: true }).selectOption('1')
    await expect.poll(() => page.locator('.log-box .row').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Stop comparing' }).click()
    await lab.until('there is one', ({ lanes }) => lanes.length === 1)
    await page.getByRole('button', { name: 'Compare', exact: true }).waitFor()
  }, 60_000)

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe: %s',
    async (theme) => {
      const { page } = lab
      const toggle = page.getByRole('button', { name: theme === 'dark' ? 'Dark colours' : 'Light colours' })
      if (await toggle.isVisible()) await toggle.click()
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme)
      await lab.chooseRobot('blue')
      for (let i = 0; i < 8; i++) {
        const folded = page.locator('details.section:not([open]) > summary')
        if ((await folded.count()) === 0) break
        await folded.first().click()
      }
      const check = async () => {
        await page.evaluate(AXE)
        const found = await page.evaluate(async () => {
          const axe = (window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } })
            .axe
          return (await axe.run({ resultTypes: ['violations'] })).violations
        })
        const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      }
      await check()
      for (const name of ['Team', 'Log', 'Disturbances']) {
        await lab.tab(name)
        await page.waitForTimeout(400)
        await check()
      }
      for (const name of [/^Branches/, 'Compare', 'Keyboard help', 'Save'] as const) {
        await page.getByRole('button', { name, exact: true }).click()
        await check()
        await page.keyboard.press('Escape')
      }
    },
    90_000,
  )
})
