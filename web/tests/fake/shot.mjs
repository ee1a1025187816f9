// Looks at the page with the fake server: node tests/fake/shot.mjs NAME [options as JSON] [steps as JavaScript]

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

const dist = new URL('../../dist/', import.meta.url).pathname
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://x').pathname
  try {
    const body = await readFile(join(dist, path === '/' ? 'index.html' : path))
    response.writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const [name, options = '{}', steps = ''] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
})
const given = JSON.parse(options)
const page = await browser.newPage({
  viewport: given.viewport ?? { width: 1280, height: 720 },
  colorScheme: given.dark ? 'dark' : 'light',
})
page.on('console', (message) => console.log('console', message.type(), message.text()))
page.on('pageerror', (error) => console.log('ERROR', error.message))
await page.addInitScript(`window.fakeOptions = ${options}`)
await page.addInitScript({ path: new URL('fake.js', import.meta.url).pathname })
await page.goto(`http://127.0.0.1:${server.address().port}/`)
await page.waitForTimeout(1500)
if (steps) await new Function('page', `return (async () => { ${steps} })()`)(page)
await page.screenshot({ path: name })
await browser.close()
server.close()
