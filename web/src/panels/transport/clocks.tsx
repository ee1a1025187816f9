// Simulated time, wall time and the actual speed.

import { computed } from '@preact/signals'
import { status } from '../../net/store'
import { tipHandlers } from '../../ui/button'
import { stopwatch, times } from '../format'
import { behind, mainScene, playing, time, wanted } from '../now'

const shown = computed(() => stopwatch(wanted.value ?? time.value))
const until = computed(() => {
  const bound = mainScene.value?.until_s ?? 0
  return bound > 0 ? `of ${stopwatch(bound, 0)}` : ''
})
const wall = computed(() => stopwatch(status.value?.wall ?? 0, 0))
const factor = computed(() => (playing.value ? times(status.value?.factor ?? 0) : '–'))

export function Clocks() {
  return (
    <div class="clocks">
      <div class={`stat time ${behind.value ? 'behind' : ''}`} data-tip="Simulated time shown" {...tipHandlers}>
        <small>
          Time <span class="until">{until}</span>
        </small>
        <output aria-label="Simulated time" aria-live="off">
          {shown}
        </output>
      </div>
      <div class="stat wall" data-tip="Wall time spent playing" {...tipHandlers}>
        <small>Wall</small>
        <span>{wall}</span>
      </div>
      <div class="stat factor" data-tip="Real-time factor: simulated seconds per second, just now" {...tipHandlers}>
        <small>Factor</small>
        <span>{factor}</span>
      </div>
    </div>
  )
}
