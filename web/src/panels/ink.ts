// Theme colours for canvases.

import { computed } from '@preact/signals'
import { theme } from '../ui/theme'

const NAMES = ['text', 'faint', 'line', 'panel', 'raised', 'accent', 'bad', 'good', 'warn', 'hand'] as const
export type Ink = Record<(typeof NAMES)[number], string>

/** Updated whenever the theme changes. */
export const ink = computed<Ink>(() => {
  void theme.value
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#888'
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Ink
})
