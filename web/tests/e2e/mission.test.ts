// The layers of a mission, and what the operator wants: with the mouse and with the keyboard.

import { describe, expect, it } from 'vitest'
import { laboratory } from './lab'

describe('a mission', () => {
  const lab = laboratory('exploration', ['--paused'])

  const weight = (task: string) => lab.page.getByRole('spinbutton', { name: `Weight of ${task}` })
  const wanted = (task: string) => lab.page.getByRole('checkbox', { name: `${task} is wanted` })

  /** The deeds, without their times. */
  const ordered = async () => (await lab.entries()).map(({ at: _, ...entry }) => entry)

  it('shows and hides its layers', async () => {
    await lab.runTo(40)
    const toggle = lab.page.getByRole('checkbox', { name: 'Sensor circles' })
    await expect.poll(() => toggle.isChecked()).toBe(true)
    // Layers arrive a few times per second.
    let shown = 0
    await expect
      .poll(async () => {
        const before = shown
        await lab.page.waitForTimeout(500)
        shown = await lab.picture()
        return shown === before
      })
      .toBe(true)
    await toggle.click()
    await expect.poll(() => lab.picture()).not.toBe(shown)
    await toggle.focus()
    await lab.page.keyboard.press('Space')
    await expect.poll(() => lab.picture()).toBe(shown)
    const effects = lab.page.getByRole('checkbox', { name: 'Effect radii' })
    await effects.check()
    await expect.poll(() => lab.picture()).not.toBe(shown)
    await effects.uncheck()
    await expect.poll(() => lab.picture()).toBe(shown)
  })

  it('is changed with the mouse', async () => {
    await lab.tab('Team')
    await expect.poll(() => lab.button('Send').isDisabled()).toBe(true)
    await wanted('connect').click()
    await weight('connect').fill('0')
    await expect.poll(() => lab.panel().textContent()).toContain('A weight is a number above 0')
    expect(await lab.button('Send').isDisabled()).toBe(true)
    await weight('connect').fill('2.5')
    await lab.button('Send').click()
    await lab.untilStatus('robots are told', ({ lanes }) => lanes[0].operator[0]?.[1] === true)
    expect((await lab.status()).lanes[0].operator).toEqual([[2, true, 2.5]])
    expect(await ordered()).toEqual([
      { 'task-priority': { task: 'connect', weight: 2.5 } },
      { 'task-added': 'connect' },
    ])
    await expect.poll(() => lab.panel().textContent()).toContain('2 of 3 wanted')
    await expect.poll(() => lab.button('Send').isDisabled()).toBe(true)
    expect(await weight('connect').inputValue()).toBe('2.5')
    expect((await lab.listed()).join()).toContain('connect')
  })

  it('is changed with the keyboard', async () => {
    await lab.tab('Team')
    await weight('explore').focus()
    await lab.page.keyboard.press('Control+a')
    await lab.page.keyboard.type('0.5')
    await lab.page.keyboard.press('Enter')
    await lab.untilStatus('the weight is sent', ({ lanes }) => lanes[0].operator.some(([task]) => task === 0))
    await wanted('connect').focus()
    await lab.page.keyboard.press('Space')
    await lab.page.keyboard.press('Tab')
    await lab.page.keyboard.press('Enter')
    await lab.untilStatus('the task is not wanted any more', ({ lanes }) => lanes[0].operator[1]?.[1] === false)
    expect((await lab.status()).lanes[0].operator).toEqual([
      [0, true, 0.5],
      [2, false, 2.5],
    ])
    expect((await ordered()).slice(2)).toEqual([
      { 'task-priority': { task: 'explore', weight: 0.5 } },
      { 'task-cancelled': 'connect' },
    ])
    await expect.poll(() => lab.panel().textContent()).toContain('1 of 3 wanted')
  })

  it('is as it was before when one goes back', async () => {
    await lab.seek(20)
    await lab.untilStatus('nothing was changed yet', ({ lanes }) => lanes[0].operator.length === 0)
    await lab.tab('Team')
    await expect.poll(() => weight('explore').inputValue()).toBe('1')
  })
})

describe('a plan', () => {
  const lab = laboratory('formation', ['--paused'])

  it('shows where robots stand, and who waits for whom', async () => {
    await lab.tab('Team')
    const drawing = lab.page.getByRole('img', { name: 'Plan with 22 behaviours' })
    await expect.poll(() => drawing.isVisible()).toBe(true)
    await lab.runTo(8, '5')
    // The leader is at its innermost behaviour and within the walk.
    await expect.poll(() => drawing.locator('.plan-node.busy circle').count()).toBe(6)
    await expect.poll(() => lab.panel().textContent()).toContain('Nobody waits for others.')
    const waits = lab.page.getByRole('list', { name: 'Who waits for whom' })
    await lab.runTo(17, '5')
    await expect.poll(() => waits.textContent()).toContain('for c to end it')
    await expect.poll(() => drawing.locator('.plan-node.waited').count()).toBe(1)
  })

  it('is asked for only while it is looked at', async () => {
    const heading = lab.page.locator('summary', { hasText: 'Plan' })
    await heading.click()
    await expect.poll(() => lab.page.locator('svg.plan').count()).toBe(0)
    await heading.focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.page.locator('svg.plan').count()).toBe(1)
  })
})
