// Run, time and branches, against a real run.

import { beforeAll, describe, expect, it } from 'vitest'
import { laboratory, PATIENCE } from './lab'

describe('the bar at the top', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '3'])

  const shown = () => lab.page.getByLabel('Simulated time').textContent()
  const name = () => lab.page.locator('.run-name').textContent()

  it('does single ticks, by keyboard and by mouse', async () => {
    await lab.page.keyboard.press('.')
    await expect.poll(shown).toBe('0:00.1')
    await lab.button('One tick').click()
    await expect.poll(shown).toBe('0:00.2')
    await lab.button('+10').click()
    await expect.poll(shown).toBe('0:01.2')
    await lab.page.keyboard.press(':')
    await expect.poll(shown).toBe('0:02.2')
    await expect.poll(async () => (await lab.status()).tick).toBe(22)
  })

  it('plays and pauses, by keyboard and by mouse', async () => {
    await lab.page.keyboard.press('Space')
    await lab.untilStatus('it plays', (status) => status.playing && status.time > 2.5)
    await lab.button('Pause').waitFor()
    await lab.page.keyboard.press('Space')
    await lab.button('Play').click()
    const before = await lab.untilStatus('it plays again', (status) => status.playing)
    await lab.untilStatus('it goes on', (status) => status.time > before.time)
    await lab.button('Pause').click()
    await lab.button('Play').waitFor()
    const stood = await shown()
    expect(await lab.movement(300)).toBe(0)
    expect(await shown()).toBe(stood)
  })

  it('changes the speed with keys and with the list', async () => {
    const speed = lab.page.getByLabel('Speed', { exact: true })
    await lab.page.keyboard.press(']')
    await lab.untilStatus('it is twice as fast', (status) => status.speed === 2)
    await expect.poll(() => speed.inputValue()).toBe('2')
    await lab.page.keyboard.press('[')
    await lab.page.keyboard.press('[')
    await lab.untilStatus('it is half as fast', (status) => status.speed === 0.5)
    await speed.selectOption('0.1')
    await lab.untilStatus('it is slow', (status) => status.speed === 0.1)
    await speed.selectOption('max')
    await lab.untilStatus('it is as fast as possible', (status) => status.speed === null)
  })

  it('shows simulated time, wall time and the factor between them', async () => {
    await lab.page.getByLabel('Speed', { exact: true }).selectOption('5')
    await lab.button('Play').click()
    const factor = async () =>
      Number.parseFloat((await lab.page.locator('.stat.factor span').textContent())?.replace(/[^\d.]/g, '') ?? '')
    // Other programs may keep the machine busy.
    await expect.poll(factor, { timeout: PATIENCE }).toBeGreaterThan(1)
    expect(await factor()).toBeLessThan(8)
    const wall = () => lab.page.locator('.stat.wall span').textContent()
    const before = await wall()
    await expect.poll(wall, { timeout: PATIENCE }).not.toBe(before)
    await lab.button('Pause').click()
    await lab.button('Play').waitFor()
    await expect.poll(() => lab.page.locator('.stat.factor span').textContent()).toBe('–')
  })

  it('starts again with the same seed, by keyboard and by mouse: the same run', async () => {
    const { page } = lab
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('r')
    await expect.poll(shown).toBe('0:00.0')
    await expect.poll(() => name()).toContain('seed 3')
    await page.keyboard.press(':')
    await expect.poll(shown).toBe('0:01.0')
    // A robot that restarts at the same place draws the same picture.
    const first = await lab.still()
    await lab.button('Restart').click()
    await expect.poll(shown).toBe('0:00.0')
    await page.keyboard.press(':')
    await expect.poll(shown).toBe('0:01.0')
    await expect.poll(() => lab.picture(), { timeout: PATIENCE }).toBe(first)
  })

  it('starts again with another seed and the next, by mouse and by keyboard: another run', async () => {
    const { page } = lab
    const first = await lab.still()
    await page.getByLabel('Seed').fill('11')
    await lab.button('Start').click()
    await expect.poll(name).toContain('seed 11')
    await page.keyboard.press(':')
    await expect.poll(shown).toBe('0:01.0')
    await lab.otherPicture(first)
    await lab.button('Next').click()
    await expect.poll(name).toContain('seed 12')
    await page.keyboard.press('N')
    await expect.poll(name).toContain('seed 13')
    await page.getByLabel('Seed').fill('21')
    await page.getByLabel('Seed').press('Enter')
    await expect.poll(name).toContain('seed 21')
    await page.getByLabel('Seed').fill('1.5')
    await page.getByLabel('Seed').press('Enter')
    await expect.poll(() => lab.toasts()).toContain('the seed must be a whole number')
  })
})

