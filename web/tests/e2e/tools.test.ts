// Every tool of the map, by mouse and by keyboard: an action on the page happens in the world, and the page shows it on
// the map, in the list of disturbances and in the log.

import { describe, expect, it } from 'vitest'
import { type Lab, laboratory, PATIENCE, type Told } from './lab'

const names = (told: Told) => told.things.objects.map(({ name }) => name)
const has = (kind: string) => (told: Told) => told.deeds.list.some(({ entry }) => kind in entry)

/** The small form of a tool. */
function form(lab: Lab) {
  const within = () => lab.page.locator('.tool-form')
  return {
    async fill(fields: Record<string, string>) {
      for (const [label, value] of Object.entries(fields)) await within().getByLabel(label, { exact: true }).fill(value)
    },
    async choose(label: string, value: string | RegExp) {
      const list = within().getByLabel(label, { exact: true })
      const found = (await list.locator('option').allInnerTexts()).find((text) =>
        typeof value === 'string' ? text === value : value.test(text),
      )
      await list.selectOption({ label: found ?? String(value) })
    },
    /** By keyboard only. */
    async press(label: string) {
      await within().getByRole('button', { name: label, exact: true }).focus()
      await lab.page.keyboard.press('Enter')
      await lab.page.evaluate(() => (document.activeElement as HTMLElement).blur())
    },
  }
}

/** The list and the log mention it. */
async function told(lab: Lab, words: string | RegExp) {
  await lab.tab('Disturbances')
  const last = lab.page.locator('.deeds li').last()
  await expect.poll(() => last.textContent(), { timeout: PATIENCE }).toMatch(words)
  expect(await last.textContent()).not.toContain('(planned)')
  await expect.poll(() => last.textContent()).toMatch(/^\d+:\d\d\.\d/)
  await lab.tab('Log')
  await expect
    .poll(async () => (await lab.page.locator('.log-box .row').allInnerTexts()).join('\n'), { timeout: PATIENCE })
    .toMatch(words)
}

