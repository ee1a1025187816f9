// Contrast with the background: text at least 4.5, shapes and edges of controls at least 3 (WCAG AA).

import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inkOf } from '../../src/map/ink'
import { itemColour } from '../../src/map/item-colours'

function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const css = readFileSync(new URL('../../src/style.css', import.meta.url), 'utf8')

function variables(theme: string): Record<string, string> {
  const block = css.slice(css.indexOf(`:root[data-theme="${theme}"]`))
  const found = block.slice(0, block.indexOf('}')).matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  afterEach(() => vi.unstubAllGlobals())

  it('text can be read', () => {
    const at = variables(theme)
    for (const ground of ['page', 'panel', 'raised', 'hover'])
      for (const text of ['text', 'faint', 'accent', 'good', 'warn', 'bad', 'hand'])
        expect(contrast(at[text], at[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(at['on-accent'], at.accent)).toBeGreaterThanOrEqual(4.5)
    for (const tone of ['warn', 'bad', 'accent'])
      expect(contrast(at.text, at[`${tone}-soft`]), tone).toBeGreaterThanOrEqual(4.5)
    expect(contrast(at.bad, at['bad-soft'])).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['panel', 'raised']) expect(contrast(at.edge, at[ground])).toBeGreaterThanOrEqual(3)
  })

  it('what the map draws can be seen', () => {
    const ink = inkOf(theme)
    for (const name of [
      'border',
      'solidEdge',
      'added',
      'areaEdge',
      'bad',
      'warn',
      'hand',
      'select',
      'slow',
      'fast',
    ] as const)
      expect(contrast(ink[name], ink.ground), name).toBeGreaterThanOrEqual(name === 'slow' || name === 'fast' ? 2.9 : 3)
    for (const name of ['text', 'faint'] as const) expect(contrast(ink[name], ink.ground)).toBeGreaterThanOrEqual(4.5)
    // Items also have an outline.
    for (let kind = 0; kind < 5; kind++)
      expect(contrast(itemColour(kind, theme === 'dark'), ink.ground), `item ${kind}`).toBeGreaterThanOrEqual(2.5)
  })

  it('robots can be seen', async () => {
    vi.resetModules()
    const media = { matches: theme === 'dark', addEventListener: () => {} }
    vi.stubGlobal('matchMedia', () => media)
    const { robotColour, taskColour, PALETTE_SIZE } = await import('../../src/ui/colours')
    const ground = inkOf(theme).ground
    const seen = new Set<string>()
    for (let i = 0; i < PALETTE_SIZE; i++) {
      seen.add(robotColour(i))
      expect(contrast(robotColour(i), ground), `robot ${i}`).toBeGreaterThanOrEqual(3)
    }
    expect(seen.size).toBe(PALETTE_SIZE)
    expect(contrast(taskColour(-1), ground)).toBeGreaterThanOrEqual(3)
  })
})
