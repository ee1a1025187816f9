// End to end: binary, socket, page, pixels.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { chromiumBrowser, laboratory, open, PATIENCE, painted, Server } from './lab'

const simulated = 'output[aria-label="Simulated time"]'

describe('the live laboratory', () => {
  const lab = laboratory('waste-cleanup', ['--speed', '4'])

  it('shows a run, and robots move on the map', async () => {
    await expect.poll(() => lab.page.title()).toContain('waste-cleanup')
    await lab.moves()
    const before = await lab.page.locator(simulated).textContent()
    await expect.poll(() => lab.page.locator(simulated).textContent(), { timeout: PATIENCE }).not.toBe(before)
    expect(lab.complaints()).toEqual([])
  })

  it('goes on after every reload', async () => {
    for (let i = 0; i < 3; i++) {
      await lab.page.reload()
      await painted(lab.page)
    }
    await lab.moves()
    // It receives the actions of others, and others receive its actions.
    await lab.page.keyboard.press('n')
    await lab.page.locator('.panel-robot .facts').first().waitFor()
    await lab.page.keyboard.press('Escape')
  })

  it('stands still when it is paused, costs nothing then, and goes on after that', async () => {
    await lab.page.keyboard.press('Space')
    await lab.button('Play').waitFor()
    await lab.still()
    const paintings = async () => Number(await lab.map().getAttribute('data-painted'))
    const before = await paintings()
    expect(await lab.movement(700)).toBe(0)
    expect((await paintings()) - before).toBeLessThan(10)
    await lab.page.keyboard.press('Space')
    await lab.moves()
  })

  it('shows two viewers the same, whoever does something', async () => {
    const other = await lab.another()
    await expect.poll(() => lab.page.locator('.connection').textContent()).toContain('2 viewers')
    // A later viewer has not seen the earlier trails.
    for (const page of [lab.page, other]) await page.keyboard.press('1')
    await lab.moves(other)
    await other.keyboard.press('Space')
    for (const page of [lab.page, other]) await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const agree = async () => {
      await expect
        .poll(
          async () =>
            (await lab.page.locator(simulated).textContent()) === (await other.locator(simulated).textContent()) &&
            (await lab.picture(0, lab.page)) === (await lab.picture(0, other)),
          { timeout: PATIENCE },
        )
        .toBe(true)
    }
    await agree()
    const before = await lab.picture(0, other)
    await lab.page.keyboard.press('o')
    await lab.drag([6, 6], [7.5, 5])
    await lab.page.keyboard.press('v')
    await lab.page.mouse.move(5, 5)
    await expect.poll(() => lab.picture(0, other), { timeout: PATIENCE }).not.toBe(before)
    await agree()
    await other.getByRole('tab', { name: 'Disturbances' }).click()
    await expect.poll(() => other.locator('.deeds li').allInnerTexts()).toEqual([expect.stringContaining('obstacle 1')])
    await other.close()
  })

  it('is refused to pages of others', async () => {
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
      await page.close()
    } finally {
      others.close()
    }
  })
})

describe('others', () => {
  it('need the token', async () => {
    const lab = await open('waste-cleanup', ['--bind', '0.0.0.0', '--speed', '4'])
    expect(lab.url).toContain('?token=')
    await lab.moves()
    expect((await fetch(lab.url.replace(/\?.*/, ''))).status).toBe(401)
  })
})

describe('the binary', () => {
  it('has the page in it, and ends with Ctrl-C', async () => {
    const server = await Server.start('waste-cleanup')
    const page = await (await chromiumBrowser()).newPage()
    await page.goto(server.url)
    await painted(page)
    await page.close()
    expect(await server.stop()).toBe(0)
  })
})
