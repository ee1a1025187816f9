// Every tool of the map against a real run: what is drawn on the page happens in the world.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { available, LivePage, type Told } from './live-page'

let opened: LivePage
const names = (told: Told) => told.things.objects.map(({ name }) => name)
const deeds = (told: Told) => told.deeds.list.flatMap(({ entry }) => Object.keys(entry))

async function done(what: string, fits: (told: Told) => boolean) {
  return opened.until(fits, what)
}

async function fill(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await opened.page.locator('.tool-form').getByLabel(label, { exact: true }).fill(value)
}

async function press(label: string) {
  await opened.page.locator('.tool-form').getByRole('button', { name: label, exact: true }).click()
}

describe.skipIf(!available())('a cleaning office', () => {
  beforeAll(async () => {
    opened = await LivePage.open('janitorial')
    await opened.page.waitForTimeout(500)
  }, 60000)
  afterAll(async () => {
    await opened.close()
    expect(opened.errors).toEqual([])
  })

  it('shows robots that move', async () => {
    const before = (await opened.told()).frames
    await done('frames come', (told) => told.frames > before + 5)
  })

  it('gets an obstacle that is drawn by mouse', async () => {
    await opened.page.keyboard.press('o')
    await opened.drag([5.5, 3.2], [6.1, 2.6])
    const told = await done('the obstacle is there', (told) => names(told).includes('obstacle 1'))
    expect(told.deeds.list.at(-1)?.entry).toMatchObject({ 'object-added': { name: 'obstacle 1' } })
  })

  it('gets an obstacle by keyboard, which is moved and taken away', async () => {
    await opened.page.keyboard.press('o')
    await fill({ x: '8.3', y: '2.5', Width: '0.3', Height: '0.2' })
    await press('Put')
    await done('the second is there', (told) => names(told).includes('obstacle 2'))
    await opened.page.keyboard.press('v')
    await opened.page.keyboard.press('g')
    await opened.drag([8.3, 2.5], [8.3, 1.5])
    const height = (told: Told) => {
      const outline = told.things.objects.find(({ name }) => name === 'obstacle 2')?.outline
      return ((outline as { polygon: number[][] })?.polygon ?? []).reduce((sum, [, y]) => sum + y / 4, 0)
    }
    await done('it is moved', (told) => deeds(told).includes('object-moved') && Math.abs(height(told) - 1.5) < 0.05)
    await opened.page.keyboard.press('Delete')
    await opened.click(8.3, 1.5)
    await done('it is gone', (told) => !names(told).includes('obstacle 2'))
  })

  it('gets a can, which is emptied', async () => {
    await opened.page.keyboard.press('c')
    await opened.click(8, 6.3)
    await done('the can is there', (told) =>
      told.things.objects.some((each) => each.name === 'can 1' && each.garbage > 0),
    )
    await opened.page.keyboard.press('e')
    await opened.click(8, 6.3)
    await done('it is empty', (told) => told.things.objects.some((each) => each.name === 'can 1' && each.garbage === 0))
  })

  it('gets a jammer', async () => {
    await opened.page.keyboard.press('j')
    await opened.click(6.2, 7.4)
    await done('the jammer is there', (told) => told.things.objects.some((each) => each.jammer !== null))
  })

  it('has links that can be cut', async () => {
    await opened.page.keyboard.press('x')
    const form = opened.page.locator('.tool-form')
    await form.getByLabel('Between', { exact: true }).selectOption({ label: 'r1' })
    await form.getByLabel('and', { exact: true }).selectOption({ label: 'r2' })
    await press('Cut')
    await done('the link is cut', (told) => told.deeds.list.some(({ entry }) => 'link-cut' in entry))
  })

  it('lets a robot join', async () => {
    const before = (await opened.told()).scene.robots.length
    await opened.page.keyboard.press('a')
    await fill({ x: '6.5', y: '4.2' })
    await press('Add')
    await done('it joins', (told) => told.scene.robots.length === before + 1)
  })

  it('lets a person move a robot', async () => {
    await opened.page.keyboard.press('v')
    await opened.page.keyboard.press('g')
    await opened.page.locator('.tool-form').getByLabel('What', { exact: true }).selectOption({ label: 'r1' })
    await fill({ x: '8.2', y: '1.2' })
    await press('Move there')
    await done('it is moved', (told) => told.deeds.list.some(({ entry }) => 'robot-moved' in entry))
  })

  it('lets a person drive a robot', async () => {
    await opened.page.keyboard.press('v')
    await opened.page.keyboard.press('n')
    await opened.page.keyboard.press('t')
    await done('it is taken over', (told) => told.detail?.taken_over === true)
    const before = (await opened.told()).detail as { x: number; y: number }
    await opened.page.keyboard.down('a')
    await opened.page.waitForTimeout(400)
    await opened.page.keyboard.up('a')
    await opened.page.keyboard.down('w')
    await done('it drives', ({ detail }) => !!detail && Math.hypot(detail.x - before.x, detail.y - before.y) > 0.1)
    await opened.page.keyboard.up('w')
    await opened.page.keyboard.press('Escape')
    await done('it is given back', (told) => told.detail?.taken_over === false)
    const ways = (await opened.told()).deeds.list.filter(({ entry }) => 'take-over' in entry)
    expect(ways.length).toBe(5)
  })

  it('says in its own words why something cannot be done', async () => {
    await opened.page.keyboard.press('g')
    await opened.page.locator('.tool-form').getByLabel('What', { exact: true }).selectOption({ label: 'r1' })
    await fill({ x: '-5', y: '1' })
    await press('Move there')
    await opened.page.locator('.toast.error').first().waitFor()
    expect(await opened.page.locator('.toast.error').first().textContent()).toContain('outside')
  })

  it('goes on after a reload', async () => {
    await opened.page.reload()
    await opened.page.waitForSelector('canvas[data-lane="0"][data-painted]')
    await done('obstacles are still there', (told) => names(told).includes('obstacle 1'))
  })
})

