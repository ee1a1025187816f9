// The team: who does what, the progress of the mission, and messages.

import { LaneChoice } from '../lane'
import { names } from '../now'
import { Section } from '../section'
import { WindowChoice } from '../window'
import { Curves } from './curves'
import { Mission } from './mission'
import { PlanOfTeam } from './plan'
import { Shifts } from './shifts'
import { Tasks } from './tasks'
import './team.css'

export function Team() {
  return (
    <div class="panel-team">
      <div class="panel-tools">
        <LaneChoice />
        <WindowChoice />
      </div>
      <PlanOfTeam />
      <Section id="gantt" title="Who does what" note={`${names.value.length} robots`}>
        <Shifts />
        <Tasks />
      </Section>
      <Mission />
      <Curves />
    </div>
  )
}
