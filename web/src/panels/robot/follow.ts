// Keeps the robot in the middle of the map.

import { signal } from '@preact/signals'

export const following = signal(false)

export function setFollowing(on: boolean) {
  following.value = on
}
