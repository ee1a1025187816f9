// What the operator wants: the tasks with their weights, and the disturbances that change them.

import type { LaneStatus, Scene } from '../../protocol'

export type Wanted = { name: string; summary: string; open: boolean; weight: number }

/** A change that was not sent yet. The weight is as written. */
export type Draft = { open?: boolean; weight?: string }

/** The largest weight. */
export const HEAVIEST = 1000

/** The tasks as the operator wants them now. */
export function wanted(tasks: Scene['tasks'], changes: LaneStatus['operator']): Wanted[] {
  return tasks.map((task, i) => {
    const change = changes.find(([number]) => number === i)
    return change ? { ...task, open: change[1], weight: change[2] } : { ...task }
  })
}

/** A weight as written; null if it is none. */
export function weightOf(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return value > 0 && value <= HEAVIEST ? value : null
}

/** True if a draft has a weight that is none. */
export function wrong(draft: Draft | undefined): boolean {
  return draft?.weight !== undefined && weightOf(draft.weight) === null
}

/** The disturbances that lead from what is wanted to the drafts, task by task. */
export function entries(tasks: Wanted[], drafts: Record<string, Draft>): Record<string, unknown>[] {
  return tasks.flatMap((task) => {
    const draft = drafts[task.name] ?? {}
    const weight = draft.weight === undefined ? null : weightOf(draft.weight)
    const made: Record<string, unknown>[] = []
    if (weight !== null && weight !== task.weight) made.push({ 'task-priority': { task: task.name, weight } })
    if (draft.open !== undefined && draft.open !== task.open)
      made.push({ [draft.open ? 'task-added' : 'task-cancelled']: task.name })
    return made
  })
}

/** The drafts without those that were sent. */
export function remaining(drafts: Record<string, Draft>, sent: Record<string, Draft>): Record<string, Draft> {
  const left = Object.entries(drafts).map(([name, draft]): [string, Draft] => {
    const before = sent[name] ?? {}
    return [
      name,
      {
        ...(draft.open !== before.open && { open: draft.open }),
        ...(draft.weight !== before.weight && { weight: draft.weight }),
      },
    ]
  })
  return Object.fromEntries(left.filter(([, draft]) => Object.keys(draft).length > 0))
}
