// What a robot does, and its state, at a glance.

import { computed } from '@preact/signals'
import { detail } from '../../net/store'
import { taskColour } from '../../ui/colours'
import { figure, percent, stopwatch } from '../format'
import { laneScene, robot, workName } from './watched'

const task = computed(() => {
  const now = detail.value
  const work = now?.behaviour ?? null
  if (work === null) return { name: 'none', place: -1, by: '' }
  const place = robot.value?.behaviours[work]?.task ?? -1
  const name = laneScene.value?.tasks[place]?.name ?? workName(work)
  return { name, place, by: workName(work) === name ? '' : workName(work) }
})

const degrees = (angle: number) => `${Math.round((((angle * 180) / Math.PI) % 360) + 360) % 360}°`

export function Facts() {
  const now = detail.value
  if (!now) return <p class="quiet-text">Waiting for the robot’s data …</p>
  return (
    <dl class="facts">
      <div class="wide">
        <dt>Task</dt>
        <dd>
          <i class="swatch" aria-hidden="true" style={{ background: taskColour(task.value.place) }} />
          <b>{task.value.name}</b> {task.value.by && <span class="quiet-text">by {task.value.by}</span>}
        </dd>
      </div>
      <div class="wide">
        <dt>State</dt>
        <dd>{now.state || '–'}</dd>
      </div>
      <div>
        <dt>Battery</dt>
        <dd>{now.battery === null ? 'has none' : <Battery share={now.battery} />}</dd>
      </div>
      <div>
        <dt>Holds</dt>
        <dd>{now.holding ?? 'nothing'}</dd>
      </div>
      <div>
        <dt>Place</dt>
        <dd class="figures">
          {now.x.toFixed(2)}, {now.y.toFixed(2)} m
        </dd>
      </div>
      <div>
        <dt>Heading</dt>
        <dd class="figures">{degrees(now.heading)}</dd>
      </div>
      <div>
        <dt>Speed</dt>
        <dd class="figures">{now.speed === null ? '–' : `${now.speed.toFixed(2)} m/s`}</dd>
      </div>
      <div>
        <dt>Its clock</dt>
        <dd class="figures">{stopwatch(now.clock)}</dd>
      </div>
      {now.faults.length > 0 && (
        <div class="wide">
          <dt>Faults</dt>
          <dd class="chips">
            {now.faults.map((fault) => (
              <span class="chip bad" key={fault}>
                {fault}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Battery({ share }: { share: number }) {
  return (
    <span class="battery">
      <span class={`meter ${share < 0.2 ? 'low' : ''}`} aria-hidden="true">
        <span style={{ width: `${figure(Math.max(0, Math.min(1, share)) * 100)}%` }} />
      </span>
      <span class="figures">{percent(share)}</span>
    </span>
  )
}
