// The selected tab at the side.

import { effect, signal, untracked } from '@preact/signals'
import { selected } from '../ui/selection'
import { recall, remember } from '../ui/storage'

export const TAB_IDS = ['robot', 'team', 'log', 'deeds'] as const
export type TabId = (typeof TAB_IDS)[number]

const kept = recall('tab') as TabId | null
export const tab = signal<TabId>(kept && TAB_IDS.includes(kept) ? kept : 'team')

export function showTab(id: TabId) {
  tab.value = id
  remember('tab', id)
}

// Selecting a robot shows its tab.
let before: unknown = null
effect(() => {
  const now = selected.value
  if (now && now !== before) untracked(() => showTab('robot'))
  before = now
})
