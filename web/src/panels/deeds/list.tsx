// The manual actions in this run.

import { tipHandlers } from '../../ui/button'
import { stopwatch } from '../format'
import { deeds, deedWords, goTo, time } from '../now'
import { byHand } from '../timeline/marks'

export function DeedList() {
  if (deeds.value.length === 0)
    return (
      <p class="quiet-text">
        Nothing yet. Draw an obstacle or drag a robot on the map, break something on a robot, or use the form below.
        Everything you do is listed here with its time and can be saved.
      </p>
    )
  const words = deedWords.value
  return (
    <ol class="deeds">
      {deeds.value.map((deed) => {
        const told = words.get(deed.number)
        return (
          <li key={deed.number}>
            <button
              type="button"
              class={deed.at > time.value + 0.01 ? 'later' : ''}
              data-tip={`Go to this moment: ${deed.text}`}
              {...tipHandlers}
              onClick={() => goTo(deed.at)}
            >
              <span class="when">{stopwatch(deed.at)}</span>
              <span>{told ? byHand(told) : deed.text}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
