// Any disturbance by its name, starting from an example.

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { hello } from '../../net/store'
import { Button, Select, tipHandlers } from '../../ui/button'
import { words } from '../format'
import { disturb, mainScene } from '../now'
import { entry, FlowError, template, write } from './flow'

/** The example with a robot and tasks of this run instead of invented ones. */
function fitted(example: string): string {
  const text = template(example)
  const robots = mainScene.value?.robots ?? []
  if (robots.length === 0) return text
  const known = new Set(robots.map((robot) => robot.name))
  let next = 0
  return text.replace(/\b(blue|gold|green|red)\b/g, (name) =>
    known.has(name) ? name : (robots[next++ % robots.length]?.name ?? name),
  )
}

export function DeedForm() {
  const id = useId()
  const kind = useSignal('')
  const text = useSignal('')
  const list = (hello.value?.disturbances ?? []).filter((one) => one.listed)
  const chosen = list.find((one) => one.name === kind.value)
  let read: Record<string, unknown> | null = null
  let wrong = ''
  if (text.value.trim() !== '')
    try {
      read = entry(text.value)
    } catch (error) {
      wrong = error instanceof FlowError ? error.message : String(error)
    }
  const go = async () => {
    if (read) await disturb(read)
  }
  return (
    <div class="deed-form">
      <Select
        label="Disturbance"
        tip="Kind of disturbance; fills the field below with an example"
        options={[
          { value: '', label: 'choose one' },
          ...list.map((one) => ({ value: one.name, label: words(one.name), group: one.group })),
        ]}
        value={kind.value}
        onChange={(value) => {
          kind.value = value
          const one = list.find((each) => each.name === value)
          text.value = one?.example ? fitted(one.example) : value ? `{${value}: }` : ''
        }}
      />
      <p class="quiet-text summary">{chosen?.summary ?? 'All kinds of disturbances that scenarios support.'}</p>
      <label for={id}>Entry, as in a scenario or as JSON</label>
      <textarea
        id={id}
        rows={3}
        spellcheck={false}
        value={text.value}
        placeholder="{for: 30 s, sensor: {robot: blue, fault: dead}}"
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={`${id}-note`}
        data-tip="The disturbance; Ctrl+Enter triggers it now"
        {...tipHandlers}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void go()
        }}
      />
      <p id={`${id}-note`} class={`note ${wrong ? 'bad-text' : 'quiet-text'}`} aria-live="polite">
        {wrong || (read ? `Happens now: ${write(read)}` : 'Leave out the time: it happens at the moment shown.')}
      </p>
      <Button
        label="Trigger now"
        tip="At the moment shown (Ctrl+Enter in the field)"
        kind="primary"
        disabled={!read}
        onClick={go}
      />
    </div>
  )
}
