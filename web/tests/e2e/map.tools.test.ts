// What tools and keys of the map tell the server, by mouse and by keyboard.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakePage } from './fake-page'

let opened: FakePage
beforeAll(async () => {
  opened = await FakePage.open({ paused: true })
})
afterAll(async () => {
  expect(opened.errors).toEqual([])
  await opened.close()
})

/** What the page tells the server while something is done. */
async function told(what: () => Promise<unknown>, kind = 'disturb') {
  const before = (await opened.sent(kind)).length
  await what()
  await opened.page.waitForTimeout(60)
  return (await opened.sent(kind)).slice(before)
}

const entries = async (what: () => Promise<unknown>) => (await told(what)).map(({ entry }) => entry)

async function fill(label: string, value: string) {
  await opened.page.locator('.tool-form').getByLabel(label, { exact: true }).fill(value)
}

async function choose(label: string, value: string) {
  await opened.page.locator('.tool-form').getByLabel(label, { exact: true }).selectOption({ label: value })
}

async function press(label: string) {
  await opened.page.locator('.tool-form').getByRole('button', { name: label, exact: true }).click()
}

describe('selecting', () => {
  it('works by click', async () => {
    const robot = await opened.page.evaluate(() =>
      (window as unknown as { fake: { place: (i: number, lane: number) => [number, number] } }).fake.place(1, 0),
    )
    const sent = await told(() => opened.click(robot[0], robot[1]), 'watch')
    expect(sent.at(-1)).toMatchObject({ lane: 0, robot: 1 })
  })

  it('works by keyboard, and is spoken', async () => {
    await opened.page.locator('canvas[data-lane="0"]').focus()
    await opened.page.keyboard.press('n')
    expect((await opened.sent('watch')).at(-1)).toMatchObject({ robot: 2 })
    await opened.page.keyboard.press('p')
    expect((await opened.sent('watch')).at(-1)).toMatchObject({ robot: 1 })
    await opened.page
      .locator('[data-spoken]', { hasText: 'gold: drives to the left spill' })
      .waitFor({ state: 'attached' })
    await opened.page.keyboard.press('Escape')
    expect((await opened.sent('watch')).at(-1)).toMatchObject({ robot: null })
  })
})

