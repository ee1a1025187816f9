// A user takes part: drives a robot, and answers its questions.

import { beforeAll, describe, expect, it } from 'vitest'
import { laboratory, PATIENCE, painted, robotOf } from './lab'

describe('a robot that is driven by hand', () => {
  const lab = laboratory('waste-cleanup', ['--speed', '2'])
  const banner = () => lab.page.locator('.drive-banner')
  const drives = async (key: string) => {
    const { detail } = await lab.told()
    await lab.page.keyboard.down(key)
    await lab.until('it drives', (told) => {
      const [from, to] = [detail, told.detail]
      return !!from && !!to && Math.hypot(to.x - from.x, to.y - from.y) > 0.1
    })
    await lab.page.keyboard.up(key)
  }
  const turns = async (key: string) => {
    const before = (await lab.told()).detail?.heading ?? 0
    await lab.page.keyboard.down(key)
    await lab.until('it turns', ({ detail }) => !!detail && Math.cos(detail.heading - before) < 0.9)
    await lab.page.keyboard.up(key)
  }
  const overs = async () => (await lab.entries()).filter((entry) => 'take-over' in entry)

  it('is taken over, driven with arrow keys and WASD, and released, by keyboard', async () => {
    const { page } = lab
    await page.keyboard.press('n')
    await lab.until('one is selected', (told) => robotOf(told) === 'blue')
    await page.keyboard.press('t')
    await expect.poll(() => banner().textContent()).toContain('You drive blue')
    await lab.until('it is taken over', ({ detail }) => detail?.taken_over === true)
    await page.locator('.legend', { hasText: 'driven by hand' }).waitFor()
    await turns('a')
    await turns('ArrowRight')
    await drives('s')
    await drives('ArrowUp')
    await expect.poll(() => banner().textContent()).toContain('standing')
    // Each press and each release is sent once, and nothing in between.
    await expect.poll(async () => (await overs()).length).toBe(9)
    await page.keyboard.press('Escape')
    await lab.until('it is given back', ({ detail }) => detail?.taken_over === false)
    await expect.poll(() => banner().count()).toBe(0)
    await expect.poll(async () => (await lab.listed()).join()).toMatch(/blue/)
    await lab.logs('blue')
    await lab.tab('Robot')
  })

  it('is taken over and released with T', async () => {
    await lab.page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await lab.page.keyboard.press('t')
    await banner().waitFor()
    await lab.page.keyboard.press('t')
    await lab.until('it is given back', ({ detail }) => detail?.taken_over === false)
    await expect.poll(() => banner().count()).toBe(0)
  })

  it.each(['panel', 'dock'])('is taken over and released by mouse, in the %s', async (where) => {
    const { page } = lab
    const box = page.locator(where === 'panel' ? '.choose' : '.dock')
    await box.getByRole('button', { name: 'Take over' }).click()
    await banner().waitFor()
    await lab.until('it is taken over', ({ detail }) => detail?.taken_over === true)
    if (where === 'panel') await box.getByRole('button', { name: 'Release' }).click()
    else await banner().getByRole('button').click()
    await lab.until('it is given back', ({ detail }) => detail?.taken_over === false)
    await box.getByRole('button', { name: 'Take over' }).waitFor()
    await expect.poll(() => banner().count()).toBe(0)
  })

  it('stops when the window loses the focus', async () => {
    const { page } = lab
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('t')
    await lab.until('it is taken over', ({ detail }) => detail?.taken_over === true)
    await page.keyboard.down('w')
    await expect.poll(async () => (await overs()).at(-1)).toMatchObject({ 'take-over': { speed: 1 } })
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await expect.poll(async () => (await overs()).at(-1)).toMatchObject({ 'take-over': { speed: 0, turn: 0 } })
    await page.keyboard.up('w')
    await expect.poll(() => banner().textContent()).toContain('standing')
  })

  it('is given back when its viewer leaves', async () => {
    await lab.page.reload()
    await painted(lab.page)
    await lab.page.keyboard.press('n')
    await lab.until('it is given back', (told) => robotOf(told) === 'blue' && told.detail?.taken_over === false)
    await expect.poll(() => banner().count()).toBe(0)
    await lab.moves()
  })
})

// Only blue has a gripper: nobody else bids for the second spill, and MuRoCo's auctioneer asks what to do.
const ASKING = [
  '--set',
  'team.coordinator=muroco',
  '--set',
  'team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner, gripper: false}, ' +
    '{name: green, type: cleaner, gripper: false}]',
]

describe('a question to the operator', () => {
  const lab = laboratory('waste-cleanup', ['--paused', ...ASKING])
  const card = () => lab.page.getByRole('region', { name: 'Questions from robots' }).locator('.question')
  /** Goes back to a time before any answer. */
  const askAgain = async () => {
    await lab.button('Restart').click()
    await expect.poll(() => card().count(), { timeout: PATIENCE }).toBe(0)
    await lab.runTo(60)
    await card().waitFor()
  }
  beforeAll(async () => {
    await lab.runTo(60)
  })

  it('is shown with its choices, and marked on the time bar', async () => {
    await card().waitFor()
    await expect.poll(() => card().count()).toBe(1)
    await expect
      .poll(() => card().textContent())
      .toMatch(/blue asks.*nobody bids for move-spill-.*keep trying.*give up/)
    await expect.poll(() => card().getByRole('button').allTextContents()).toEqual(['keep trying', 'give up'])
    await lab.logs('question')
  })

  it('is answered by mouse, and goes', async () => {
    await card().getByRole('button', { name: 'give up' }).click()
    await expect.poll(async () => (await lab.entries()).at(-1)).toMatchObject({ answer: { choice: 'give up' } })
    await lab.runTo((await lab.status()).time + 12)
    await expect.poll(() => card().count(), { timeout: PATIENCE }).toBe(0)
    await lab.logs('answered')
    await expect.poll(async () => (await lab.listed()).join()).toContain('give up')
  })

  it('is answered by keyboard, and goes', async () => {
    await askAgain()
    await card().getByRole('button', { name: 'keep trying' }).focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(async () => (await lab.entries()).at(-1)).toMatchObject({ answer: { choice: 'keep trying' } })
    await lab.runTo((await lab.status()).time + 12)
    await expect.poll(() => card().count(), { timeout: PATIENCE }).toBe(0)
    await lab.logs('answered')
    await expect.poll(async () => (await lab.listed()).join()).toContain('keep trying')
  })
})
