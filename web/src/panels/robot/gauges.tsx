// The coordinator's gauges of a robot over time: motivations, bids, votes.

import { computed } from '@preact/signals'
import { chart, detail, lanes } from '../../net/store'
import { taskColour } from '../../ui/colours'
import { selected } from '../../ui/selection'
import { Columns } from '../chart/columns'
import { type Key, Legend } from '../chart/legend'
import { type Line, Plot } from '../chart/plot'
import { figure } from '../format'
import { ink } from '../ink'
import { Section } from '../section'
import { WindowChoice } from '../window'
import { Bids } from './bids'
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
/** Levels over time, and whether there are any. */
const levels = computed(() => {
  const width = lines.value.length + 1
  if (!store || store.who !== selected.value || store.width !== width)
    store = { who: selected.value, width, columns: new Columns(width) }
  store.columns.take(chart.value)
  // The same arrays grow; a new list of them signals the change.
  return { data: store.columns.data.slice(), some: store.columns.some }
})

const bidder = computed(() => {
  const [one, at] = [robot.value, selected.value]
  if (!one || !at) return null
  const tasks = one.behaviours.map(({ task }) => task)
  return { bids: new Bids(at.robot, tasks), columns: new Columns(tasks.length + 1) }
})
/** Bids from the log, for coordinators that have a level only at the time of an auction. */
const auctions = computed(() => {
  const events = lanes.value[selected.value?.lane ?? 0]?.events
  if (!bidder.value || !events) return null
  bidder.value.bids.take(events)
  bidder.value.columns.take(bidder.value.bids.rows)
  return { data: bidder.value.columns.data.slice(), some: bidder.value.columns.some }
})

const single = computed(() => !levels.value.some && (auctions.value?.some ?? false))
const columns = computed(() => (single.value && auctions.value ? auctions.value.data : levels.value.data))
const drawn = computed(() => (single.value ? lines.value.map((line) => ({ ...line, dots: true })) : lines.value))
const empty = computed(() => !levels.value.some && !single.value)

export function Gauges() {
  const scene = laneScene.value
  if (!scene || lines.value.length === 0) return null
  const { name: title, plural, unit } = scene.gauge
  const name = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}${unit && ` [${unit}]`}`
  return (
    <Section id="gauges" title={`${name} over time`} note={empty.value ? `no ${title} so far` : ''}>
      <Plot
        label={`${name} of ${robot.value?.name} over time, one ${single.value ? 'colour' : 'line'} per behaviour`}
        lines={drawn.value}
        columns={columns}
        threshold={scene.threshold}
        height={150}
      />
      <div class="gauge-foot">
        {single.value ? <LastBids /> : <Levels threshold={scene.threshold} />}
        <WindowChoice />
      </div>
    </Section>
  )
}

/** The current levels, and the numbers behind them. */
function Levels({ threshold }: { threshold: number | null }) {
  const now = new Map((detail.value?.gauges ?? []).map((gauge) => [gauge.behaviour, gauge]))
  const keys: Key[] = lines.value.map((line, i) => {
    const gauge = now.get(i)
    const note = gauge ? `${figure(gauge.level)}${gauge.state ? ` ${gauge.state}` : ''}` : '–'
    return { label: line.label, colour: line.colour, note }
  })
  if (threshold !== null)
    keys.push({ label: 'threshold', colour: ink.value.text, note: figure(threshold), dashed: true })
  return <Legend keys={keys} />
}

function LastBids() {
  const keys = lines.value.map((line, i) => {
    const last = columns.value[i + 1]?.findLast((value) => value !== null)
    return {
      label: line.label,
      colour: line.colour,
      note: last === undefined || last === null ? '–' : `last ${figure(last)}`,
    }
  })
  return <Legend keys={keys} />
}
