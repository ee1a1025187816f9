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

/** The last event that was jumped to: the moment shown then is a tick, which need not be the event's own time. */
let last = Number.NaN

function jump(forward: boolean) {
  const now = wanted.value ?? time.value
  const there = Math.abs(now - last) <= tick.value
  const to = neighbour(marks.value, there ? last : now, forward, there ? 1e-6 : tick.value / 2)
  if (!to) return
  last = to.t
  goTo(to.t)
}

registerKey({ keys: [','], group: 'Time', what: 'Previous event', action: () => jump(false) })
registerKey({ keys: [';'], group: 'Time', what: 'Next event', action: () => jump(true) })
registerKey({
  keys: ['l'],
  group: 'Time',
  what: 'Go to the latest computed moment',
  action: () => goTo(end.value),
})
for (const [keys, what] of [
  [['left', 'right'], 'On the time bar: one tick back or forward'],
  [['page up', 'page down'], 'On the time bar: ten seconds forward or back'],
  [['home', 'end'], 'On the time bar: to the start or the end'],
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
          <Button label="◂ Event" tip="Previous event (,)" disabled={!before.value} onClick={() => jump(false)} />
          <Button label="Event ▸" tip="Next event (;)" disabled={!after.value} onClick={() => jump(true)} />
        </fieldset>
        <Sign />
        <OtherCoordinator />
        <Branches />
        <Button
          label="Go to the end"
          tip="Go to the latest computed moment (L)"
          disabled={!behind.value}
          onClick={() => goTo(end.value)}
        />
      </div>
      <Bar />
    </div>
  )
}

/** States clearly that the moment shown is in the past. */
function Sign() {
  if (!behind.value) return <p class="sign now">{end.value > 0 ? 'Showing the latest moment' : ''}</p>
  return (
    <p class="sign">
      <b>{late} before the end:</b> play shows it again; a disturbance here begins a new branch
    </p>
  )
}
