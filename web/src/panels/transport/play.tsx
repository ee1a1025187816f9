// Play, pause, single steps and speed.

import { computed, signal } from '@preact/signals'
import { send, status } from '../../net/store'
import { Button, Select } from '../../ui/button'
import { registerKey } from '../../ui/keys'
import { act } from '../../ui/notify'
import { pace } from '../format'
import { playing } from '../now'
import { beside, SPEEDS } from './speeds'

/** The requested speed that is not confirmed yet: the next key starts from there. */
const wish = signal<{ factor: number | null } | null>(null)
const speed = computed(() => (wish.value ? wish.value.factor : status.value ? status.value.speed : 1))
const finished = computed(() => {
  const now = status.value
  return now ? now.lanes.every((lane) => lane.finished) && now.time >= now.end : false
})

function toggle() {
  void act(send({ do: playing.value ? 'pause' : 'play' }))
}

function step(ticks: number) {
  void act(send({ do: 'step', ticks }))
}

async function choose(factor: number | null) {
  const mine = { factor }
  wish.value = mine
  await act(send({ do: 'speed', factor }))
  // The next status confirms it.
  setTimeout(() => {
    if (wish.value === mine) wish.value = null
  }, 300)
}

registerKey({ keys: ['space'], group: 'Run', what: 'Play or pause', action: toggle })
registerKey({ keys: ['.'], group: 'Run', what: 'One tick', action: () => step(1) })
registerKey({ keys: [':', '>'], group: 'Run', what: 'Ten ticks', action: () => step(10) })
registerKey({ keys: ['['], group: 'Run', what: 'Slower', action: () => choose(beside(speed.value, false)) })
registerKey({ keys: [']'], group: 'Run', what: 'Faster', action: () => choose(beside(speed.value, true)) })

const key = (factor: number | null) => (factor === null ? 'max' : String(factor))

export function Play() {
  const on = playing.value
  const known = SPEEDS.includes(speed.value) ? SPEEDS : [speed.value, ...SPEEDS]
  return (
    <fieldset class="group" aria-label="Run">
      <Button
        class="play"
        kind="primary"
        label={on ? 'Pause' : 'Play'}
        tip={
          on ? 'Pause (Space)' : finished.value ? 'The run is finished; restart it, or go back in time' : 'Play (Space)'
        }
        icon={on ? 'pause' : 'play'}
        onClick={toggle}
      />
      <Button label="One tick" tip="One tick (.)" icon="step" onClick={() => step(1)} />
      <Button label="+10" tip="Ten ticks (:)" onClick={() => step(10)} />
      <Select
        bare
        label="Speed"
        tip="Speed as a multiple of real time ([ slower, ] faster)"
        options={known.map((factor) => ({ value: key(factor), label: pace(factor) }))}
        value={key(speed.value)}
        onChange={(value) => choose(value === 'max' ? null : Number(value))}
      />
    </fieldset>
  )
}
