// Two coordinators on the same seed, side by side and in step.

import { computed, useSignal } from '@preact/signals'
import { send, status } from '../net/store'
import { Button, Select } from '../ui/button'
import { act } from '../ui/notify'
import { count, percent } from './format'
import { comparing, coordinators, mainScene } from './now'
import { Popover } from './popover'
import './compare.css'

const running = computed(() => status.value?.lanes[0]?.coordinator ?? mainScene.value?.coordinator ?? '')

export function CompareBar() {
  return (
    <section class={`compare ${comparing.value ? 'both' : ''}`} aria-label="Compare two coordinators">
      {comparing.value ? (
        <Both />
      ) : (
        <Popover
          label="Compare"
          tip="Compare with another coordinator, side by side"
          icon="compare"
          title="Choose a coordinator to compare with"
          body={() => <Start />}
        />
      )}
    </section>
  )
}

function Start() {
  const wish = useSignal('')
  const busy = useSignal(false)
  const others = coordinators.value.filter((one) => one.name !== running.value)
  const chosen = others.find((one) => one.name === wish.value)
  return (
    <div class="compare-start">
      <h2>Compare</h2>
      <p class="quiet-text">
        A second run beside this one, with the same seed and the same disturbances. Both go in step.
      </p>
      <Select
        label="With"
        tip={chosen?.summary ?? 'A second run with another coordinator, same seed and same disturbances'}
        options={[
          { value: '', label: 'another coordinator' },
          ...others.map((one) => ({ value: one.name, label: one.name })),
        ]}
        value={chosen?.name ?? ''}
        onChange={(value) => {
          wish.value = value
        }}
      />
      <Button
        label={busy.value ? 'Starting …' : 'Start'}
        tip={chosen ? `Run ${chosen.name} in step with ${running.value}` : 'Choose a coordinator first'}
        icon="compare"
        showLabel
        disabled={!chosen || busy.value}
        onClick={async () => {
          if (!chosen) return
          busy.value = true
          await act(send({ do: 'compare', coordinator: chosen.name }))
          busy.value = false
        }}
      />
    </div>
  )
}

function Both() {
  const lanes = status.value?.lanes ?? []
  const best = Math.max(...lanes.map((lane) => lane.progress))
  return (
    <>
      <div class="compare-lanes">
        {lanes.map((lane, i) => (
          <dl
            key={lane.epoch}
            class={lane.progress === best && lanes.some((other) => other.progress < best) ? 'ahead' : ''}
          >
            <dt class="compare-name">
              <span class="side-word">{i === 0 ? 'Left' : 'Right'}</span> {lane.coordinator}
            </dt>
            <dd>
              <span
                class="meter"
                role="progressbar"
                aria-label={`Progress of ${lane.coordinator}`}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(lane.progress * 100)}
              >
                <span style={{ width: `${Math.min(100, Math.max(0, lane.progress * 100)).toFixed(1)}%` }} />
              </span>
              <span class="share">{percent(lane.progress)}</span>
            </dd>
            <dd class="messages-sent">
              <b>{count(lane.sent)}</b> sent, <b>{count(lane.lost)}</b> lost
            </dd>
            <dd class={`lane-state ${lane.finished ? (lane.completed ? 'completed' : 'over') : ''}`}>
              {lane.finished ? (lane.completed ? 'completed' : 'time is up') : 'running'}
            </dd>
          </dl>
        ))}
      </div>
      <Button
        label="Stop comparing"
        tip="Stop the second run"
        icon="close"
        showLabel
        onClick={() => void act(send({ do: 'compare', coordinator: null }))}
      />
    </>
  )
}
