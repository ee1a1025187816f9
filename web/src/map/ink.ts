// Colours of the map's ground and things, for both themes.

import type { Theme } from '../ui/theme'

export type Ink = {
  ground: string
  outside: string
  grid: string
  border: string
  text: string
  halo: string
  faint: string
  solid: string
  solidEdge: string
  slow: string
  fast: string
  added: string
  area: string
  areaEdge: string
  lit: string
  item: string
  itemEdge: string
  given: string
  robotEdge: string
  nose: string
  down: string
  warn: string
  bad: string
  hand: string
  select: string
  ghost: string
  ghostEdge: string
  ray: string
  hit: string
}

const LIGHT: Ink = {
  ground: '#ffffff',
  outside: '#e9edf2',
  grid: '#eef1f5',
  border: '#55606e',
  text: '#1b2430',
  halo: 'rgba(255,255,255,0.85)',
  faint: '#5b6675',
  solid: '#aab4c0',
  solidEdge: '#5f6b7a',
  slow: '#b08a4a',
  fast: '#4a94b0',
  added: '#c2410c',
  area: 'rgba(70,110,160,0.09)',
  areaEdge: '#6584a8',
  lit: '#d99a00',
  item: '#8a5a00',
  itemEdge: '#4d3200',
  given: '#9aa5b1',
  robotEdge: '#1b2430',
  nose: '#ffffff',
  down: '#8d97a3',
  warn: '#b45309',
  bad: '#c01f3a',
  hand: '#7c2fc4',
  select: '#0b57d0',
  ghost: 'rgba(11,87,208,0.18)',
  ghostEdge: '#0b57d0',
  ray: 'rgba(30,110,90,0.35)',
  hit: '#b3261e',
}

const DARK: Ink = {
  ground: '#171c24',
  outside: '#0e1217',
  grid: '#1f2630',
  border: '#8d99a8',
  text: '#e8edf4',
  halo: 'rgba(14,18,23,0.85)',
  faint: '#a3afbe',
  solid: '#475261',
  solidEdge: '#8d99a8',
  slow: '#c9a25c',
  fast: '#5fb3d4',
  added: '#ff9d5c',
  area: 'rgba(130,170,220,0.10)',
  areaEdge: '#7f9cc2',
  lit: '#ffcf40',
  item: '#e3b45a',
  itemEdge: '#fff0cf',
  given: '#66717f',
  robotEdge: '#0b0e12',
  nose: '#0b0e12',
  down: '#5d6774',
  warn: '#ffb454',
  bad: '#ff7a8a',
  hand: '#cf9bff',
  select: '#8ab4ff',
  ghost: 'rgba(138,180,255,0.2)',
  ghostEdge: '#8ab4ff',
  ray: 'rgba(110,220,180,0.35)',
  hit: '#ff8a80',
}

export function inkOf(theme: Theme): Ink {
  return theme === 'dark' ? DARK : LIGHT
}
