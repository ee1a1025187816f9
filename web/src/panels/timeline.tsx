// The bar at the bottom: the run so far, its events and its branches.

import { computed } from '@preact/signals'
import { Button } from '../ui/button'
import { registerKey } from '../ui/keys'
import { lasting } from './format'
import { letGo } from './mouse'
import { behind, end, goTo, marks, tick, time, wanted } from './now'
import { Bar } from './timeline/bar'
import { Branches } from './timeline/branches'
import { neighbour } from './timeline/marks'
import { OtherCoordinator } from './timeline/other'
import './timeline.css'

function jump(forward: boolean) {
  const to = neighbour(marks.value, wanted.value ?? time.value, forward, tick.value / 2)
  if (to) goTo(to.t)
}

registerKey({ keys: [','], group: 'Time', what: 'Back to the event before', action: () => jump(false) })
registerKey({ keys: [';'], group: 'Time', what: 'On to the next event', action: () => jump(true) })
registerKey({
  keys: ['l'],
  group: 'Time',
  what: 'Go to the end of what was computed',
  action: () => goTo(end.value),
})
for (const [keys, what] of [
  [['left', 'right'], 'On the time bar: one tick back or on'],
  [['page up', 'page down'], 'On the time bar: ten seconds on or back'],
  [['home', 'end'], 'On the time bar: to the begin or the end'],
] as const)
  registerKey({ keys: [...keys], group: 'Time', what, action: () => {}, listed: true })

const before = computed(() => marks.value.some((mark) => mark.t < time.value - tick.value / 2))
const after = computed(() => marks.value.some((mark) => mark.t > time.value + tick.value / 2))
const late = computed(() => lasting(Math.max(0, end.value - (wanted.value ?? time.value))))

export function Timeline() {
  return (
    <div class="timeline">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only gives the focus back */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys keep the focus */}
      <div class="timeline-tools" onClick={letGo}>
        <fieldset class="group" aria-label="Events">
          <Button
            label="◂ Event"
            tip="Back to the event before (,)"
            disabled={!before.value}
            onClick={() => jump(false)}
          />
          <Button label="Event ▸" tip="On to the next event (;)" disabled={!after.value} onClick={() => jump(true)} />
        </fieldset>
        <Sign />
        <OtherCoordinator />
        <Branches />
        <Button
          label="Go to the end"
          tip="Go to the end of what was computed (L)"
          disabled={!behind.value}
          onClick={() => goTo(end.value)}
        />
      </div>
      <Bar />
    </div>
  )
}

/** Says clearly that the moment shown is past. */
function Sign() {
  if (!behind.value) return <p class="sign now">{end.value > 0 ? 'Shows the newest moment' : ''}</p>
  return (
    <p class="sign">
      <b>{late} before the end:</b> play shows it again; a disturbance here begins a new branch
    </p>
  )
}
