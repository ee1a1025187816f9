// Accessibility: no barriers that axe finds, a name and a tooltip for every control, and everything usable by keyboard
// alone.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { bare, findings, withAxe } from './access'
import { binary, type Lab, laboratory, PATIENCE } from './lab'

const ASKING = [
  '--set',
  'team.coordinator=muroco',
  '--set',
  'team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner, gripper: false}, ' +
    '{name: green, type: cleaner, gripper: false}]',
]

/** Shows one view after the other and checks each. */
async function everyView(lab: Lab, look: (view: string) => Promise<void>) {
  const { page } = lab
  await lab.chooseRobot('blue')
  for (let i = 0; i < 10; i++) {
    const folded = page.locator('details.section:not([open]) > summary')
    if ((await folded.count()) === 0) break
    await folded.first().click()
  }
  await page.locator('.panel-robot details[open]').first().waitFor()
  await look('robot')
  await lab.tab('Team')
  await page.locator('.tasks').waitFor()
  await look('team')
  await lab.tab('Log')
  await page.locator('.log-box .row').first().waitFor()
  await page.locator('.log-box .row').first().click()
  await lab.untilStatus('that moment is shown', ({ time, end }) => time < end)
  await look('log, at an earlier moment')
  await page.keyboard.press('l')
  await lab.tab('Disturbances')
  await look('disturbances')
  for (const [name, inside] of [
    [/^Branches/, '.popover'],
    ['Compare', '.popover'],
    ['Keyboard help', 'dialog'],
    ['Save', '[role=menu]'],
  ] as const) {
    await lab.button(name).click()
    await page.locator(inside).waitFor()
    await look(String(name))
    await page.keyboard.press('Escape')
    await page.locator(inside).waitFor({ state: 'detached' })
  }
}

describe('every view', () => {
  // It has a question, manual actions, a saved file, an export, and a branch.
  const lab = laboratory('waste-cleanup', ['--paused', ...ASKING])
  beforeAll(async () => {
    await lab.runTo(60)
    await lab.page.locator('.question').waitFor()
    await lab.tab('Disturbances')
    await lab.page.getByLabel('Entry, as in a scenario or as JSON').fill('{stop: gold}')
    await lab.button('Trigger now').click()
    await lab.page.locator('.deeds li').waitFor()
    await Promise.all([lab.page.waitForEvent('download'), lab.button('Save as scenario').click()])
    await lab.button('Export the run').click()
    await lab.page.getByRole('link', { name: 'Open the report' }).waitFor({ timeout: 2 * PATIENCE })
    await lab.slider().focus()
    await lab.page.keyboard.press('ArrowLeft')
    await lab.untilStatus('a tick back', ({ time, end }) => time < end)
    await lab.tab('Disturbances')
    await lab.page.getByLabel('Entry, as in a scenario or as JSON').fill('{stop: green}')
    await lab.button('Trigger now').click()
    await lab.untilStatus('there is a branch', ({ branches }) => branches.length === 2)
    await lab.page.evaluate(withAxe)
  })

  it('has a name and a tooltip for each control', async () => {
    let all = 0
    const look = async (view: string) => {
      const { count, nameless, tipless } = await bare(lab)
      expect({ view, nameless, tipless }).toEqual({ view, nameless: [], tipless: [] })
      all += count
    }
    await everyView(lab, look)
    for (const tool of await lab.page.locator('[data-tool]:enabled').all()) {
      await tool.click()
      await look(`tool ${await tool.getAttribute('data-tool')}`)
    }
    await lab.page.locator('[data-tool=select]').click()
    expect(all).toBeGreaterThan(500)
  })

  it('shows the tooltip of what is pointed at or has the focus, and none when it is gone', async () => {
    const { page } = lab
    const tip = page.getByRole('tooltip')
    await lab.button('One tick').hover()
    await expect.poll(() => tip.textContent()).toBe('One tick (.)')
    await page.mouse.move(600, 400)
    await tip.waitFor({ state: 'hidden' })
    await lab.button('One tick').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await tip.waitFor()
    await expect.poll(() => tip.textContent()).toBe('One tick (.)')
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'hidden' })
    // An element that is removed by a key does not leave its tooltip behind.
    await lab.button('Save').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => tip.textContent()).toContain('A file that repeats the run')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await tip.isVisible()) && tip.textContent()).not.toContain('A file that repeats')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await tip.waitFor({ state: 'hidden' })
  })

  it.each(['light', 'dark'] as const)('has no serious finding of axe: %s', async (theme) => {
    const { page } = lab
    const toggle = lab.button(theme === 'dark' ? 'Dark colours' : 'Light colours')
    if (await toggle.isVisible()) await toggle.click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme)
    await page.mouse.move(600, 400)
    const look = async (view: string) => expect({ view, found: await findings(lab) }).toEqual({ view, found: [] })
    await everyView(lab, look)
    for (const key of ['o', 'x']) {
      await page.keyboard.press(key)
      await look(`tool ${key}`)
    }
    await page.keyboard.press('v')
    await lab.button('Compare').click()
    await page.getByLabel('With', { exact: true }).selectOption('greedy')
    await lab.button('Start').click()
    await page.getByText('Right: greedy', { exact: true }).waitFor()
    await lab.untilStatus('both are there', ({ lanes }) => lanes.length === 2)
    await look('two coordinators')
    expect((await bare(lab)).tipless).toEqual([])
    await lab.button('Stop comparing').click()
    await lab.button('Compare').waitFor()
  })
})

