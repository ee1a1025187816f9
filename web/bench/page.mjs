// How often the page draws: `node page.mjs ADDRESS SECONDS` opens it in Chromium and prints the measurements as JSON.

import { chromium } from 'playwright-core'

const [address, seconds] = [process.argv[2], Number(process.argv[3] ?? 10)]
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
const map = page.locator('canvas[data-lane="0"][data-painted]')
// The map counts the pictures it draws; frames are counted when the page receives them.
await page.addInitScript(() => {
  window.received = 0
  const Socket = window.WebSocket
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') window.received++
      })
    }
  }
})
const look = () =>
  page.evaluate(() => ({
    drawn: Number(document.querySelector('canvas[data-lane="0"]')?.dataset.painted),
    received: window.received,
    at: performance.now(),
  }))
await page.goto(address)
await map.waitFor()
await page.waitForTimeout(2000)
const before = await look()
await page.waitForTimeout(seconds * 1000)
const after = await look()
const time = (after.at - before.at) / 1000
const result = {
  drawn_per_s: (after.drawn - before.drawn) / time,
  received_per_s: (after.received - before.received) / time,
  chromium: browser.version(),
}
await browser.close()
console.log(JSON.stringify(result))