describe('a cleaning office', () => {
  const lab = laboratory('janitorial', ['--paused'])
  const tool = form(lab)
  const key = (name: string) => lab.page.keyboard.press(name)
  const take = (name: string) => lab.page.locator(`[data-tool="${name}"]`).click()

  let ground: number[] = []

  it('gets an obstacle that is drawn by mouse: on the map, in the list and in the log', async () => {
    await take('obstacle')
    ground = await lab.colour(5.8, 2.75)
    await lab.drag([5.5, 3.2], [6.1, 2.6])
    await lab.until('it is there', (told) => names(told).includes('obstacle 1'))
    await lab.page.mouse.move(5, 5)
    await expect.poll(() => lab.colour(5.8, 2.75), { timeout: PATIENCE }).not.toEqual(ground)
    await take('select')
    await lab.pointed(5.8, 2.9, 'obstacle 1')
    await told(lab, 'obstacle 1')
    await expect.poll(() => lab.entries()).toMatchObject([{ 'object-added': { name: 'obstacle 1' } }])
  })

  it('gets an obstacle by keyboard', async () => {
    await key('o')
    await tool.fill({ x: '8.3', y: '2.5', Width: '0.3', Height: '0.2' })
    await tool.press('Put')
    await lab.pointed(8.3, 2.5, 'obstacle 2')
    await told(lab, 'obstacle 2')
  })

  it('forgets what was begun with Escape', async () => {
    const before = (await lab.entries()).length
    await key('o')
    const from = await lab.at(2, 4)
    await lab.page.mouse.move(from.x, from.y)
    await lab.page.mouse.down()
    await lab.page.mouse.move(from.x + 60, from.y + 60)
    await key('Escape')
    await lab.page.mouse.up()
    await lab.page.waitForTimeout(300)
    expect((await lab.entries()).length).toBe(before)
    await key('v')
  })

  it('lets a person move an object, by mouse and by keyboard, and take it away', async () => {
    await take('move')
    await lab.drag([8.3, 2.5], [8.3, 1.5])
    await lab.until('it is moved', has('object-moved'))
    await lab.pointed(8.3, 1.5, 'obstacle 2')
    await told(lab, 'obstacle 2')
    await key('g')
    await tool.choose('What', 'obstacle 2')
    await tool.fill({ x: '8.3', y: '2.2' })
    await tool.press('Move there')
    await lab.pointed(8.3, 2.2, 'obstacle 2')
    await take('remove')
    await lab.click(8.3, 2.2)
    await lab.until('it is gone', (told) => !names(told).includes('obstacle 2'))
    await told(lab, 'obstacle 2')
    await key('Delete')
    await tool.choose('What', 'obstacle 1')
    await tool.press('Remove')
    await lab.until('the other is gone', (told) => !names(told).includes('obstacle 1'))
    await expect.poll(() => lab.colour(5.8, 2.75), { timeout: PATIENCE }).toEqual(ground)
  })

  it('gets copies of an object, whose stock is set, by mouse and by keyboard', async () => {
    await take('copy')
    await tool.choose('Object', 'near can')
    await lab.click(8, 6.3)
    await lab.pointed(8, 6.3, /copy of near can 1.*garbage 1/)
    await told(lab, 'copy of near can 1')
    await take('stock')
    await lab.click(8, 6.3)
    await lab.until('it is empty', ({ things }) =>
      things.objects.some((each) => each.name === 'copy of near can 1' && each.stocks.garbage === 0),
    )
    await told(lab, 'copy of near can 1')
    await lab.pointed(8, 6.3, /copy of near can 1/)
    await expect.poll(() => lab.page.locator('.map-tip').textContent()).not.toContain('garbage')
    await key('c')
    await tool.choose('Object', 'lower can')
    await tool.fill({ x: '7', y: '6.3' })
    await tool.press('Add')
    await lab.pointed(7, 6.3, /copy of lower can 1.*garbage 1/)
    await key('e')
    await tool.choose('Object', 'copy of lower can 1')
    await tool.fill({ Amount: '3' })
    await tool.press('Set')
    await lab.pointed(7, 6.3, /copy of lower can 1.*garbage 3/)
    await told(lab, 'copy of lower can 1')
  })

  it('has links that can be cut, by mouse and by keyboard', async () => {
    const [one, other] = [await lab.place('r1'), await lab.place('r3')]
    await take('cut')
    await lab.click(...one)
    await lab.click(...other)
    await lab.until('the link is cut', has('link-cut'))
    await told(lab, /r1.*r3|r3.*r1/)
    await key('x')
    await tool.choose('Between', 'r1')
    await tool.choose('and', 'r2')
    await tool.press('Cut')
    await told(lab, /r1.*r2|r2.*r1/)
    await expect
      .poll(async () => (await lab.entries()).slice(-2))
      .toMatchObject([{ 'link-cut': { between: ['r1', 'r3'] } }, { 'link-cut': { between: ['r1', 'r2'] } }])
    await key('v')
  })

  it('lets a person move a robot, by mouse and by keyboard', async () => {
    const [x, y] = await lab.place('r1')
    await take('move')
    await lab.drag([x, y], [8.2, 1.2])
    await lab.until('it is moved', has('robot-moved'))
    await lab.pointed(8.2, 1.2, 'r1')
    await told(lab, 'r1')
    await key('v')
    await key('g')
    await tool.choose('What', 'r1')
    await tool.fill({ x: '8.2', y: '2.2' })
    await tool.press('Move there')
    await lab.pointed(8.2, 2.2, 'r1')
    await told(lab, 'r1')
  })

  it('says in its own words why something cannot be done', async () => {
    await key('g')
    await tool.choose('What', 'r1')
    await tool.fill({ x: '-5', y: '1' })
    const before = (await lab.entries()).length
    await tool.press('Move there')
    await lab.page.locator('.toast.error', { hasText: 'outside' }).waitFor()
    expect((await lab.entries()).length).toBe(before)
    await key('v')
  })

  it.each(['keyboard', 'mouse'])('lets a robot join, by %s', async (how) => {
    const before = (await lab.told()).scene.robots.length
    const place: [number, number] = how === 'mouse' ? [6.5, 4.2] : [5, 4.2]
    if (how === 'mouse') {
      await take('add-robot')
      await lab.click(...place)
    } else {
      await key('a')
      await tool.fill({ x: String(place[0]), y: String(place[1]) })
      await tool.press('Add')
    }
    const { scene } = await lab.until('it joins', (told) => told.scene.robots.length === before + 1)
    const name = scene.robots[before].name
    await key('v')
    await lab.pointed(...place, name)
    await lab.tab('Team')
    await expect.poll(() => lab.page.locator('.tasks').textContent(), { timeout: PATIENCE }).toContain(name)
    await told(lab, name)
  })

  it('goes on after a reload, with all that was done', async () => {
    await lab.page.reload()
    await lab.pointed(8, 6.3, 'copy of near can 1')
    await expect.poll(async () => (await lab.listed()).length).toBeGreaterThan(12)
  })
})

