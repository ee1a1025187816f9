// Runs that belong together, one of which is shown: the others can be opened in its place.

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
/** The key of the run that is shown, if it is one of them. */
export const shown = computed(() => mainScene.value?.run ?? null)
/** How often another run was opened, by anybody. */
export const changes = signal(0)

/** What a run is called. */
export function titleOf(key: string): string {
  return shelf.value?.runs.find((run) => run.key === key)?.title ?? key
}

/** Opens a run in place of the one that is shown; throws the server's words if that cannot be done. */
export function openRun(key: string): Promise<unknown> {
  return send({ do: 'open', key })
}

/** When another run comes, nothing that was chosen in the one before is meant any more. */
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
