// The log of the run: filters, the list, and the numbers of the chosen event.

import { effect, signal, untracked, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button, Field, Select } from '../../ui/button'
import { count, figure, words } from '../format'
import { LaneChoice } from '../lane'
import { events, names, scene } from '../now'
import { numbers } from '../numbers'
import { TimeLink } from '../time-link'
import { EVERYTHING, type Filter, Sieve } from './filter'
import { List, type Shown } from './list'
import './log.css'

const PAUSE = 200
const filter = signal<Filter>(EVERYTHING)
const sieve = new Sieve()

/** Shows all events again. */
export function forgetFilter() {
  filter.value = EVERYTHING
}

const shown = signal<Shown & { kinds: [string, number][] }>({ events: [], places: [], names: [], kinds: [] })

/** Filters new events, a few times per second while the log is open. */
function useSieve() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const run = () => {
      timer = undefined
      last = performance.now()
      untracked(() => {
        if (!sieve.take(events.value, filter.value, names.value) && shown.value.names === names.value) return
        const kinds = [...sieve.kinds].sort(([a], [b]) => a.localeCompare(b))
        shown.value = { events: events.value, places: sieve.places, names: names.value, kinds }
      })
    }
    const stop = effect(() => {
      void [events.value, filter.value, names.value]
      timer ??= setTimeout(run, Math.max(0, PAUSE - (performance.now() - last)))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
}

export function Log() {
  useSieve()
  const active = useSignal<number | null>(null)
  const change = (part: Partial<Filter>) => {
    filter.value = { ...filter.value, ...part }
    active.value = null
  }
  const now = filter.value
  const filtered = now.robot !== null || now.kind !== '' || now.text !== ''
  const { places, events: all, kinds } = shown.value
  const known =
    kinds.some(([kind]) => kind === now.kind) || now.kind === '' ? kinds : [...kinds, [now.kind, 0] as const]
  return (
    <div class="panel-log">
      <div class="panel-tools">
        <LaneChoice />
        <Select
          bare
          label="Robot"
          tip="Events of one robot"
          options={[
            { value: '', label: 'all robots' },
            { value: '-1', label: 'world and mission' },
            ...names.value.map((name, i) => ({ value: String(i), label: name })),
          ]}
          value={now.robot === null ? '' : String(now.robot)}
          onChange={(value) => change({ robot: value === '' ? null : Number(value) })}
        />
        <Select
          bare
          label="Kind"
          tip="Events of one kind"
          options={[
            { value: '', label: 'all kinds' },
            ...known.map(([kind, many]) => ({ value: kind, label: `${words(kind)} (${count(many)})` })),
          ]}
          value={now.kind}
          onChange={(value) => change({ kind: value })}
        />
        <Field
          bare
          label="Text"
          tip="Events with this text"
          placeholder="find text"
          size={16}
          value={now.text}
          onChange={(value) => change({ text: value })}
        />
        <Button
          label="All"
          tip="Show all events again"
          disabled={!filtered}
          onClick={() => {
            filter.value = EVERYTHING
            active.value = null
          }}
        />
        <span class="log-count figures">
          {filtered ? `${count(places.length)} of ${count(all.length)}` : count(all.length)} events
        </span>
      </div>
      {all.length === 0 ? (
        <p class="quiet-text empty">Nothing has happened yet.</p>
      ) : (
        <List shown={shown} active={active} />
      )}
      <Chosen active={active.value} />
    </div>
  )
}

function Chosen({ active }: { active: number | null }) {
  const { events: all, places } = shown.value
  const event = active === null ? undefined : all[places[active]]
  if (!event) return <p class="log-chosen quiet-text">Choose an event to see the numbers behind it.</p>
  const task = event.task === null ? null : scene.value?.tasks[event.task]?.name
  const figures = numbers(event, scene.value ?? null)
  return (
    <div class="log-chosen">
      <p>
        <TimeLink t={event.t} />{' '}
        <b>
          {event.robot === null ? '' : `${names.value[event.robot] ?? event.robot} `}
          {words(event.kind)}
        </b>
        {task && ` · ${task}`}
        {event.other !== null && ` · with ${names.value[event.other] ?? event.other}`}
      </p>
      <p>{event.why}</p>
      {figures.length > 0 && (
        <dl class="term-list">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="figures">{figure(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
