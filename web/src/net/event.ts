// Events arrive without their empty fields.

import type { LogEvent, SentEvent } from '../protocol'

/** An event with all its fields. */
export function complete(sent: SentEvent): LogEvent {
  return {
    robot: null,
    behaviour: null,
    task: null,
    subject: 0,
    other: null,
    thing: null,
    place: null,
    bids: [],
    terms: [],
    disturbance: null,
    ...sent,
  }
}
