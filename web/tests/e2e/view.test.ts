// Panning and zooming the map, its layers, measuring, pictures and colours.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { laboratory, PATIENCE } from './lab'

describe('the view of a run with everything there is to see', () => {
  const lab = laboratory('waste-cleanup', [
    '--paused',
    '--set',
    'radio.model=wifi-indoor',
    '--set',
    'world.terrain={cell: 2 m, rows: [[1, 1, 1], [1, 0.5, 1]]}',
  ])

  it('does not scroll the page', async () => {
    await lab.runTo(15)
    const room = await lab.page.evaluate(() => [
      document.documentElement.scrollHeight,
      innerHeight,
      document.body.scrollWidth,
      innerWidth,
    ])
    expect(room[0]).toBeLessThanOrEqual(room[1])
    expect(room[2]).toBeLessThanOrEqual(room[3])
    const dock = await lab.page.locator('.dock').evaluate((dock) => [dock.scrollHeight, dock.clientHeight])
    expect(dock[0]).toBeLessThanOrEqual(dock[1])
    const map = await lab.map().boundingBox()
    expect(map?.width).toBeGreaterThan(750)
    expect(map?.height).toBeGreaterThan(450)
  })

  it('zooms and moves by keyboard, and comes back', async () => {
    const { page } = lab
    const all = await lab.still()
    await lab.map().focus()
    await page.keyboard.press('+')
    let now = await lab.otherPicture(all)
    await page.locator('.minimap').waitFor()
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', '-']) {
      await page.keyboard.press(key)
      now = await lab.otherPicture(now)
    }
    await page.keyboard.press('0')
    await expect.poll(() => lab.picture(), { timeout: PATIENCE }).toBe(all)
    await expect.poll(() => page.locator('.minimap').count()).toBe(0)
  })

  it('zooms and moves by mouse, and comes back', async () => {
    const { page } = lab
    const all = await lab.still()
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, -300)
    let now = await lab.otherPicture(all)
    await page.mouse.down()
    await page.mouse.move(500, 250)
    await page.mouse.move(480, 220)
    await page.mouse.up()
    now = await lab.otherPicture(now)
    for (const name of ['Zoom in', 'Zoom out']) {
      await lab.button(name).click()
      now = await lab.otherPicture(now)
    }
    await lab.button('Show all').click()
    await page.mouse.move(5, 5)
    await expect.poll(() => lab.picture(), { timeout: PATIENCE }).toBe(all)
  })

  it('goes where one clicks on the small map', async () => {
    const { page } = lab
    await lab.map().focus()
    for (let i = 0; i < 5; i++) await page.keyboard.press('+')
    const small = page.locator('.minimap canvas')
    await small.waitFor()
    const before = await lab.still()
    const box = await small.boundingBox()
    await small.click({ position: { x: (box?.width ?? 0) * 0.2, y: (box?.height ?? 0) * 0.2 } })
    const there = await lab.otherPicture(before)
    await small.click({ position: { x: (box?.width ?? 0) * 0.8, y: (box?.height ?? 0) * 0.8 } })
    await lab.otherPicture(there)
    await page.keyboard.press('0')
  })

  it('zooms with two fingers', async () => {
    const { page } = lab
    const before = await lab.still()
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', gap: number | null) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: gap === null ? [] : [600 - gap, 600 + gap].map((x, id) => ({ x, y: 300, id })),
      })
    await send('touchStart', 40)
    for (const gap of [60, 90, 120]) await send('touchMove', gap)
    await send('touchEnd', null)
    await page.locator('.minimap').waitFor()
    await lab.otherPicture(before)
    await page.keyboard.press('0')
    await expect.poll(() => lab.picture(), { timeout: PATIENCE }).toBe(before)
  })

  it.each(['keyboard', 'mouse'])('follows a robot, by %s', async (how) => {
    const { page } = lab
    await lab.map().focus()
    await page.keyboard.press('n')
    const name = ((await page.locator('.choose select option:checked').textContent()) ?? '').split(' ')[0]
    const from = await lab.place(name)
    await lab.map().focus()
    for (let i = 0; i < 4; i++) await page.keyboard.press('+')
    const follow = page.locator('.dock').getByRole('button', { name: 'Follow' })
    if (how === 'keyboard') await page.keyboard.press('f')
    else await follow.click()
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true')
    await page.getByLabel('Speed', { exact: true }).selectOption('5')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await lab.until('it drove', ({ detail }) => !!detail && Math.hypot(detail.x - from[0], detail.y - from[1]) > 0.5)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await lab.button('Play').waitFor()
    await lab.still()
    // It is at the centre of the map.
    const box = await lab.map().boundingBox()
    if (!box) throw new Error('there is no map')
    await page.mouse.move(box.x + box.width / 2 + 5, box.y + box.height / 2)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('.map-tip strong', { hasText: name }).waitFor()
    if (how === 'keyboard') await page.keyboard.press('f')
    else await follow.click()
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('0')
    await page.mouse.move(5, 5)
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
  ])('switches layer %s, %s, with its key and with the mouse', async (key, label) => {
    const { page } = lab
    const box = page.getByRole('checkbox', { name: label })
    const was = await box.isChecked()
    const before = await lab.still()
    await page.keyboard.press(key)
    await lab.otherPicture(before)
    await expect.poll(() => box.isChecked()).toBe(!was)
    await box.click()
    await page.mouse.move(5, 5)
    await expect.poll(() => lab.picture(), { timeout: PATIENCE }).toBe(before)
    await expect.poll(() => box.isChecked()).toBe(was)
    await box.evaluate((input) => (input as HTMLElement).blur())
  })

  it('remembers layers and colours after a reload', async () => {
    const { page } = lab
    await page.getByRole('checkbox', { name: 'Radio links' }).check()
    await page.getByLabel('Colour by').selectOption('robot')
    await page.locator('.legend', { hasText: 'Link quality' }).waitFor()
    await page.reload()
    await page.locator('.legend', { hasText: 'Link quality' }).waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Radio links' }).isChecked()).toBe(true)
    await expect.poll(() => page.getByLabel('Colour by').inputValue()).toBe('robot')
    const robots = await lab.still()
    await page.getByLabel('Colour by').selectOption('task')
    await lab.otherPicture(robots)
    await page.getByRole('checkbox', { name: 'Radio links' }).uncheck()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  })

  it('measures by mouse: dragged, and with two clicks', async () => {
    const hint = () => lab.page.locator('.tool-options .hint').textContent()
    const before = await lab.still()
    await lab.page.locator('[data-tool=measure]').click()
    await lab.drag([2, 2], [5, 6])
    await expect.poll(hint).toMatch(/(4\.9\d|5\.0\d) m, 5[23]\.\d°/)
    await lab.page.mouse.move(5, 5)
    await lab.otherPicture(before)
    await lab.click(1, 1)
    await lab.click(4, 1)
    await expect.poll(hint).toMatch(/(2\.9\d|3\.0\d) m, /)
    await lab.page.keyboard.press('Escape')
    await expect.poll(hint).toContain('drag, or click two places')
    await lab.page.keyboard.press('Escape')
    await expect.poll(hint).toContain('Select')
  })

  it('measures by keyboard', async () => {
    const { page } = lab
    await page.keyboard.press('m')
    const form = page.locator('.tool-form')
    for (const [i, value] of ['1', '2', '4', '6'].entries())
      await form
        .getByLabel(i % 2 === 0 ? 'x' : 'y', { exact: true })
        .nth(i < 2 ? 0 : 1)
        .fill(value)
    await expect.poll(() => page.locator('.tool-options .hint').textContent()).toMatch(/5\.00 m, 53\.1°/)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  it.each(['keyboard', 'menu', 'button'])('saves a picture, with the %s', async (how) => {
    const { page } = lab
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        if (how === 'keyboard') return page.keyboard.press('i')
        if (how === 'button') return lab.button('Save picture').click()
        await lab.button('Save').click()
        await page.getByRole('menuitem', { name: /Save a picture/ }).click()
      })(),
    ])
    const time = (await lab.status()).time.toFixed(1)
    expect(download.suggestedFilename()).toBe(`waste-cleanup-${time}s.png`)
    const file = readFileSync(await download.path())
    expect(file.subarray(1, 4).toString()).toBe('PNG')
    const map = await lab.map().boundingBox()
    expect(file.readUInt32BE(16)).toBe(Math.round((map?.width ?? 0) * 2))
    expect(file.readUInt32BE(20)).toBeGreaterThan((map?.height ?? 0) * 2)
    const colours = await page.evaluate(
      async (source) => {
        const image = new Image()
        image.src = source
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        const pen = canvas.getContext('2d')
        pen?.drawImage(image, 0, 0)
        const data = pen?.getImageData(0, 0, image.width, image.height).data ?? []
        const found = new Set<number>()
        for (let i = 0; i < data.length; i += 4) found.add(data[i] + 256 * data[i + 1] + 65536 * data[i + 2])
        return found.size
      },
      `data:image/png;base64,${file.toString('base64')}`,
    )
    expect(colours).toBeGreaterThan(50)
  })

  it('has light and dark colours, by mouse and by keyboard', async () => {
    const { page } = lab
    await page.mouse.move(5, 5)
    const light = await lab.still()
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await ground()
    await lab.button('Dark colours').click()
    await lab.otherPicture(light)
    await expect.poll(() => ground()).not.toBe(before)
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.reload()
    await lab.button('Light colours').waitFor()
    await lab.button('Light colours').focus()
    await page.keyboard.press('Enter')
    await lab.button('Dark colours').waitFor()
    await expect.poll(() => ground()).toBe(before)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  })
})