describe('a person without a mouse', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6'])

  /** Presses Tab until an element has the focus. */
  async function tabTo(name: string | RegExp, back = false) {
    const { page } = lab
    const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
    for (let i = 0; i < 150; i++) {
      const focused = await page.evaluate(() => {
        const at = document.activeElement as HTMLElement | null
        const label = (at as HTMLInputElement | null)?.labels?.[0]?.textContent
        return (at?.getAttribute('aria-label') ?? label ?? at?.textContent ?? '').trim()
      })
      if (fits(focused)) {
        const ring = await page.evaluate(() => (document.activeElement as HTMLElement).matches(':focus-visible'))
        expect(ring).toBe(true)
        return
      }
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    }
    throw new Error(`Tab does not come to ${name}`)
  }

  it('can do everything that matters', async () => {
    const { page } = lab
    const { keyboard } = page
    const text = (selector: string) => page.locator(selector).first().textContent()
    // The first element that Tab reaches leads to the map.
    await keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to the map')
    await keyboard.press('Enter')
    // The list of keys.
    await keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Fast, play, pause.
    for (let i = 0; i < 5; i++) await keyboard.press(']')
    await keyboard.press('Space')
    await lab.untilStatus('it went on', ({ time }) => time > 40)
    await keyboard.press('Space')
    await lab.button('Play').waitFor()
    // A robot: what it does, and why.
    await keyboard.press('n')
    await expect.poll(() => text('.panel-robot > .facts')).toMatch(/Task[\s\S]*State/)
    // An obstacle, with the form of the tool.
    await keyboard.press('o')
    await tabTo('x')
    await keyboard.type('6')
    await tabTo('y')
    await keyboard.type('5')
    await tabTo('Put')
    await keyboard.press('Enter')
    await lab.until('it is there', ({ things }) => things.objects.some(({ name }) => name === 'obstacle 1'))
    await keyboard.press('Escape')
    // Taken over, driven, released.
    await keyboard.press('t')
    await lab.until('it is taken over', ({ detail }) => detail?.taken_over === true)
    await keyboard.press('Space')
    const { detail: before } = await lab.told()
    await keyboard.down('ArrowUp')
    await lab.until('it drives', ({ detail }) => !!detail && !!before && detail.x !== before.x)
    await keyboard.up('ArrowUp')
    await keyboard.press('Escape')
    await lab.until('it is given back', ({ detail }) => detail?.taken_over === false)
    await keyboard.press('Space')
    await lab.button('Play').waitFor()
    // A fault.
    await tabTo('Do it')
    await keyboard.press('Enter')
    await expect.poll(() => text('.panel-robot > .facts')).toContain('stopped')
    // The log, and from there to an earlier moment.
    await tabTo('Robot', true)
    await tabTo(/^Robot$/, true)
    while ((await page.evaluate(() => document.activeElement?.getAttribute('role'))) !== 'tab')
      await keyboard.press('Shift+Tab')
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await tabTo(/^Events; Enter goes/)
    await keyboard.press('Home')
    await keyboard.press('Enter')
    await lab.untilStatus('an early moment is shown', ({ time, end }) => time < end / 2)
    await expect.poll(() => text('.sign')).toContain('before the end')
    // Another coordinator from there on: a branch.
    await tabTo('Another coordinator')
    await keyboard.type('greedy')
    await tabTo('Continue with it')
    await keyboard.press('Enter')
    await expect.poll(() => text('.run-name'), { timeout: PATIENCE }).toContain('greedy')
    await tabTo(/^Branches \(2\)/)
    await keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^0 alliance/)
    await keyboard.press('Enter')
    await expect.poll(() => text('.run-name'), { timeout: PATIENCE }).toContain('alliance')
    await lab.untilStatus('at the end of the first run', ({ branch, time, end }) => branch === 0 && time === end)
    // Saved as a scenario, which reproduces the same run.
    await tabTo('Save', true)
    await keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Save as scenario')
    const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')])
    const file = join(lab.server.folder, download.suggestedFilename())
    await download.saveAs(file)
    const again = spawnSync(binary(), ['run', file, '--json', '--out', join(lab.server.folder, 'again')], {
      encoding: 'utf8',
    })
    const shown = async () => ((await text('.hash')) ?? '').replace(/\s/g, '')
    await expect.poll(shown, { timeout: PATIENCE }).toBe(JSON.parse(again.stdout).result_hash)
    for (const word of ['obstacle 1', 'take-over', 'stop']) expect(readFileSync(file, 'utf8')).toContain(word)
  })
})
