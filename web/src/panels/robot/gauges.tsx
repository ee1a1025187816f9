// The coordinator's gauges of a robot over time: motivations, bids, votes.

import { computed } from '@preact/signals'
import { chart, detail } from '../../net/store'
import { taskColour } from '../../ui/colours'
import { selected } from '../../ui/selection'
import { Columns } from '../chart/columns'
import { Legend } from '../chart/legend'
import { type Line, Plot } from '../chart/plot'
import { figure, words } from '../format'
import { ink } from '../ink'
import { Section } from '../section'
import { WindowChoice } from '../window'
import { laneScene, robot } from './watched'

const DASHES = [undefined, [5, 3], [2, 2], [8, 3, 2, 3]]

/** One line per behaviour, in the colour of its task; those of one task differ in their dashes. */
const lines = computed<Line[]>(() => {
  const used = new Map<number, number>()
  return (robot.value?.behaviours ?? []).map(({ name, task }) => {
    const nth = used.get(task) ?? 0
    used.set(task, nth + 1)
    return { label: name, colour: taskColour(task), dash: DASHES[nth % DASHES.length] }
  })
})

let store: { who: unknown; width: number; columns: Columns } | null = null
const columns = computed(() => {
  const width = lines.value.length + 1
  if (!store || store.who !== selected.value || store.width !== width)
    store = { who: selected.value, width, columns: new Columns(width) }
  store.columns.take(chart.value)
  // The same arrays grow; a new list of them says that they did.
  return store.columns.data.slice()
})

export function Gauges() {
  const scene = laneScene.value
  if (!scene?.gauge || lines.value.length === 0) return null
  const title = words(scene.gauge)
  const name = `${title.charAt(0).toUpperCase()}${title.slice(1)}`
  return (
    <Section id="gauges" title={`${name} over time`} note={<WindowNote />}>
      <Plot
        label={`${name} of ${robot.value?.name} over time, one line per behaviour`}
        lines={lines.value}
        columns={columns}
        threshold={scene.threshold}
        height={150}
      />
      <div class="gauge-foot">
        <Levels threshold={scene.threshold} />
        <WindowChoice />
      </div>
    </Section>
  )
}

function WindowNote() {
  return chart.value.length === 0 ? <>nothing yet</> : null
}

/** The levels now, and what is behind them. */
function Levels({ threshold }: { threshold: number | null }) {
  const now = new Map((detail.value?.gauges ?? []).map((gauge) => [gauge.behaviour, gauge]))
  const keys = lines.value.map((line, i) => {
    const gauge = now.get(i)
    const note = gauge ? `${figure(gauge.level)}${gauge.state ? ` ${gauge.state}` : ''}` : '–'
    return { label: line.label, colour: line.colour, note }
  })
  if (threshold !== null)
    keys.push({ label: 'threshold', colour: ink.value.text, note: figure(threshold), ...{ dashed: true } })
  return <Legend keys={keys} />
}
