// Moving about on the map, and what everybody can reach.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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

describe('the view', () => {
  it('does not scroll the page', async () => {
    const room = await opened.page.evaluate(() => [
      document.documentElement.scrollHeight,
      innerHeight,
      document.body.scrollWidth,
      innerWidth,
    ])
    expect(room[0]).toBeLessThanOrEqual(room[1])
    expect(room[2]).toBeLessThanOrEqual(room[3])
    const dock = await opened.page.locator('.dock').evaluate((dock) => [dock.scrollHeight, dock.clientHeight])
    expect(dock[0]).toBeLessThanOrEqual(dock[1])
    const map = await opened.page.locator('canvas[data-lane="0"]').boundingBox()
    expect(map?.width).toBeGreaterThan(750)
    expect(map?.height).toBeGreaterThan(450)
  })

  it('zooms, moves and comes back', async () => {
    const all = await opened.sum()
    const seen = new Set([all])
    const step = async (what: () => Promise<unknown>) => {
      await what()
      await opened.settled()
      const sum = await opened.sum()
      expect(seen.has(sum)).toBe(false)
      seen.add(sum)
    }
    const { page } = opened
    await page.locator('canvas[data-lane="0"]').focus()
    await step(() => page.keyboard.press('+'))
    await page.locator('.minimap').waitFor()
    await step(() => page.keyboard.press('ArrowLeft'))
    await step(() => page.keyboard.press('ArrowUp'))
    await step(async () => {
      await page.mouse.move(500, 300)
      await page.mouse.wheel(0, -300)
      await page.waitForTimeout(100)
    })
    await step(() => page.locator('.minimap canvas').click({ position: { x: 20, y: 20 } }))
    await page.keyboard.press('0')
    await page.mouse.move(5, 5)
    await page.waitForTimeout(100)
    expect(await opened.sum()).toBe(all)
    expect(await page.locator('.minimap').count()).toBe(0)
  })

  it('follows a robot', async () => {
    const { page } = opened
    await page.keyboard.press('n')
    for (let i = 0; i < 4; i++) await page.keyboard.press('+')
    await page.keyboard.press('f')
    await page.keyboard.press('Space')
    await page.waitForTimeout(500)
    const centre = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-lane="0"]')
      const data = canvas?.getContext('2d')?.getImageData(canvas.width / 2 + 8, canvas.height / 2 + 8, 1, 1).data
      return data ? [data[0], data[1], data[2]] : []
    })
    // The robot, not the ground.
    expect(centre).not.toEqual([255, 255, 255])
    await page.keyboard.press('Space')
    await page.keyboard.press('0')
    await page.keyboard.press('Escape')
  })

  it('tells what one points at', async () => {
    const at = await opened.at(3, 6)
    await opened.page.mouse.move(at.x, at.y)
    await opened.page.locator('.map-tip', { hasText: 'pillar' }).waitFor()
  })

  it('has no barriers that axe can find, in both themes', async () => {
    const { page } = opened
    const script = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url))
    await page.addScriptTag({ content: await readFile(script, 'utf8') })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      for (const key of ['o', 'x', 'v']) {
        await page.keyboard.press(key)
        const found = await page.evaluate(async () => {
          const axe = (
            window as unknown as {
              axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
            }
          ).axe
          return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
        })
        expect(found).toEqual([])
      }
    }
  })

  it('has a name and a tooltip for every control', async () => {
    const bare = await opened.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.map-area button, .map-area select, .map-area input')]
        .filter((each) => !each.closest('[data-tip]') && !each.title)
        .map((each) => each.outerHTML),
    )
    expect(bare).toEqual([])
  })
})
