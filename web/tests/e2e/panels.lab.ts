// What tests of the panels do again and again with the page of a real run.

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { LivePage } from './live-page'

export type Status = {
  playing: boolean
  speed: number | null
  time: number
  tick: number
  end: number
  branch: number
  branches: { id: number; parent: number | null; from: number; end: number }[]
  lanes: { coordinator: string; progress: number; sent: number }[]
}

export class Panels {
  private constructor(
    private readonly live: LivePage,
    readonly page: Page,
  ) {}

  /** A run that stands still at the beginning. */
  static async open(scenario: string, args: string[] = []): Promise<Panels> {
    const live = await LivePage.open(scenario, ['--paused', ...args])
    live.page.setDefaultTimeout(10_000)
    return new Panels(live, live.page)
  }

  async close() {
    await this.live.close()
    expect(this.live.errors).toEqual([])
  }

  async status(): Promise<Status> {
    return (await this.live.told()).status as unknown as Status
  }

  async deeds(): Promise<Record<string, unknown>[]> {
    return (await this.live.told()).deeds.list.map(({ entry }) => entry)
  }

  /** Waits until the status fits. */
  async until(what: string, fits: (status: Status) => boolean): Promise<Status> {
    for (let i = 0; i < 150; i++) {
      const status = await this.status()
      if (fits(status)) return status
      await this.page.waitForTimeout(100)
    }
    throw new Error(`it did not happen: ${what}; ${await this.toasts()} ${JSON.stringify(await this.status())}`)
  }

  /** Computes the run up to a time, as fast as possible, and stops a little later. */
  async runTo(time: number) {
    const { page } = this
    await page.getByLabel('Speed', { exact: true }).selectOption('100')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await this.until(`the run is at ${time} s`, (status) => status.time >= time)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await this.until('it stands still', (status) => !status.playing)
    await page.waitForTimeout(300)
  }

  async seek(time: number) {
    const { end } = await this.status()
    const slider = this.slider()
    await slider.focus()
    const box = await slider.boundingBox()
    const all = await this.barSpan()
    if (!box) throw new Error('there is no time bar')
    expect(time).toBeLessThanOrEqual(end)
    await this.page.mouse.click(box.x + (time / all) * box.width, box.y + 20)
    return this.until(`the moment ${time} s is shown`, (status) => Math.abs(status.time - time) < all / 200)
  }

  /** The time at the right end of the bar, from how much of it is filled. */
  private async barSpan(): Promise<number> {
    const { end } = await this.status()
    const share = await this.page
      .locator('.bar-done')
      .evaluate((done) => Number.parseFloat((done as HTMLElement).style.width) / 100)
    return end / share
  }

  slider(): Locator {
    return this.page.getByRole('slider', { name: 'Time that is shown' })
  }

  tab(name: string) {
    return this.page.getByRole('tab', { name, exact: true }).click()
  }

  async chooseRobot(name: string) {
    await this.tab('Robot')
    const list = this.page.getByRole('tabpanel').getByLabel('Robot', { exact: true })
    const label = (await list.locator('option').allInnerTexts()).find((text) => text.startsWith(name))
    await list.selectOption({ label: label ?? name })
  }

  /** The text of the messages to the person. */
  toasts(): Promise<string | null> {
    return this.page.locator('.toasts').textContent()
  }
}