describe('tools', () => {
  it('draw an obstacle', async () => {
    await opened.page.keyboard.press('o')
    const [entry] = await entries(() => opened.drag([2, 4], [4, 3]))
    const added = entry?.['object-added'] as { name: string; rectangle: number[]; at: number[] }
    expect(added.name).toBe('obstacle 2')
    expect(added.rectangle[0]).toBeCloseTo(2, 1)
    expect(added.rectangle[1]).toBeCloseTo(1, 1)
    expect(added.at[0]).toBeCloseTo(3, 1)
    expect(added.at[1]).toBeCloseTo(3.5, 1)
  })

  it('put an obstacle by keyboard', async () => {
    await opened.page.keyboard.press('o')
    await fill('x', '5')
    await fill('y', '6.5')
    await fill('Width', '0.4')
    await fill('Height', '0.3')
    const [entry] = await entries(() => press('Put'))
    expect(entry).toMatchObject({ 'object-added': { rectangle: [0.4, 0.3], at: [5, 6.5] } })
  })

  it('forget what was begun with Escape', async () => {
    await opened.page.keyboard.press('o')
    const from = await opened.at(2, 4)
    await opened.page.mouse.move(from.x, from.y)
    await opened.page.mouse.down()
    await opened.page.mouse.move(from.x + 60, from.y + 60)
    await opened.page.keyboard.press('Escape')
    expect(await entries(() => opened.page.mouse.up())).toEqual([])
  })

  it('move a robot, an object and an item', async () => {
    await opened.page.keyboard.press('g')
    const robot = await opened.page.evaluate(() =>
      (window as unknown as { fake: { place: (i: number, lane: number) => [number, number] } }).fake.place(1, 0),
    )
    const [moved] = await entries(() => opened.drag([robot[0], robot[1]], [robot[0] + 1, robot[1]]))
    const x = expect.closeTo(robot[0] + 1, 1)
    expect(moved).toEqual({ 'robot-moved': { robot: 'gold', place: [x, expect.closeTo(robot[1], 1)] } })
    const [desk] = await entries(() => opened.drag([8.2, 5.6], [8.2, 6.6]))
    expect(desk).toEqual({ 'object-moved': { object: 'desk', to: [expect.closeTo(7.7, 1), expect.closeTo(6.4, 1)] } })
    await choose('What', 'waste 2')
    await fill('x', '1')
    await fill('y', '2')
    expect(await entries(() => press('Move there'))).toEqual([
      { 'items-moved': { number: 2, place: [1, 2], radius: 0 } },
    ])
  })

  it('add items, cans, jammers and robots where one clicks', async () => {
    await opened.page.keyboard.press('b')
    await choose('Kind', 'parcel')
    expect((await entries(() => opened.click(4, 7)))[0]).toMatchObject({ 'items-added': { item: 'parcel', count: 1 } })
    await opened.page.keyboard.press('c')
    expect((await entries(() => opened.click(4, 7)))[0]).toMatchObject({ 'object-added': { garbage: 1 } })
    await opened.page.keyboard.press('j')
    await fill('Power (dBm)', '30')
    expect((await entries(() => opened.click(4, 7)))[0]).toMatchObject({ 'object-added': { jammer: { power: 30 } } })
    await opened.page.keyboard.press('a')
    await choose('Like', 'rose')
    const [joined] = await told(() => opened.click(4, 7), 'add-robot')
    expect(joined).toMatchObject({ like: 3 })
    expect((joined.place as number[])[0]).toBeCloseTo(4, 1)
  })

  it('empty a can, remove things and cut links', async () => {
    await opened.page.keyboard.press('e')
    expect(await entries(() => opened.click(1.2, 3.4))).toEqual([
      { 'object-changed': { object: 'near can', garbage: 0 } },
    ])
    await opened.page.keyboard.press('Delete')
    expect(await entries(() => opened.click(3, 6))).toEqual([{ 'object-removed': 'pillar' }])
    await choose('What', 'waste 2')
    expect(await entries(() => press('Remove'))).toEqual([{ 'items-removed': { number: 2 } }])
    await opened.page.keyboard.press('x')
    const robots = await opened.page.evaluate(() => {
      const { fake } = window as unknown as { fake: { place: (i: number, lane: number) => [number, number] } }
      return [fake.place(1, 0), fake.place(3, 0)]
    })
    const cut = await entries(async () => {
      for (const [x, y] of robots) await opened.click(x, y)
    })
    expect(cut).toEqual([{ 'link-cut': { between: ['gold', 'rose'] } }])
    await choose('Between', 'blue')
    await choose('and', 'sky')
    expect(await entries(() => press('Cut'))).toEqual([{ 'link-cut': { between: ['blue', 'sky'] } }])
  })

  it('measure', async () => {
    await opened.page.keyboard.press('m')
    await opened.drag([2, 2], [5, 6])
    const hint = await opened.page.locator('.hint').textContent()
    expect(hint).toMatch(/[45]\.\d\d m, 5[23]\.\d°/)
    await opened.page.keyboard.press('Escape')
    await opened.page.keyboard.press('Escape')
    expect(await opened.page.locator('.hint').textContent()).toContain('Select')
  })
})

describe('driving by hand', () => {
  it('tells the server only when the keys change, and gives the robot back', async () => {
    await opened.page.keyboard.press('n')
    const name = 'blue'
    const sent = await entries(async () => {
      await opened.page.keyboard.press('t')
      await opened.page.keyboard.down('ArrowUp')
      await opened.page.keyboard.down('ArrowUp')
      await opened.page.keyboard.down('a')
      await opened.page.keyboard.up('ArrowUp')
      await opened.page.keyboard.up('a')
    })
    const over = (speed: number, turn: number) => ({ 'take-over': { robot: name, speed, turn } })
    expect(sent).toEqual([over(0, 0), over(1, 0), over(1, 1), over(0, 1), over(0, 0)])
    await opened.page.getByText('You drive blue').waitFor()
    expect(await entries(() => opened.page.keyboard.press('Escape'))).toEqual([{ release: name }])
    expect(await opened.page.getByText('You drive blue').count()).toBe(0)
  })

  it('stops when the window loses the focus', async () => {
    await opened.page.keyboard.press('t')
    await opened.page.keyboard.down('w')
    const sent = await entries(() => opened.page.evaluate(() => window.dispatchEvent(new Event('blur'))))
    expect(sent).toEqual([{ 'take-over': { robot: 'blue', speed: 0, turn: 0 } }])
    await opened.page.keyboard.up('w')
    await opened.page.keyboard.press('t')
  })

  it('leaves typing alone', async () => {
    await opened.page.keyboard.press('o')
    const field = opened.page.locator('.tool-form').getByLabel('Width', { exact: true })
    await field.focus()
    const sent = await entries(() => opened.page.keyboard.type('12'))
    expect(sent).toEqual([])
    expect(await opened.page.getByRole('checkbox', { name: 'Sensor rays' }).isChecked()).toBe(false)
    await field.blur()
    await opened.page.keyboard.press('v')
  })
})