describe('a run with an ideal radio', () => {
  const lab = laboratory('waste-cleanup', ['--paused'])

  it('says that it has no noise', async () => {
    await lab.page.keyboard.press('6')
    await lab.page.getByText('Noise floor: radio "ideal" has none').waitFor()
  })

  it('tells what one points at', async () => {
    const [x, y] = await lab.place('gold')
    await lab.pointed(x, y, 'gold')
  })

  it('selects by click and by keyboard, and says it aloud', async () => {
    const [x, y] = await lab.place('green')
    await lab.page.keyboard.press('Escape')
    await lab.page.locator('h1').click()
    await lab.page.keyboard.press('Escape')
    await lab.page.getByText('Click a robot on the map, or choose one here').waitFor()
    await lab.click(x, y)
    const shown = lab.page.locator('.choose select option:checked')
    await expect.poll(() => shown.textContent()).toContain('green')
    const spoken = (name: string) =>
      lab.page.locator('[data-spoken]', { hasText: `${name}:` }).waitFor({ state: 'attached' })
    await spoken('green')
    await lab.page.keyboard.press('p')
    await expect.poll(() => shown.textContent()).toContain('gold')
    await spoken('gold')
    await lab.page.keyboard.press('n')
    await expect.poll(() => shown.textContent()).toContain('green')
  })
})

describe('a world that cells do not fill evenly', () => {
  const lab = laboratory('janitorial', ['--paused', '--set', 'radio.model=wifi-indoor'])

  it('keeps the noise within its border', async () => {
    // Noise is known from the first tick on.
    await lab.page.keyboard.press('.')
    await lab.untilStatus('a tick is done', ({ tick }) => tick === 1)
    await lab.still()
    const { min, max } = (await lab.told()).scene.bounds
    const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
    const outside: [number, number][] = [
      [middle[0] + 1, max[1] + 0.08],
      [max[0] + 0.08, middle[1]],
    ]
    const colours = () => Promise.all(outside.map(([x, y]) => lab.colour(x, y)))
    const before = await colours()
    const inside = await lab.colour(middle[0] + 1, middle[1] + 0.3)
    await lab.page.keyboard.press('6')
    await lab.page.locator('.legend', { hasText: 'dBm' }).waitFor()
    await expect.poll(() => lab.colour(middle[0] + 1, middle[1] + 0.3)).not.toEqual(inside)
    await expect.poll(() => colours()).toEqual(before)
  })
})