describe.skipIf(!available())('a spill, with a radio that has noise', () => {
  beforeAll(async () => {
    opened = await LivePage.open('waste-cleanup', ['--set', 'radio.model=wifi-indoor', '--paused'])
    await opened.page.waitForTimeout(500)
  }, 60000)
  afterAll(async () => {
    await opened.close()
    expect(opened.errors).toEqual([])
  })

  it('gets an item, which is moved and taken away', async () => {
    await opened.page.keyboard.press('b')
    await opened.click(10, 1)
    await done('the item is there', (told) => deeds(told).includes('items-added'))
    await opened.page.keyboard.press('g')
    await opened.drag([10, 1], [10, 2])
    const told = await done('it is moved', (told) => deeds(told).includes('items-moved'))
    const entry = told.deeds.list.at(-1)?.entry['items-moved'] as { number: number; place: number[] } | undefined
    expect(entry?.place[1]).toBeCloseTo(2, 1)
    const at = await opened.at(10, 2)
    await opened.page.mouse.move(at.x, at.y)
    await opened.page.locator('.map-tip', { hasText: `waste ${entry?.number}` }).waitFor()
    await opened.page.keyboard.press('Delete')
    await opened.click(10, 2)
    await done('it is gone', (told) => deeds(told).includes('items-removed'))
  })

  it('shows the noise of a jammer', async () => {
    await opened.page.keyboard.press('6')
    await opened.page.getByText('Noise floor').nth(1).waitFor()
    const before = await opened.page.locator('.legend').textContent()
    await opened.page.keyboard.press('j')
    await opened.click(6, 6)
    await done('the jammer is there', (told) => told.things.objects.some((each) => each.jammer !== null))
    // It is on the air from the next tick on.
    await opened.page.keyboard.press('.')
    await opened.page.waitForFunction((before) => document.querySelector('.legend')?.textContent !== before, before)
    expect(await opened.page.locator('.legend').textContent()).toMatch(/Noise floor-\d+-?\d+ dBm/)
  })

  it('lets a person switch a jammer', async () => {
    const on = (told: Told) => told.things.objects.some(({ jammer }) => (jammer as { on: boolean } | null)?.on)
    await opened.click(6, 6)
    await done('it is off', (told) => !on(told))
    await press('Switch')
    await done('it is on again', on)
  })

  it('shows links', async () => {
    await opened.page.keyboard.press('3')
    await opened.page.getByText('Link quality').waitFor()
  })

  it('can be compared with another coordinator, in step', async () => {
    await opened.page.evaluate(() => {
      // The panels have a button for this; here only the maps matter.
      const { socket } = window as unknown as { socket: WebSocket }
      socket.send(JSON.stringify({ id: 1e6, do: 'compare', coordinator: 'greedy' }))
    })
    await opened.page.getByText('Right: greedy', { exact: true }).waitFor()
    const sizes = await opened.page
      .locator('canvas[data-lane]')
      .evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(Math.abs(sizes[0] - sizes[1])).toBeLessThan(2)
    await opened.page.keyboard.press('o')
    await opened.page.keyboard.press('v')
    const box = await opened.page.locator('canvas[data-lane="1"]').boundingBox()
    await opened.page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
    await opened.page.keyboard.press('n')
    await opened.page.locator('[data-spoken]', { hasText: 'blue' }).waitFor({ state: 'attached' })
  })
})
