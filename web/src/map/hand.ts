// Driving a robot by hand.

import { signal } from '@preact/signals'

/** The robot that is being driven from this page, or null. */
export const driven = signal<{ lane: number; robot: number } | null>(null)

export function takeOver(lane: number, robot: number) {
  driven.value = { lane, robot }
}

export function release() {
  driven.value = null
}