describe('the timeline', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6'])
  beforeAll(async () => {
    await lab.runTo(100)
  })

  it('goes back and on with the keys of a slider', async () => {
    const { end } = await lab.status()
    await lab.slider().focus()
    await lab.page.keyboard.press('ArrowLeft')
    await lab.untilStatus('one tick back', ({ time }) => Math.abs(time - (end - 0.1)) < 0.01)
    await lab.page.keyboard.press('PageDown')
    await lab.untilStatus('ten seconds back', ({ time }) => Math.abs(time - (end - 10.1)) < 0.01)
    await expect.poll(() => lab.page.locator('.sign').textContent()).toMatch(/10 s before the end: play shows it again/)
    await lab.page.keyboard.press('Home')
    await lab.untilStatus('at the beginning', ({ time }) => time === 0)
    await lab.page.getByRole('button', { name: 'Go to the end' }).click()
    await lab.untilStatus('at the end', ({ time }) => time === end)
    await expect.poll(() => lab.page.locator('.sign').textContent()).toBe('Showing the latest moment')
  })

  it('follows the mouse, and shows what was', async () => {
    const box = await lab.slider().boundingBox()
    if (!box) throw new Error('there is no time bar')
    const { mouse } = lab.page
    await mouse.move(box.x + 5, box.y + 20)
    await mouse.down()
    for (let x = 5; x < 300; x += 20) await mouse.move(box.x + x, box.y + 20)
    await mouse.up()
    const shown = await lab.untilStatus('an earlier moment', ({ time, end }) => time > 1 && time < end - 5)
    expect((await lab.status()).end).toBe(shown.end)
    expect(shown.branches.length).toBe(1)
    // The map shows that moment, and nothing that was computed is lost.
    const then = await lab.still()
    await lab.button('Go to the end').click()
    await lab.otherPicture(then)
    expect((await lab.status()).branches.length).toBe(1)
  })

  it('jumps from event to event', async () => {
    await lab.slider().focus()
    await lab.page.keyboard.press('Home')
    await lab.untilStatus('at the beginning', ({ time }) => time === 0)
    await lab.page.getByRole('button', { name: 'Event ▸' }).click()
    const first = await lab.untilStatus('at an event', ({ time }) => time > 0)
    await lab.page.keyboard.press('l')
    await lab.untilStatus('at the end', ({ time, end }) => time === end)
    for (let i = 0; i < 40 && (await lab.status()).time > first.time + 0.01; i++) {
      const { time } = await lab.status()
      await lab.page.keyboard.press(',')
      await lab.untilStatus('at the event before', (status) => status.time < time)
    }
    expect((await lab.status()).time).toBeCloseTo(first.time, 1)
  })

  it('begins a branch with a disturbance in the past, and keeps the first run', async () => {
    const { end } = await lab.status()
    await lab.seek(40)
    await lab.chooseRobot('gold')
    await lab.page.getByRole('button', { name: 'Do it' }).click()
    const branched = await lab.untilStatus('there are two branches', ({ branches }) => branches.length === 2)
    expect(branched.branch).toBe(1)
    expect(branched.branches[1]).toMatchObject({ parent: 0 })
    expect(branched.branches[0].end).toBe(end)
    await expect.poll(() => lab.entries()).toEqual([expect.objectContaining({ stop: 'gold' })])
    await lab.page.getByRole('button', { name: 'Branches (2)' }).click()
    const list = lab.page.getByRole('region', { name: 'Branches' }).getByRole('button')
    await expect.poll(() => list.count()).toBe(2)
    await expect.poll(() => list.nth(1).getAttribute('aria-current')).toBe('true')
    await lab.page.keyboard.press('Escape')
    await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toBe('Branches (2)')
  })

  it('goes to another branch by mouse, and back by keyboard', async () => {
    const { branches } = await lab.status()
    await lab.page.getByRole('button', { name: /^Branches/ }).click()
    await lab.page.getByRole('region', { name: 'Branches' }).getByRole('button').first().click()
    const first = await lab.untilStatus('the first branch is shown', ({ branch }) => branch === 0)
    expect(first.time).toBe(branches[0].end)
    await expect.poll(() => lab.listed()).toEqual([])
    const there = await lab.still()
    const opener = lab.page.getByRole('button', { name: /^Branches/ })
    await opener.focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.page.evaluate(() => document.activeElement?.textContent)).toMatch(/^0 alliance/)
    await lab.page.keyboard.press('Tab')
    await lab.page.keyboard.press('Enter')
    await lab.untilStatus('the other branch is shown', ({ branch }) => branch === 1)
    await lab.otherPicture(there)
    await expect.poll(() => lab.listed()).toEqual([expect.stringContaining('gold')])
    await opener.click()
    await lab.page.getByRole('region', { name: 'Branches' }).getByRole('button').first().click()
    await lab.untilStatus('the first branch is shown again', ({ branch }) => branch === 0)
  })

  it('continues with another coordinator after a rewind', async () => {
    await lab.seek(30)
    await lab.page.getByLabel('Another coordinator').selectOption('greedy')
    await lab.button('Continue with it').click()
    const { branches } = await lab.untilStatus('greedy coordinates', ({ lanes }) => lanes[0].coordinator === 'greedy')
    expect(branches.length).toBe(3)
    await expect.poll(() => lab.page.locator('.run-name').textContent()).toContain('greedy')
    await lab.logs('greedy')
    await lab.runTo((await lab.status()).time + 20)
    await expect.poll(() => lab.page.locator('.run-name').textContent()).toContain('greedy')
    await expect.poll(async () => (await lab.listed()).join()).toContain('greedy')
  })

  it('continues with another coordinator, by keyboard', async () => {
    const { page } = lab
    await lab.slider().focus()
    await page.keyboard.press('PageDown')
    await lab.untilStatus('an earlier moment', ({ time, end }) => time < end - 5)
    await page.getByLabel('Another coordinator').focus()
    await page.keyboard.type('muroco')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.run-name').textContent(), { timeout: PATIENCE }).toContain('muroco')
    await expect.poll(async () => (await lab.status()).branches.length).toBe(4)
  })
})

