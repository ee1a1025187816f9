import { signal } from '@preact/signals'
import type { Point } from '../../protocol'
import { FONT, placer, write } from '../look'
import { measureText } from '../measure'
import { PlaceFields } from './form'
import { placeForm, type Tool, touch } from './tool'

const fromForm = placeForm()
const toForm = placeForm()
/** The last measurement. */
export const measure = signal<{ from: Point; to: Point; open: boolean } | null>(null)

function typed(form: typeof fromForm): Point | null {
  const place: Point = [Number(form.x.value), Number(form.y.value)]
  return form.x.value.trim() && form.y.value.trim() && place.every(Number.isFinite) ? place : null
}

export const measureTool: Tool = {
  id: 'measure',
  label: 'Measure',
  icon: 'measure',
  key: 'm',
  tip: 'Measure a distance and its angle (M)',
  hint: () => {
    const it = measure.value
    if (!it) return 'drag, or click two places.'
    return it.open ? `click the other end: ${measureText(it.from, it.to)}` : measureText(it.from, it.to)
  },
  hits: [],
  cursor: 'crosshair',
  drag: ({ at }) => {
    measure.value = { from: at, to: at, open: true }
    return true
  },
  dragged: ({ at }) => {
    if (measure.value) measure.value = { ...measure.value, to: at }
  },
  dropped: ({ at }) => {
    if (measure.value) measure.value = { ...measure.value, to: at, open: false }
    show()
  },
  click: ({ at }) => {
    const begun = measure.value
    measure.value = begun?.open ? { ...begun, to: at, open: false } : { from: at, to: at, open: true }
    show()
  },
  hover: (at) => {
    if (at && measure.value?.open) measure.value = { ...measure.value, to: at.at }
  },
  cancel: () => {
    const had = measure.value !== null
    measure.value = null
    touch()
    return had
  },
  ghost: (look) => {
    const it = measure.value
    if (!it) return
    const { ctx, ink } = look
    const place = placer(look)
    const a = place(it.from)
    const b = place(it.to)
    ctx.strokeStyle = ink.ghostEdge
    ctx.lineWidth = 2
    ctx.beginPath()
    ctx.moveTo(...a)
    ctx.lineTo(...b)
    for (const [x, y] of [a, b]) {
      ctx.moveTo(x + 4, y)
      ctx.arc(x, y, 4, 0, 2 * Math.PI)
    }
    ctx.stroke()
    ctx.font = `600 13px ${FONT}`
    ctx.textAlign = 'center'
    ctx.textBaseline = 'bottom'
    write(look, measureText(it.from, it.to), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - 7, ink.text)
  },
  Options: () => {
    const change = () => {
      const from = typed(fromForm)
      const to = typed(toForm)
      if (from && to) measure.value = { from, to, open: false }
    }
    return (
      <span class="field-pair" onInput={() => queueMicrotask(change)}>
        <span>from</span>
        <PlaceFields form={fromForm} />
        <span>to</span>
        <PlaceFields form={toForm} />
      </span>
    )
  },
}

function show() {
  if (!measure.value) return
  fromForm.show(measure.value.from)
  toForm.show(measure.value.to)
}
