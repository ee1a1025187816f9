// The current run, its progress, and its viewers.

import { computed } from '@preact/signals'
import { connected, status } from '../../net/store'
import { tipHandlers } from '../../ui/button'
import { percent, words } from '../format'
import { mainScene } from '../now'

const lane = computed(() => status.value?.lanes[0])
const progress = computed(() => lane.value?.progress ?? 0)
const share = computed(() => percent(progress.value))
const width = computed(() => `width: ${(Math.max(0, Math.min(1, progress.value)) * 100).toFixed(1)}%`)
const outcome = computed(() => {
  if (!lane.value?.finished) return null
  return lane.value.completed ? 'completed' : 'time is up'
})
const coordinator = computed(() => lane.value?.coordinator ?? mainScene.value?.coordinator ?? '')
const viewers = computed(() => status.value?.viewers ?? 0)
const busy = computed(() => status.value?.busy ?? null)

export function RunName() {
  const scene = mainScene.value
  if (!scene) return <div class="run-name" />
  const tip = `Scenario ${scene.name}: mission ${scene.mission}, coordinator ${coordinator.value}, seed ${scene.seed}, ${scene.robots.length} robots, radio ${scene.radio}`
  return (
    <div class="run-name" data-tip={tip} {...tipHandlers}>
      <h1>{scene.name}</h1>
      <small>
        {scene.mission === scene.name ? '' : `${words(scene.mission)} · `}
        {coordinator} · seed {scene.seed}
      </small>
    </div>
  )
}

export function Progress() {
  return (
    <div
      class={`progress ${outcome.value ? (lane.value?.completed ? 'completed' : 'over') : ''}`}
      data-tip="How much of the mission is done"
      {...tipHandlers}
    >
      <small>
        {outcome.value ?? 'Progress'} <span class="share">{share}</span>
      </small>
      <div
        class="meter"
        role="progressbar"
        aria-label="Progress of the mission"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(progress.value * 100)}
      >
        <div style={width} />
      </div>
    </div>
  )
}

export function Connection() {
  const state = connected.value ? (busy.value ?? 'connected') : 'no connection'
  const tip = connected.value
    ? busy.value
      ? `The server is busy: ${busy.value}`
      : 'The page and the laboratory are connected'
    : 'Connection lost; reconnecting every second'
  const tone = connected.value ? (busy.value ? 'busy' : 'good') : 'bad'
  return (
    <div class={`connection ${tone}`} data-tip={tip} {...tipHandlers} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-text">
        <span>{state}</span>
        <small>
          {viewers} viewer{viewers.value === 1 ? '' : 's'}
        </small>
      </span>
    </div>
  )
}
