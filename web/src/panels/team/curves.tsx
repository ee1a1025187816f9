// Progress of the mission and messages over time.

import { computed } from '@preact/signals'
import { status } from '../../net/store'
import { robotColour } from '../../ui/colours'
import { Columns } from '../chart/columns'
import { Legend } from '../chart/legend'
import { type Line, Plot } from '../chart/plot'
import { count, percent } from '../format'
import { ink } from '../ink'
import { laneShown, samples, scene } from '../now'
import { Section } from '../section'

let kept: { scene: unknown; columns: Columns } | null = null
const columns = computed(() => {
  if (!kept || kept.scene !== scene.value) kept = { scene: scene.value, columns: new Columns(5) }
  kept.columns.take(samples.value)
  return kept.columns.data.slice()
})
const progressColumns = computed(() => [columns.value[0], columns.value[1]])
const messageColumns = computed(() => [columns.value[0], ...columns.value.slice(2)])
const lane = computed(() => status.value?.lanes[laneShown.value])

const progressLines = computed<Line[]>(() => [{ label: 'progress', colour: ink.value.accent, write: percent }])
const messageLines = computed<Line[]>(() => [
  { label: 'sent', colour: robotColour(0), write: count },
  { label: 'delivered', colour: robotColour(2), write: count },
  { label: 'lost', colour: robotColour(1), dash: [5, 3], write: count },
])

const short = (value: number) => (value >= 10000 ? `${Math.round(value / 1000)}k` : count(value))

export function Curves() {
  return (
    <>
      <Section id="progress" title="Mission progress" note={percent(lane.value?.progress ?? 0)}>
        <Plot
          label="Progress of the mission over time"
          lines={progressLines.value}
          columns={progressColumns}
          top={1}
          write={(value) => `${Math.round(value * 100)}%`}
          height={110}
        />
      </Section>
      <Section id="counts" title="Messages" note={`${count(lane.value?.sent ?? 0)} sent`}>
        <Plot
          label="Messages sent, delivered and lost over time"
          lines={messageLines.value}
          columns={messageColumns}
          write={short}
          height={120}
        />
        <MessageKeys />
      </Section>
    </>
  )
}

function MessageKeys() {
  const now = lane.value
  const [sent, delivered, lost] = messageLines.value
  return (
    <Legend
      keys={[
        { ...sent, note: count(now?.sent ?? 0) },
        { ...delivered, note: count(now?.delivered ?? 0) },
        { ...lost, dashed: true, note: count(now?.lost ?? 0) },
      ]}
    />
  )
}
