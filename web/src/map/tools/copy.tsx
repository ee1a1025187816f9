// Adds another object like one that is there.

import { signal } from '@preact/signals'
import { lanes } from '../../net/store'
import type { Outline, Point } from '../../protocol'
import { Select } from '../../ui/button'
import { placer } from '../look'
import { box, middle, shifted, trace } from '../shapes'
import { objectCopied } from './entries'
import { Go, objectOptions, PlaceFields } from './form'
import { disturb, meantName, newName, type Pointer, placeForm, putWords, type Tool, touch } from './tool'

const form = placeForm()
const chosen = signal('')
let over: Pointer | null = null

/** Names that mean one object. */
function names(): string[] {
  return objectOptions().map(({ label }) => label)
}

/** The object to copy. */
function original(): string {
  return names().includes(chosen.value) ? chosen.value : (names()[0] ?? '')
}

function outline(): Outline | null {
  return lanes.value[0]?.things?.objects.find(({ name }) => name === original())?.outline ?? null
}

function add(at: Point) {
  form.show(at)
  const shape = outline()
  if (!shape) return
  const { min, max } = box(shape)
  const name = newName(`copy of ${original()}`)
  disturb(objectCopied(original(), name, at), putWords(name, at, [max[0] - min[0], max[1] - min[1]]))
}

export const copyTool: Tool = {
  id: 'copy',
  label: 'Copy object',
  icon: 'copy',
  key: 'c',
  tip: 'Add another object like one that is there (C)',
  hint: () => `click where to put a copy of ${original()}, or the object to copy.`,
  hits: ['object'],
  cursor: 'crosshair',
  missing: () => (names().length ? null : 'No object here has a name of its own.'),
  click: ({ lane, at, hit }) => {
    if (hit?.kind === 'object') chosen.value = meantName(lane, hit.index) ?? chosen.value
    else add(at)
  },
  hover: (at) => {
    over = at
    touch()
  },
  ghost: (look) => {
    const shape = outline()
    if (!over || over.hit || over.lane !== look.lane || !shape) return
    const { ctx, ink } = look
    const [x, y] = middle(shape)
    ctx.beginPath()
    trace(ctx, shifted(shape, over.at[0] - x, over.at[1] - y), placer(look), look.camera.scale)
    ctx.fillStyle = ink.ghost
    ctx.fill()
    ctx.strokeStyle = ink.ghostEdge
    ctx.lineWidth = 2
    ctx.setLineDash([4, 3])
    ctx.stroke()
    ctx.setLineDash([])
  },
  Options: () => {
    const submit = () => {
      const at = form.read()
      if (at) add(at)
    }
    return (
      <>
        <Select
          label="Object"
          tip="Object to copy"
          value={original()}
          options={names().map((name) => ({ value: name, label: name }))}
          onChange={(value) => {
            chosen.value = value
          }}
        />
        <PlaceFields form={form} onEnter={submit} />
        <Go label="Add" tip="Add the copy at x, y" onClick={submit} />
      </>
    )
  },
}
