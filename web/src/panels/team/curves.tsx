// Progress of the mission, its measures and messages over time.

import { computed, type ReadonlySignal } from '@preact/signals'
import { status } from '../../net/store'
import type { Measure } from '../../protocol'
import { robotColour } from '../../ui/colours'
import { Columns } from '../chart/columns'
import { Legend } from '../chart/legend'
import { type Line, Plot } from '../chart/plot'
import { amount, count, percent } from '../format'
import { ink } from '../ink'
import { laneShown, samples, scene } from '../now'
import { Section } from '../section'

/** Number of columns before the measures. */
const FIXED = 5
const NO_MEASURES: Measure[] = []
const measures = computed(() => scene.value?.measures ?? NO_MEASURES)

let kept: { scene: unknown; columns: Columns } | null = null
const columns = computed(() => {
  if (!kept || kept.scene !== scene.value)
    kept = { scene: scene.value, columns: new Columns(FIXED + measures.value.length) }
  kept.columns.take(samples.value)
  return kept.columns.data.slice()
})
const progressColumns = computed(() => [columns.value[0], columns.value[1]])
const messageColumns = computed(() => [columns.value[0], ...columns.value.slice(2, FIXED)])
/** Each measure with its columns, created once per measure so that its chart is kept. */
const measured = computed(() =>
  measures.value.map((measure, i) => ({
    measure,
    columns: computed(() => [columns.value[0], columns.value[FIXED + i] ?? []]),
  })),
)
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
      {measured.value.map(({ measure, columns }) => (
        <MeasureCurve key={measure.name} measure={measure} columns={columns} />
      ))}
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

function MeasureCurve({ measure, columns }: { measure: Measure; columns: ReadonlySignal<(number | null)[][]> }) {
  const title = measure.title[0].toUpperCase() + measure.title.slice(1)
  const now = columns.value[1].at(-1) ?? null
  const write = (value: number) => amount(value, measure.unit)
  return (
    <Section id={`measure-${measure.name}`} title={title} note={now === null ? '–' : write(now)}>
      <Plot
        label={`${title} over time: ${measure.summary}`}
        lines={[{ label: measure.title, colour: ink.value.accent, write }]}
        columns={columns}
        write={write}
        height={90}
      />
    </Section>
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
