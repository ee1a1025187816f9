// The panel of one robot, against a real run.

import { beforeAll, describe, expect, it } from 'vitest'
import { laboratory, PATIENCE } from './lab'

describe('the panel of a robot', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--seed', '6'])
  const section = (name: string) =>
    lab.page.locator('details.section', { has: lab.page.getByRole('heading', { name }) })
  const field = (name: string) => section('Break or repair').getByLabel(name, { exact: true })
  beforeAll(async () => {
    await lab.runTo(60)
    await lab.chooseRobot('blue')
  })

  it('tells what it does, and why', async () => {
    const facts = lab.page.locator('.panel-robot > .facts')
    await expect
      .poll(() => facts.textContent())
      .toMatch(/Task.*State.*Battery.*Holds.*Place.*m.*Heading.*°.*Its clock/s)
    const why = section('Why')
    await expect.poll(() => why.locator('tr').count()).toBeGreaterThan(1)
    await expect.poll(() => why.textContent()).toMatch(/motivation/)
    await why.getByRole('button').click()
    await lab.untilStatus('the moment of the decision is shown', ({ time, end }) => time < end)
    await lab.page.keyboard.press('l')
    await lab.untilStatus('the end is shown', ({ time, end }) => time === end)
  })

  it('draws its motivations over time, with the threshold', async () => {
    const chart = lab.page.getByRole('img', { name: /Motivations of blue over time/ })
    await chart.waitFor()
    const painted = await chart.locator('canvas').evaluate((canvas) => {
      const sheet = canvas as HTMLCanvasElement
      const data = sheet.getContext('2d')?.getImageData(0, 0, sheet.width, sheet.height).data ?? []
      const colours = new Set<string>()
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 200) colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`)
      return colours.size
    })
    expect(painted).toBeGreaterThan(5)
    await expect.poll(() => lab.page.locator('.chart-legend').first().textContent()).toMatch(/threshold\s*100/)
    const { time } = await lab.status()
    await chart.locator('.u-over').click({ position: { x: 60, y: 40 } })
    await lab.untilStatus('a click goes to its moment', (status) => status.time < time)
    await lab.page.keyboard.press('l')
    await lab.untilStatus('the end is shown', (status) => status.time === status.end)
  })

  it('shows what it senses and whom it hears', async () => {
    const percept = section('Percept')
    await expect.poll(() => percept.locator('tbody tr').count()).toBeGreaterThan(4)
    await expect.poll(() => percept.textContent()).toContain('compass')
    // Messages of a robot are kept from when somebody watches it.
    await lab.runTo((await lab.status()).time + 10)
    const messages = section('Messages')
    await messages.locator('summary').click()
    await expect.poll(() => messages.locator('tbody tr').count()).toBeGreaterThan(2)
    await section('Radio').locator('summary').click()
    await expect.poll(() => section('Radio').textContent()).toContain('logical clock')
    await section('Capabilities and parts').locator('summary').click()
    await expect.poll(() => section('Capabilities and parts').textContent()).toContain('gripper')
  })

  it.each([
    ['sensor', 'compass', 'dead', { sensor: { robot: 'blue', sensor: 'compass', fault: 'dead' } }],
    ['drive', null, 'slower', { drive: { robot: 'blue', fault: 'slower', severity: 0.5 } }],
    ['effector', 'gripper', 'dead', { effector: { robot: 'blue', effector: 'gripper' } }],
    ['radio', null, 'deaf', { radio: { robot: 'blue', fault: 'deaf' } }],
    ['Whole robot', null, 'emergency-stop', { 'emergency-stop': 'blue' }],
    ['Whole robot', null, 'crash', { crash: 'blue' }],
  ] as const)('breaks: %s %s %s', async (part, device, harm, entry) => {
    await field('What').selectOption(part)
    if (device) await field('Which').selectOption(device)
    await field('How').selectOption(harm)
    const before = (await lab.entries()).length
    await section('Break or repair').locator('.button.danger').click()
    await lab.until('it is broken', ({ deeds }) => deeds.list.length === before + 1)
    await expect.poll(async () => (await lab.entries()).at(-1)).toMatchObject(entry)
  })

  it('shows faults, and repairs them', async () => {
    await lab.page.keyboard.press('.')
    const faults = lab.page.locator('.panel-robot .chip.bad')
    await expect.poll(() => faults.count()).toBeGreaterThan(3)
    await section('Break or repair').getByRole('button', { name: 'Repair' }).click()
    await expect.poll(() => faults.count()).toBe(0)
    await expect.poll(async () => (await lab.entries()).at(-1)).toMatchObject({ repair: { robot: 'blue' } })
  })

  it('breaks for some time only', async () => {
    await field('What').selectOption('Whole robot')
    await field('How').selectOption('stop')
    await field('For, s').fill('5')
    await section('Break or repair').getByRole('button', { name: 'Do it' }).click()
    await expect.poll(async () => (await lab.entries()).at(-1)).toMatchObject({ stop: 'blue' })
    const facts = lab.page.locator('.panel-robot > .facts')
    await expect.poll(() => facts.textContent()).toContain('stopped')
    await lab.runTo((await lab.status()).time + 6)
    await expect.poll(() => facts.textContent()).not.toContain('stopped')
  })

  it('refuses what makes no sense, and says why', async () => {
    await field('For, s').fill('-1')
    const before = (await lab.entries()).length
    await section('Break or repair').getByRole('button', { name: 'Do it' }).click()
    await expect.poll(() => lab.toasts()).toContain('number of seconds above 0')
    expect((await lab.entries()).length).toBe(before)
    await field('For, s').fill('')
  })

  it('marks in the chart when something was disturbed', async () => {
    const chart = lab.page.getByRole('img', { name: /Motivations of blue over time/ })
    await chart.scrollIntoViewIfNeeded()
    const { time } = await lab.status()
    const at = (await lab.told()).deeds.list[0].at
    const box = await chart.locator('.u-over').boundingBox()
    if (!box) throw new Error('there is no chart')
    const hint = lab.page.locator('.plot-hint .mark-deed').first()
    const look = async () => {
      // The chart ends at the moment shown.
      for (const by of [-3, -1, 0, 1, 3]) {
        await lab.page.mouse.move(box.x + (at / time) * box.width + by, box.y + box.height / 2)
        if (await hint.isVisible()) return hint.textContent()
      }
      return ''
    }
    await expect.poll(look, { timeout: PATIENCE }).toMatch(/\d:\d\d\.\d .*blue/)
    await lab.page.mouse.move(5, 5)
  })

  it('breaks and repairs by keyboard', async () => {
    const { page } = lab
    await field('What').focus()
    await page.keyboard.type('Radio')
    await expect.poll(() => field('What').inputValue()).toBe('radio')
    await section('Break or repair').getByRole('button', { name: 'Break it' }).focus()
    await page.keyboard.press('Enter')
    const faults = page.locator('.panel-robot .chip.bad')
    await expect.poll(() => faults.count(), { timeout: PATIENCE }).toBeGreaterThan(0)
    await expect.poll(async () => (await lab.listed()).at(-1)).toContain('blue')
    await lab.tab('Robot')
    await section('Break or repair').getByRole('button', { name: 'Repair' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => faults.count(), { timeout: PATIENCE }).toBe(0)
  })
})

describe('the panel of a robot that bids', () => {
  const lab = laboratory('waste-cleanup', ['--paused', '--set', 'team.coordinator=muroco'])

  it('draws its bids over time', async () => {
    await lab.runTo(40)
    await lab.chooseRobot('blue')
    await lab.page.getByRole('heading', { name: 'Bids over time' }).waitFor()
    const chart = lab.page.getByRole('img', { name: /Bids of blue over time/ }).locator('canvas')
    const colours = () =>
      chart.evaluate((canvas) => {
        const sheet = canvas as HTMLCanvasElement
        const data = sheet.getContext('2d')?.getImageData(0, 0, sheet.width, sheet.height).data ?? []
        const found = new Set<string>()
        for (let i = 0; i < data.length; i += 4)
          if (
            data[i + 3] > 200 &&
            Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60
          )
            found.add(`${data[i]},${data[i + 1]},${data[i + 2]}`)
        return found.size
      })
    await expect.poll(colours, { timeout: PATIENCE }).toBeGreaterThan(0)
  })
})
