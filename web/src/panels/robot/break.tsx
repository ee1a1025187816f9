// Breaks something on a robot, or repairs it.

import { computed, useSignal } from '@preact/signals'
import { detail, hello } from '../../net/store'
import { Button, Field, Select } from '../../ui/button'
import { notify } from '../../ui/notify'
import { disturb } from '../now'
import { Section } from '../section'
import { breaking, parts, repairable, repairing, tools } from './entries'
import { robot } from './watched'

const powered = computed(() => detail.value?.battery !== null)

export function Break() {
  const part = useSignal('')
  const harm = useSignal('')
  const device = useSignal('')
  const severity = useSignal('')
  const lasts = useSignal('')
  const mend = useSignal('')
  const one = robot.value
  if (!one) return null

  const has = { effector: tools(one).length > 0, sensor: one.sensors.length > 0 }
  const able = parts(hello.value?.disturbances ?? [], powered.value).filter((each) => !each.device || has[each.device])
  const chosen = able.find((each) => each.name === part.value) ?? able[0]
  if (!chosen) return null
  const mendable = repairable(one, hello.value?.repairable ?? [])
  const kind = chosen.harms.find((each) => each.name === harm.value) ?? chosen.harms[0]
  const devices = chosen.device === 'sensor' ? ['', ...one.sensors] : chosen.device === 'effector' ? tools(one) : []
  const named = devices.includes(device.value) ? device.value : (devices[0] ?? '')
  const worse = kind.way.dial

  const doIt = async () => {
    const seconds = lasts.value.trim() === '' ? null : Number(lasts.value)
    const much = severity.value.trim() === '' ? (worse?.value ?? null) : Number(severity.value)
    if (seconds !== null && !(seconds > 0)) return notify('the duration must be a number of seconds above 0', 'error')
    if (worse && !(much !== null && much >= worse.min && much <= worse.max))
      return notify(`“${worse.label}” must be from ${worse.min} to ${worse.max} ${worse.unit}`.trim(), 'error')
    const wish = { robot: one.name, part: chosen, harm: kind, device: named, degree: much, lasts: seconds }
    await disturb(breaking(wish))
  }

  return (
    <Section id="break" title="Break or repair">
      <div class="form">
        <Select
          label="What"
          tip="What breaks"
          options={able.map((each) => ({ value: each.name, label: each.label }))}
          value={chosen.name}
          onChange={(value) => {
            part.value = value
            severity.value = ''
          }}
        />
        {devices.length > 0 && (
          <Select
            label="Which"
            tip="Which of its devices"
            options={devices.map((name) => ({ value: name, label: name || 'all of them' }))}
            value={named}
            onChange={(value) => {
              device.value = value
            }}
          />
        )}
        <Select
          label="How"
          tip="How it breaks"
          options={chosen.harms.map((each) => ({ value: each.name, label: each.label }))}
          value={kind.name}
          onChange={(value) => {
            harm.value = value
            severity.value = ''
          }}
        />
        {worse && (
          <Field
            label={`${worse.label}${worse.unit ? `, ${worse.unit}` : ''}`}
            tip={`From ${worse.min} to ${worse.max} ${worse.unit}`}
            type="number"
            step={worse.step}
            min={worse.min}
            max={worse.max}
            size={6}
            value={severity.value === '' ? String(worse.value) : severity.value}
            onChange={(value) => {
              severity.value = value
            }}
            onEnter={doIt}
          />
        )}
        <Field
          label="For, s"
          tip="How many seconds it lasts; empty: until it is repaired"
          type="number"
          min={0}
          size={8}
          placeholder="for good"
          value={lasts.value}
          onChange={(value) => {
            lasts.value = value
          }}
          onEnter={doIt}
        />
        <Button
          label={chosen.whole ? 'Do it' : 'Break it'}
          tip={`${one.name}: ${chosen.label.toLowerCase()} ${kind.label}, now`}
          kind="danger"
          icon="warning"
          showLabel
          onClick={doIt}
        />
      </div>
      <div class="form repair">
        <Select
          label="Repair"
          tip="What to repair"
          options={[
            { value: '', label: 'everything' },
            ...mendable.map((name) => ({ value: name, label: name === 'stop' ? 'what stops it' : name })),
          ]}
          value={mendable.includes(mend.value) ? mend.value : ''}
          onChange={(value) => {
            mend.value = value
          }}
        />
        <Button
          label="Repair"
          tip={`Repair ${mend.value || 'everything'} of ${one.name}, now`}
          icon="wrench"
          showLabel
          onClick={() => void disturb(repairing(one.name, mendable.includes(mend.value) ? mend.value : ''))}
        />
      </div>
    </Section>
  )
}
