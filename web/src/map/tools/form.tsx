// Parts of the tools' forms.

import { lanes } from '../../net/store'
import { Button, Field, type Option, Select } from '../../ui/button'
import { bounds, pictureOf } from '../stage'
import type { PlaceForm } from './tool'

export function PlaceFields({ form, onEnter }: { form: PlaceForm; onEnter?: () => void }) {
  const { min, max } = bounds()
  const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
  const shared = { type: 'number' as const, step: 'any' as const, size: 5, onEnter }
  return (
    <>
      <Field
        label="x"
        tip={`Metres from the left, ${min[0]} to ${max[0]}`}
        value={form.x.value}
        placeholder={middle[0].toFixed(1)}
        onChange={(value) => {
          form.x.value = value
        }}
        {...shared}
      />
      <Field
        label="y"
        tip={`Metres from the bottom, ${min[1]} to ${max[1]}`}
        value={form.y.value}
        placeholder={middle[1].toFixed(1)}
        onChange={(value) => {
          form.y.value = value
        }}
        {...shared}
      />
    </>
  )
}

export function Go({ label, tip, onClick }: { label: string; tip: string; onClick: () => void }) {
  return <Button label={label} tip={tip} kind="primary" onClick={onClick} />
}

export function Choice(props: {
  label: string
  tip: string
  options: Option[]
  value: string
  onChange: (value: string) => void
}) {
  const known = props.options.some((option) => option.value === props.value)
  const options = known ? props.options : [{ value: '', label: 'choose…' }, ...props.options]
  return <Select {...props} options={options} value={known ? props.value : ''} />
}

/** The robots of lane 0. */
export function robotOptions(): Option[] {
  return (lanes.value[0]?.scene.robots ?? []).map((robot, i) => ({ value: String(i), label: robot.name }))
}

export function objectOptions(): Option[] {
  const objects = lanes.value[0]?.things?.objects ?? []
  const count = (name: string) => objects.filter((object) => object.name === name).length
  const meant = objects.filter(({ name }) => name && count(name) === 1)
  return meant.map(({ name }) => ({ value: `object ${name}`, label: name }))
}

const LISTED = 300

export function itemOptions(): Option[] {
  const scene = lanes.value[0]?.scene
  const picture = pictureOf(0)
  if (!scene || !picture) return []
  const options: Option[] = []
  for (let i = 0; i < Math.min(picture.items, LISTED); i++)
    if (picture.item.flags[i] & 1)
      options.push({ value: `item ${i}`, label: `${scene.item_kinds[picture.item.kind[i]] ?? 'item'} ${i}` })
  return options
}
