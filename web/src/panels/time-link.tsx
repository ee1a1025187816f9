// A link to a moment of the run.

import { tipHandlers } from '../ui/button'
import { stopwatch } from './format'
import { goTo } from './now'

export function TimeLink({ t }: { t: number }) {
  return (
    <button type="button" class="time-link" data-tip="Go to this moment" {...tipHandlers} onClick={() => goTo(t)}>
      {stopwatch(t)}
    </button>
  )
}
