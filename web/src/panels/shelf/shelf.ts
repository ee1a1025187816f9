// A collection of runs, one of which is shown: the others can be opened instead.

import { computed, effect, signal, untracked } from '@preact/signals'
import { fitAll } from '../../map/stage'
import { measure } from '../../map/tools/measure'
import { hello, send } from '../../net/store'
import { notify } from '../../ui/notify'
import { select } from '../../ui/selection'
import { exported, saved } from '../deeds/files'
import { forgetFilter } from '../log/log'
import { mainScene, showLane } from '../now'

export const shelf = computed(() => hello.value?.shelf ?? null)
/** The key of the run shown, if it is one of them. */
export const shown = computed(() => mainScene.value?.run ?? null)
/** How often another run was opened, by any viewer. */
export const changes = signal(0)

/** The title of a run. */
export function titleOf(key: string): string {
  return shelf.value?.runs.find((run) => run.key === key)?.title ?? key
}

/** Opens a run instead of the current one; throws the server's message if that fails. */
export function openRun(key: string): Promise<unknown> {
  return send({ do: 'open', key })
}

/** When another run is opened, all selections are reset. */
export function keepShelf() {
  let before: string | null | undefined
  effect(() => {
    const scene = mainScene.value
    const now = shown.value
    if (!scene) return
    const other = before !== undefined && now !== null && now !== before
    before = now
    if (other) untracked(() => begin(now))
  })
}

function begin(run: string) {
  select(0, null)
  showLane(null)
  saved.value = null
  exported.value = null
  measure.value = null
  forgetFilter()
  fitAll()
  changes.value++
  notify(`Opened: ${titleOf(run)}`)
}
