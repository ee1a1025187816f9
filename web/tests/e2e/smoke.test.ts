// The whole way: binary, socket, page, pixels.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumBrowser, movement, open, picture, Server } from './harness'

const simulated = 'output[aria-label="Simulated time"]'

const moves = (page: Page) => expect.poll(() => movement(page, 500), { timeout: 20_000 }).toBeGreaterThan(20)

describe('the live laboratory', () => {
  it('shows a run, and robots move on the map', async () => {
    const lab = await open('waste-cleanup', ['--speed', '4'])
    const { page } = lab
    expect(await page.title()).toContain('waste-cleanup')
    await moves(page)
    const before = await page.locator(simulated).textContent()
    await expect.poll(() => page.locator(simulated).textContent()).not.toBe(before)
    expect(lab.complaints()).toEqual([])
  })

  it('stands still when it is paused, and goes on after that', async () => {
    const lab = await open('waste-cleanup', ['--paused'])
    const { page } = lab
    await sleep(500)
    const before = await picture(page)
    expect(await movement(page, 500)).toBe(0)
    await page.keyboard.press('Space')
    await expect.poll(() => picture(page)).not.toBe(before)
  })

  it('shows two viewers the same', async () => {
    const lab = await open('waste-cleanup', ['--speed', '8'])
    const other = await lab.another()
    // Who came later has not seen where robots went before.
    for (const page of [lab.page, other]) await page.keyboard.press('1')
    await sleep(1000)
    await other.keyboard.press('Space')
    await sleep(700)
    const time = await other.locator(simulated).textContent()
    expect(await lab.page.locator(simulated).textContent()).toBe(time)
    expect(await picture(lab.page)).toBe(await picture(other))
  })

  it('goes on after a reload', async () => {
    const lab = await open('waste-cleanup', ['--speed', '4'])
    for (let i = 0; i < 5; i++) {
      await lab.page.reload()
      await lab.page.locator('canvas[data-lane="0"][data-painted]').waitFor()
    }
    await moves(lab.page)
  })

  it('works with a token, and not without', async () => {
    const lab = await open('waste-cleanup', ['--bind', '0.0.0.0', '--speed', '4'])
    expect(lab.url).toContain('?token=')
    await moves(lab.page)
    expect((await fetch(lab.url.replace(/\?.*/, ''))).status).toBe(401)
  })

  it('is refused to pages of others', async () => {
    const lab = await open('waste-cleanup', ['--paused'])
    const others = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>elsewhere</p>'),
    )
    await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve))
    try {
      const page = await (await chromiumBrowser()).newPage()
      const knock = async (from: string) => {
        await page.goto(from)
        return page.evaluate(
          (address) =>
            new Promise((resolve) => {
              const socket = new WebSocket(address)
              socket.onmessage = () => resolve('came in')
              socket.onerror = () => resolve('refused')
            }),
          `${lab.url.replace('http', 'ws')}ws`,
        )
      }
      expect(await knock(`http://127.0.0.1:${(others.address() as AddressInfo).port}/`)).toBe('refused')
      expect(await knock(lab.url)).toBe('came in')
    } finally {
      others.close()
    }
  })

  it('ends with Ctrl-C', async () => {
    const server = await Server.start('waste-cleanup')
    expect(await server.stop()).toBe(0)
  })
})
