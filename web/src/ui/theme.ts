// Light or dark: the system's preference, unless the user chose.

import { computed, effect, signal } from '@preact/signals'
import { recall, remember } from './storage'

export type Theme = 'light' | 'dark'

const query = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null
const system = signal<Theme>(query?.matches ? 'dark' : 'light')
query?.addEventListener('change', () => {
  system.value = query.matches ? 'dark' : 'light'
})

const kept = recall('theme')
const chosen = signal<Theme | null>(kept === 'light' || kept === 'dark' ? kept : null)

/** The current theme. */
export const theme = computed<Theme>(() => chosen.value ?? system.value)

export function toggleTheme() {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  remember('theme', chosen.value)
}

if (typeof document !== 'undefined')
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })

const motion = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null

/** True if the user prefers no animation. */
export function calm(): boolean {
  return motion?.matches ?? false
}
