// What the colour of a robot means: who it is, or what it does. Shared by map and panels.

import { signal } from '@preact/signals'
import { recall, remember } from './storage'

export type ColourBy = 'robot' | 'task'

export const colourBy = signal<ColourBy>(recall('colour-by') === 'robot' ? 'robot' : 'task')

export function setColourBy(value: ColourBy) {
  colourBy.value = value
  remember('colour-by', value)
}
