// Accessibility checks: barriers that axe finds, controls without a name or a tooltip.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Evaluated in a page before axe can be used there. */
export const withAxe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Finding = { id: string; impact: string; nodes: { html: string }[] }

/** Serious barriers that axe finds. */
export async function findings({ page }: { page: Page }): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Visible interactive elements. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=slider], [role=listbox], [role=application], ' +
  '[role=menuitem], [role=tab], [role=group][tabindex]'

/** Controls without a name (as Chromium reports it to screen readers) or without a tooltip. */
export async function bare({
  page,
}: {
  page: Page
}): Promise<{ count: number; nameless: string[]; tipless: string[] }> {
  const found = await page.evaluate((controls) => {
    // Everything else is inert while a dialog is open.
    const root = document.querySelector('dialog:modal') ?? document
    const all = [...root.querySelectorAll<HTMLElement>(controls)].filter((each) => each.checkVisibility())
    const tip = (each: HTMLElement) => each.closest<HTMLElement>('[data-tip]')?.dataset.tip?.trim()
    all.forEach((each, i) => {
      each.setAttribute('data-walk', String(i))
    })
    return { count: all.length, tipless: all.filter((each) => !tip(each)).map((each) => each.outerHTML.slice(0, 200)) }
  }, CONTROLS)
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  await session.send('DOM.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-walk]' })
  const nameless: string[] = []
  for (const nodeId of nodeIds) {
    const told = await session
      .send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false })
      .catch((error: Error) => error.message)
    // Short messages may disappear during the check.
    if (typeof told === 'string') {
      expect(told).toContain('Could not find node')
      continue
    }
    const { nodes } = told
    const name = nodes[0]?.ignored ? '' : String(nodes[0]?.name?.value ?? '').trim()
    if (name === '') nameless.push((await session.send('DOM.getOuterHTML', { nodeId })).outerHTML.slice(0, 200))
  }
  await session.detach()
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('[data-walk]')) each.removeAttribute('data-walk')
  })
  return { ...found, nameless }
}
