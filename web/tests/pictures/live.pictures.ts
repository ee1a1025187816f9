// Takes the pictures of the live laboratory: runs that are paused at an interesting moment, so that the same binary and
// page give the same pictures.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Overlay, Scene } from '../../src/protocol'
import { open } from '../e2e/lab'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Where pictures are written: $PICTURES, or the folder of the documentation's pictures. */
const FOLDER = process.env.PICTURES ?? join(ROOT, 'docs/pictures')

/** Waits until a moment is shown and pauses there. */
async function runTo(page: Page, shown: RegExp) {
  const time = page.getByRole('status', { name: 'Simulated time' })
  for (let i = 0; i < 600; i++) {
    if (shown.test((await time.textContent()) ?? '')) break
    await page.waitForTimeout(50)
  }
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
}

/** Takes the picture when no tooltip covers it. */
async function take(page: Page, name: string) {
  await page.mouse.move(1, 1)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const hovering = page.locator('.tip:visible, .map-tip, .bar-hint, .gantt-hint, .plot-hint, .toast')
  await expect.poll(() => hovering.count(), { timeout: 20_000 }).toBe(0)
  // Layers and details are updated a few times per second.
  await page.waitForTimeout(800)
  expect(await hovering.count()).toBe(0)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

async function disturb(page: Page, entry: string) {
  await page.getByRole('tab', { name: 'Disturbances' }).click()
  await page.getByRole('textbox', { name: /^Entry/ }).fill(entry)
  await page.getByRole('button', { name: 'Trigger now' }).click()
  await page.waitForTimeout(300)
}

test('a run with a robot that is asked why', async () => {
  const { page } = await open('waste-cleanup', ['--speed', '20'])
  await runTo(page, /^1:[3-5]/)
  await page.getByRole('application').first().focus()
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await page.getByRole('checkbox', { name: /Sensor rays/ }).check()
  await page.getByRole('checkbox', { name: /Plans/ }).check()
  await take(page, 'live')
})

test('links and noise while a jammer is on, in dark colours', async () => {
  const { page } = await open(join(ROOT, 'experiments/radio/janitorial-jammer.yaml'), ['--speed', '10'])
  await page.getByRole('button', { name: 'Dark colours' }).click()
  await runTo(page, /^1:(0[5-9]|[12])/)
  for (const layer of [/Radio links/, /Noise floor/, /Task labels/])
    await page.getByRole('checkbox', { name: layer }).check()
  await page.getByRole('tab', { name: 'Team' }).click()
  await take(page, 'live-radio')
})

test('two coordinators in step after a robot died', async () => {
  const { page } = await open('waste-cleanup', [
    '--speed',
    '20',
    '--compare',
    'muroco',
    '--disturb',
    '{at: 100 s, stop: green}',
  ])
  await runTo(page, /^3:/)
  await page.getByRole('tab', { name: 'Team' }).click()
  await take(page, 'live-compare')
})

test('a branch: what if blue had been stopped earlier', async () => {
  const { page } = await open('waste-cleanup', ['--speed', '20'])
  await runTo(page, /^2:/)
  await page.getByRole('slider').focus()
  for (let i = 0; i < 8; i++) await page.keyboard.press('PageDown')
  await page.waitForTimeout(500)
  await disturb(page, '{stop: gold}')
  await disturb(page, '{object-added: {name: crate, rectangle: [1 m, 1 m], at: [7 m, 5 m]}}')
  await page.getByRole('button', { name: 'Play' }).click()
  await runTo(page, /^(2:[3-5]|3:)/)
  await page.getByRole('button', { name: 'Branches' }).click()
  await take(page, 'live-branches')
})

/** Steps until a robot predicts a collision soon. */
async function untilCollision(page: Page) {
  type Seen = { told: { scene: Scene; overlay?: Overlay } }
  const soon = () => {
    const { scene, overlay } = (window as unknown as Seen).told
    const layer = scene.layers.findIndex(({ name }) => name === 'collisions')
    return overlay?.sketches.some((sketch) => sketch.layer === layer && sketch.marks.some((mark) => mark[1] > 0.6))
  }
  for (let i = 0; i < 120; i++) {
    // The layers of this moment must have arrived.
    await page.waitForTimeout(600)
    if (await page.evaluate(soon)) return
    await page.getByRole('button', { name: '+10' }).click()
  }
}

test('a swarm explores a field', async () => {
  const { page } = await open('exploration', ['--speed', '20'])
  await page.getByRole('checkbox', { name: 'Effect radii' }).check()
  await page.getByRole('checkbox', { name: /Plans/ }).check()
  await page.getByRole('tab', { name: 'Team' }).click()
  await runTo(page, /^2:/)
  await untilCollision(page)
  await take(page, 'live-swarm')
})

test('a convoy around its vehicle, and what places cost a robot', async () => {
  const { page } = await open('convoy', ['--speed', '20'])
  await runTo(page, /^1:[45]/)
  await page.getByRole('application').first().focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('n')
  for (const layer of [/Plans/, /Radio links/, /Cost field/, 'Effect radii'])
    await page.getByRole('checkbox', { name: layer }).check()
  await page.keyboard.press('f')
  for (let i = 0; i < 2; i++) await page.keyboard.press('+')
  await take(page, 'live-swarm-convoy')
})

test('a team in formation, and where its robots stand in their plan', async () => {
  const { page } = await open('formation', ['--speed', '5'])
  await page.getByRole('tab', { name: 'Team' }).click()
  await runTo(page, /^0:1[78]/)
  await take(page, 'live-plan')
})