describe('two coordinators', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6'])
  const bar = () => lab.page.getByRole('region', { name: 'Compare two coordinators' })

  it('are compared side by side, in step', async () => {
    const { page } = lab
    // All robots search then; later they may all stand and wait.
    await lab.runTo(10, '10')
    await lab.button('Compare').click()
    await page.getByLabel('With', { exact: true }).selectOption('greedy')
    await lab.button('Start').click()
    await page.getByText('Left: alliance', { exact: true }).waitFor()
    await page.getByText('Right: greedy', { exact: true }).waitFor()
    await expect.poll(() => bar().textContent()).toMatch(/alliance[\s\S]*greedy/)
    await expect.poll(() => bar().getByRole('progressbar').count()).toBe(2)
    const sizes = await page.locator('canvas[data-lane]').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(Math.abs(sizes[0] - sizes[1])).toBeLessThan(2)
    await lab.untilStatus('both are at the same moment', ({ lanes }) => lanes.length === 2)
    // Each tick advances both.
    const stood = [await lab.still(0), await lab.still(1)]
    await page.keyboard.press(':')
    await lab.otherPicture(stood[0], 0)
    await lab.otherPicture(stood[1], 1)
    const before = [await lab.still(0), await lab.still(1)]
    await lab.runTo((await lab.status()).time + 60)
    expect(await lab.otherPicture(before[0], 0)).not.toBe(await lab.otherPicture(before[1], 1))
  })

  it('are looked at with the same view', async () => {
    const before = [await lab.still(0), await lab.still(1)]
    await lab.map(1).focus()
    await lab.page.keyboard.press('+')
    await lab.otherPicture(before[0], 0)
    await lab.otherPicture(before[1], 1)
    await lab.page.keyboard.press('0')
    await expect.poll(() => lab.picture(1), { timeout: PATIENCE }).toBe(before[1])
  })

  it('meet the same disturbance', async () => {
    const before = [await lab.still(0), await lab.still(1)]
    await lab.page.keyboard.press('o')
    // A place without robots: otherwise the obstacle would wait.
    await lab.drag([8.5, 7.2], [9.5, 6.7])
    await lab.page.keyboard.press('v')
    await lab.page.mouse.move(5, 5)
    await lab.otherPicture(before[0], 0)
    await lab.otherPicture(before[1], 1)
    await lab.tab('Log')
    for (const run of ['0', '1']) {
      await lab.panel().getByLabel('Run', { exact: true }).selectOption(run)
      await lab.logs('obstacle 1')
    }
  })

  it('have robots that can be looked at on both sides', async () => {
    await lab.tab('Robot')
    const list = lab.panel().getByLabel('Robot', { exact: true })
    await list.selectOption('1 0')
    await lab.page.locator('[data-spoken]', { hasText: 'blue:' }).waitFor({ state: 'attached' })
    await expect.poll(() => lab.page.locator('.panel-robot > .facts').textContent()).toMatch(/Task[\s\S]*State/)
  })

  it('are compared no longer, and again by keyboard', async () => {
    const { page } = lab
    await lab.button('Stop comparing').click()
    await lab.button('Compare').waitFor()
    await expect.poll(() => page.locator('canvas[data-lane]').count()).toBe(1)
    await lab.button('Compare').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    await page.keyboard.type('muroco')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Right: muroco', { exact: true }).waitFor()
    await lab.untilStatus('both are at the same moment', ({ lanes }) => lanes.length === 2)
    await lab.button('Stop comparing').focus()
    await page.keyboard.press('Enter')
    await lab.button('Compare').waitFor()
  })
})
