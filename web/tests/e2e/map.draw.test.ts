// What the map draws, in a real browser with a server that is played in the page.

import { afterEach, describe, expect, it } from 'vitest'
import { FakePage } from './fake-page'

let opened: FakePage | null = null
afterEach(async () => {
  expect(opened?.errors ?? []).toEqual([])
  await opened?.close()
  opened = null
})

describe('the map', () => {
  it('draws only when something changed', async () => {
    opened = await FakePage.open({ paused: true })
    await opened.page.waitForTimeout(500)
    const painted = () => opened?.page.locator('canvas[data-lane="0"]').getAttribute('data-painted')
    const before = await painted()
    const sum = await opened.sum()
    await opened.page.waitForTimeout(1000)
    expect(Number(await painted()) - Number(before)).toBeLessThan(10)
    expect(await opened.sum()).toBe(sum)
  })

  it('moves robots while the run plays', async () => {
    opened = await FakePage.open()
    const before = await opened.sum()
    await opened.page.waitForTimeout(400)
    expect(await opened.sum()).not.toBe(before)
  })

  it.each([
    ['1', 'Trails'],
    ['2', 'Sensor rays'],
    ['3', 'Radio links'],
    ['4', 'Plans'],
    ['5', 'Terrain'],
    ['6', 'Noise floor'],
    ['7', 'Cost field'],
    ['8', 'Task labels'],
    ['9', 'Names'],
  ])('switches layer %s, %s, with its key', async (key, label) => {
    opened = await FakePage.open({ paused: key !== '1' })
    await opened.page.keyboard.press('n')
    await opened.page.waitForTimeout(key === '1' ? 1500 : 300)
    if (key === '1') await opened.page.keyboard.press('Space')
    await opened.page.waitForTimeout(300)
    const box = opened.page.getByRole('checkbox', { name: label })
    const was = await box.isChecked()
    const before = await opened.sum()
    await opened.page.keyboard.press(key)
    await opened.page.waitForTimeout(500)
    expect(await box.isChecked()).toBe(!was)
    expect(await opened.sum()).not.toBe(before)
    await opened.page.keyboard.press(key)
    await opened.page.waitForTimeout(300)
    expect(await opened.sum()).toBe(before)
  })

  it('asks the server for the layers it has to make, and remembers them', async () => {
    opened = await FakePage.open({ paused: true })
    await opened.page.keyboard.press('3')
    await opened.page.keyboard.press('6')
    const last = (await opened.sent('watch')).at(-1)
    expect(last?.layers).toEqual(['links', 'noise'])
    await opened.page.reload()
    await opened.page.waitForSelector('canvas[data-lane="0"][data-painted]')
    await opened.page.waitForTimeout(200)
    expect((await opened.sent('watch')).at(-1)?.layers).toEqual(['links', 'noise'])
    await expect(opened.page.getByRole('checkbox', { name: 'Radio links' }).isChecked()).resolves.toBe(true)
  })

  it('says that an ideal radio has no noise', async () => {
    opened = await FakePage.open({ paused: true, physical: false })
    await opened.page.keyboard.press('6')
    await opened.page.getByText('Noise floor: radio "ideal" has none').waitFor()
  })

  it('says that links are left out', async () => {
    opened = await FakePage.open({ robots: 200 })
    await opened.page.keyboard.press('3')
    await opened.page.getByText('1600 more links are not shown').waitFor()
  })

  it('shows two lanes side by side, in step', async () => {
    opened = await FakePage.open({ lanes: 2, paused: true })
    await opened.page.getByText('Left: alliance', { exact: true }).waitFor()
    await opened.page.getByText('Right: muroco', { exact: true }).waitFor()
    const before = [await opened.sum(0), await opened.sum(1)]
    await opened.page.keyboard.press('+')
    await opened.settled()
    expect(await opened.sum(0)).not.toBe(before[0])
    expect(await opened.sum(1)).not.toBe(before[1])
  })

  it('saves a picture', async () => {
    opened = await FakePage.open({ paused: true })
    const [download] = await Promise.all([opened.page.waitForEvent('download'), opened.page.keyboard.press('i')])
    expect(download.suggestedFilename()).toBe('waste-clean-up-fake-0.0s.png')
  })

  it('draws a thousand robots and two hundred items thirty times per second', { timeout: 60000 }, async () => {
    opened = await FakePage.open({ robots: 1000, items: 200 })
    const { page } = opened
    await page.waitForTimeout(2000)
    const rate = await page.evaluate(async () => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-lane="0"]')
      const fake = (window as unknown as { fake: { tick: number } }).fake
      const count = () => [Number(canvas?.dataset.painted), fake.tick, performance.now()]
      const from = count()
      await new Promise((done) => setTimeout(done, 4000))
      const to = count()
      const seconds = (to[2] - from[2]) / 1000
      return { pictures: (to[0] - from[0]) / seconds, frames: (to[1] - from[1]) / seconds }
    })
    console.log(`${rate.pictures.toFixed(1)} pictures/s of ${rate.frames.toFixed(1)} frames/s`)
    // Other tests may run on the same two cores.
    expect(rate.pictures).toBeGreaterThan(26)
  })
})