describe('a spill, with a radio that has noise', () => {
  const lab = laboratory('waste-cleanup', ['--set', 'radio.model=wifi-indoor', '--paused'])
  const tool = form(lab)
  const key = (name: string) => lab.page.keyboard.press(name)
  const take = (name: string) => lab.page.locator(`[data-tool="${name}"]`).click()

  it('gets items, which are moved and taken away, by mouse', async () => {
    await take('item')
    await lab.click(10, 1)
    await lab.pointed(10, 1, /waste \d+/)
    await told(lab, 'waste')
    await take('move')
    await lab.drag([10, 1], [10, 2])
    await lab.until('it is moved', has('items-moved'))
    await lab.pointed(10, 2, /waste \d+/)
    await take('remove')
    await lab.click(10, 2)
    await lab.until('it is gone', has('items-removed'))
    await told(lab, /taken away|removed|gone|waste/)
  })

  it('gets items, which are moved and taken away, by keyboard', async () => {
    await key('b')
    await tool.fill({ x: '11', y: '1' })
    await tool.press('Add')
    await lab.pointed(11, 1, /waste \d+/)
    const item = (await lab.page.locator('.map-tip strong').textContent()) ?? ''
    await key('g')
    await tool.choose('What', item)
    await tool.fill({ x: '11', y: '2' })
    await tool.press('Move there')
    await lab.pointed(11, 2, item)
    await key('Delete')
    await tool.choose('What', item)
    await tool.press('Remove')
    await expect
      .poll(async () => (await lab.entries()).at(-1))
      .toMatchObject({ 'items-removed': { number: Number(item.split(' ')[1]) } })
    await key('v')
  })

  it('gets jammers that make noise and can be switched, by mouse', async () => {
    await key('6')
    const legend = lab.page.locator('.legend')
    await expect.poll(() => legend.textContent(), { timeout: PATIENCE }).toContain('dBm')
    const quiet = await legend.textContent()
    await take('jammer')
    await lab.click(6, 6)
    await lab.pointed(6, 6, /jammer 1.*jams with 20 dBm/)
    await told(lab, 'jammer 1')
    // It transmits from the next tick on.
    await key('.')
    await expect.poll(() => legend.textContent(), { timeout: PATIENCE }).not.toBe(quiet)
    await lab.click(6, 6)
    await lab.pointed(6, 6, /jammer 1.*off/)
    await told(lab, 'jammer 1')
  })

  it('gets jammers by keyboard, too', async () => {
    await key('j')
    await tool.fill({ 'Power (dBm)': '30', x: '2', y: '6' })
    await tool.press('Place')
    await lab.pointed(2, 6, /jammer 2.*jams with 30 dBm/)
    await key('j')
    await tool.choose('Jammer', /jammer 1/)
    await tool.press('Switch')
    await lab.pointed(6, 6, /jammer 1.*jams with 20 dBm/)
    await key('v')
  })
})

describe('a spill, with a radio without noise', () => {
  const lab = laboratory('waste-cleanup', ['--paused'])

  it('says that a jammer would have no effect', async () => {
    await lab.page.keyboard.press('j')
    await expect.poll(() => lab.page.locator('.tool-options .hint').textContent()).toContain('this radio is ideal')
  })

  it('has no stocks, and says so', async () => {
    await expect.poll(() => lab.page.locator('[data-tool=stock]').isDisabled()).toBe(true)
    await lab.page.keyboard.press('e')
    await expect.poll(() => lab.toasts()).toContain('No object here has a stock')
  })

  it('leaves keys to fields that one types in', async () => {
    await lab.page.keyboard.press('o')
    const field = lab.page.locator('.tool-form').getByLabel('Width', { exact: true })
    await field.focus()
    await lab.page.keyboard.type('12')
    await expect.poll(() => lab.page.getByRole('checkbox', { name: 'Sensor rays' }).isChecked()).toBe(false)
    await expect.poll(() => field.inputValue()).toContain('12')
  })
})
