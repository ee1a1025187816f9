// What the operator wants of the team: which tasks, and how much. Robots are told by radio.

import { computed, signal } from '@preact/signals'
import { status } from '../../net/store'
import { Button, tipHandlers } from '../../ui/button'
import { taskColour } from '../../ui/colours'
import { disturb, laneShown, scene } from '../now'
import { Section } from '../section'
import { type Draft, entries, HEAVIEST, remaining, type Wanted, wanted, wrong } from './orders'

const drafts = signal<Record<string, Draft>>({})
const sending = signal(false)
const tasks = computed(() => wanted(scene.value?.tasks ?? [], status.value?.lanes[laneShown.value]?.operator ?? []))
const changes = computed(() => entries(tasks.value, drafts.value))
const faulty = computed(() => tasks.value.some((task) => wrong(drafts.value[task.name])))

function draft(task: Wanted, change: Draft) {
  drafts.value = { ...drafts.value, [task.name]: { ...drafts.value[task.name], ...change } }
}

async function sendAll() {
  if (faulty.value || sending.value) return
  const sent = drafts.value
  sending.value = true
  let done = true
  for (const entry of changes.value) done &&= await disturb(entry)
  sending.value = false
  // What was changed in the meantime is still to be sent.
  if (done) drafts.value = remaining(drafts.value, sent)
}

export function Mission() {
  const open = tasks.value.filter((task) => task.open).length
  if (tasks.value.length === 0) return null
  const note = faulty.value
    ? `A weight is a number above 0, up to ${HEAVIEST}.`
    : changes.value.length > 0
      ? 'Not sent yet.'
      : 'The operator tells robots by radio. Every change is a deed that is saved with the run.'
  return (
    <Section id="mission" title="Mission" note={`${open} of ${tasks.value.length} wanted`}>
      <form
        class="mission"
        aria-label="Mission"
        onSubmit={(event) => {
          event.preventDefault()
          void sendAll()
        }}
      >
        <table class="mission-tasks">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Wanted</th>
              <th scope="col">Weight</th>
            </tr>
          </thead>
          <tbody>
            {tasks.value.map((task, i) => (
              <Row key={task.name} task={task} colour={taskColour(i)} />
            ))}
          </tbody>
        </table>
        <div class="mission-send">
          <Button
            label="Send"
            tip="Tell the robots by radio what is wanted from now on (Enter in a field)"
            kind="primary"
            disabled={faulty.value || sending.value || changes.value.length === 0}
            onClick={() => void sendAll()}
          />
          <p class={`note ${faulty.value ? 'bad-text' : 'quiet-text'}`} aria-live="polite">
            {note}
          </p>
        </div>
      </form>
    </Section>
  )
}

function Row({ task, colour }: { task: Wanted; colour: string }) {
  const mine = drafts.value[task.name]
  const open = mine?.open ?? task.open
  return (
    <tr class={open ? '' : 'nobody'}>
      <th scope="row" data-tip={task.summary} {...tipHandlers}>
        <i class="swatch" aria-hidden="true" style={{ background: colour }} />
        {task.name}
      </th>
      <td>
        <input
          type="checkbox"
          aria-label={`${task.name} is wanted`}
          data-tip="Whether robots should work on it"
          {...tipHandlers}
          checked={open}
          onChange={(event) => draft(task, { open: event.currentTarget.checked })}
        />
      </td>
      <td>
        <input
          type="number"
          step="any"
          aria-label={`Weight of ${task.name}`}
          data-tip={`How much it counts: 1 for an ordinary task, up to ${HEAVIEST}`}
          {...tipHandlers}
          aria-invalid={wrong(mine) ? 'true' : undefined}
          value={mine?.weight ?? String(task.weight)}
          onInput={(event) => draft(task, { weight: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void sendAll()
          }}
        />
      </td>
    </tr>
  )
}
