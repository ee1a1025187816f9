// Run, time and branches, against a real run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { available } from './live-page'
import { Panels } from './panels.lab'

describe.skipIf(!available())('the bar at the top', () => {
  let lab: Panels
  beforeAll(async () => {
    lab = await Panels.open('waste-cleanup', ['--seed', '3'])
  }, 60_000)
  afterAll(() => lab.close())

  it('does single ticks', async () => {
    await lab.page.keyboard.press('.')
    await lab.until('one tick is done', (status) => status.tick === 1)
    await lab.page.getByRole('button', { name: '+10' }).click()
    await lab.until('ten more are done', (status) => status.tick === 11)
    await expect.poll(() => lab.page.getByLabel('Simulated time').textContent()).toBe('0:01.1')
  })

  it('plays and pauses with the space bar', async () => {
    await lab.page.keyboard.press('Space')
    await lab.until('it plays', (status) => status.playing && status.time > 1.5)
    await lab.page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await lab.page.keyboard.press('Space')
    await lab.until('it stands', (status) => !status.playing)
  })

  it('changes the speed with keys and with the list', async () => {
    await lab.page.keyboard.press(']')
    await lab.until('it is twice as fast', (status) => status.speed === 2)
    await lab.page.keyboard.press('[')
    await lab.page.keyboard.press('[')
    await lab.until('it is half as fast', (status) => status.speed === 0.5)
    await lab.page.getByLabel('Speed', { exact: true }).selectOption('max')
    await lab.until('it is as fast as possible', (status) => status.speed === null)
  })

  it('starts again with the same seed, another and the next', async () => {
    const { page } = lab
    await page.locator('h1').click()
    await page.keyboard.press('r')
    await lab.until('it is at the beginning', (status) => status.tick === 0)
    expect(await page.locator('.run-name').textContent()).toContain('seed 3')
    await page.getByLabel('Seed').fill('11')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect.poll(() => page.locator('.run-name').textContent()).toContain('seed 11')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect.poll(() => page.locator('.run-name').textContent()).toContain('seed 12')
    await page.getByLabel('Seed').fill('1.5')
    await page.getByLabel('Seed').press('Enter')
    await expect.poll(() => lab.toasts()).toContain('a seed is a whole number')
  })
})

describe.skipIf(!available())('the timeline', () => {
  let lab: Panels
  beforeAll(async () => {
    lab = await Panels.open('waste-cleanup', ['--seed', '6'])
    await lab.runTo(100)
  }, 60_000)
  afterAll(() => lab.close())

  it('goes back and on with the keys of a slider', async () => {
    const { end } = await lab.status()
    await lab.slider().focus()
    await lab.page.keyboard.press('ArrowLeft')
    await lab.until('one tick back', ({ time }) => Math.abs(time - (end - 0.1)) < 0.01)
    await lab.page.keyboard.press('PageDown')
    await lab.until('ten seconds back', ({ time }) => Math.abs(time - (end - 10.1)) < 0.01)
    expect(await lab.page.locator('.sign').textContent()).toMatch(/10 s before the end: play shows it again/)
    await lab.page.keyboard.press('Home')
    await lab.until('at the beginning', ({ time }) => time === 0)
    await lab.page.getByRole('button', { name: 'Go to the end' }).click()
    await lab.until('at the end', ({ time }) => time === end)
    expect(await lab.page.locator('.sign').textContent()).toBe('Shows the newest moment')
  })

  it('follows the mouse, and shows what was', async () => {
    const box = await lab.slider().boundingBox()
    if (!box) throw new Error('there is no time bar')
    const { mouse } = lab.page
    await mouse.move(box.x + 5, box.y + 20)
    await mouse.down()
    for (let x = 5; x < 300; x += 20) await mouse.move(box.x + x, box.y + 20)
    await mouse.up()
    const shown = await lab.until('an earlier moment', ({ time, end }) => time > 1 && time < end - 5)
    expect((await lab.status()).end).toBe(shown.end)
    expect(shown.branches.length).toBe(1)
  })

  it('jumps from event to event', async () => {
    await lab.slider().focus()
    await lab.page.keyboard.press('Home')
    await lab.until('at the beginning', ({ time }) => time === 0)
    await lab.page.getByRole('button', { name: 'Event ▸' }).click()
    const first = await lab.until('at an event', ({ time }) => time > 0)
    await lab.page.keyboard.press('l')
    await lab.until('at the end', ({ time, end }) => time === end)
    for (let i = 0; i < 40 && (await lab.status()).time > first.time + 0.01; i++) {
      const { time } = await lab.status()
      await lab.page.keyboard.press(',')
      await lab.until('at the event before', (status) => status.time < time)
    }
    expect((await lab.status()).time).toBeCloseTo(first.time, 1)
  })

  it('begins a branch with a disturbance in the past, and keeps the first run', async () => {
    const { end } = await lab.status()
    await lab.seek(40)
    await lab.chooseRobot('gold')
    await lab.page.getByRole('button', { name: 'Do it' }).click()
    const branched = await lab.until('there are two branches', ({ branches }) => branches.length === 2)
    expect(branched.branch).toBe(1)
    expect(branched.branches[1]).toMatchObject({ parent: 0 })
    expect(branched.branches[0].end).toBe(end)
    expect(await lab.deeds()).toEqual([expect.objectContaining({ stop: 'gold' })])
    await lab.page.getByRole('button', { name: 'Branches (2)' }).click()
    const list = lab.page.getByRole('region', { name: 'Branches' }).getByRole('button')
    expect(await list.count()).toBe(2)
    expect(await list.nth(1).getAttribute('aria-current')).toBe('true')
    await lab.page.keyboard.press('Escape')
    expect(await lab.page.evaluate(() => document.activeElement?.textContent)).toBe('Branches (2)')
  })

  // The command's number and the branch's number are both called `id` on the wire, so the server sees only one of them.
  // Write `it` again when the branch has a name of its own there.
  it('goes to another branch', async () => {
    const { branches } = await lab.status()
    await lab.page.getByRole('button', { name: /^Branches/ }).click()
    await lab.page.getByRole('region', { name: 'Branches' }).getByRole('button').first().click()
    const first = await lab.until('the first branch is shown', ({ branch }) => branch === 0)
    expect(first.time).toBe(branches[0].end)
    await expect.poll(() => lab.deeds()).toEqual([])
  })

  it('continues with another coordinator', async () => {
    await lab.seek(30)
    await lab.page.getByLabel('Another coordinator').selectOption('greedy')
    await lab.page.getByRole('button', { name: 'Continue with it' }).click()
    await lab.until('greedy coordinates', ({ lanes }) => lanes[0].coordinator === 'greedy')
    expect(await lab.page.locator('.run-name').textContent()).toContain('greedy')
  })
})
