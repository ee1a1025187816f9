// The meaning of a robot's colour: its identity or its work. Shared by map and panels.

import { signal } from '@preact/signals'
import { recall, remember } from './storage'

export type ColourBy = 'robot' | 'task'

export const colourBy = signal<ColourBy>(recall('colour-by') === 'robot' ? 'robot' : 'task')

export function setColourBy(value: ColourBy) {
  colourBy.value = value
  remember('colour-by', value)
}
