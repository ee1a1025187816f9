// Saves the run as a scenario and exports it.

import { signal } from '@preact/signals'
import { send } from '../../net/store'
import type { Saved } from '../../protocol'
import { act, notify } from '../../ui/notify'
import { laneShown } from '../now'

export type Exported = { folder: string; report: string }

/** The last saved scenario and the last export. */
export const saved = signal<Saved | null>(null)
export const exported = signal<Exported | null>(null)
export const working = signal<'save' | 'export' | null>(null)

/** The file name of a saved scenario. */
export function fileName(name: string): string {
  return /\.ya?ml$/.test(name) ? name : `${name}.yaml`
}

export async function saveScenario() {
  working.value = 'save'
  const result = (await act(send({ do: 'save', lane: laneShown.value }))) as Saved | undefined
  working.value = null
  if (!result) return
  saved.value = result
  download(fileName(result.name), result.text, 'application/yaml')
  notify(`Saved ${fileName(result.name)}: crewlab run ${fileName(result.name)} repeats the run`)
}

export async function exportRun() {
  working.value = 'export'
  const result = (await act(send({ do: 'export', lane: laneShown.value }))) as Exported | undefined
  working.value = null
  if (!result) return
  exported.value = result
  notify(`Exported to ${result.folder}`)
}

function download(name: string, text: string, type: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
