// The robot that the panel shows.

import { computed } from '@preact/signals'
import { detail, lanes } from '../../net/store'
import { selected } from '../../ui/selection'

export const laneScene = computed(() => lanes.value[selected.value?.lane ?? 0]?.scene ?? null)
export const robot = computed(() => {
  const at = selected.value
  return at ? (laneScene.value?.robots[at.robot] ?? null) : null
})

/** The name of a behaviour: that of its task if it is the same. */
export function workName(behaviour: number | null): string {
  if (behaviour === null) return 'none'
  return robot.value?.behaviours[behaviour]?.name ?? `behaviour ${behaviour}`
}

export const taken = computed(() => detail.value?.taken_over ?? false)
