// Help, tabs, menus and the layout of the page.

import { beforeAll, describe, expect, it } from 'vitest'
import { laboratory } from './lab'

describe('the page', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6'])
  beforeAll(async () => {
    await lab.runTo(60)
  })

  it('lists all keys in an overlay that keeps the focus and gives it back', async () => {
    const { page } = lab
    const opener = page.getByRole('button', { name: 'Keyboard help' })
    await opener.focus()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.waitFor()
    for (const what of ['Play or pause', 'Previous event', 'Take over the selected robot'])
      await expect.poll(() => help.textContent()).toContain(what)
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => !document.activeElement?.closest('.app > :not(dialog)'))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('changes tabs with the arrow keys', async () => {
    await lab.tab('Robot')
    for (const name of ['Team', 'Log', 'Disturbances', 'Robot']) {
      await lab.page.keyboard.press('ArrowRight')
      await expect.poll(() => lab.page.getByRole('tab', { selected: true }).textContent()).toBe(name)
      await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    }
  })

  it('has a menu to save, by keyboard', async () => {
    const opener = lab.page.getByRole('button', { name: 'Save', exact: true })
    await opener.focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toContain('Save as scenario')
    await lab.page.keyboard.press('ArrowDown')
    await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toContain('Export the run')
    await lab.page.keyboard.press('Escape')
    await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
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
    await lab.untilStatus('it stands', ({ playing }) => !playing)
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
      await expect.poll(() => panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
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
})
