// How much of the past charts show.

import { computed, signal } from '@preact/signals'
import { Select } from '../ui/button'
import { recall, remember } from '../ui/storage'
import { end, time } from './now'

const CHOICES = [
  { value: '30', label: 'last 30 s' },
  { value: '120', label: 'last 2 min' },
  { value: '600', label: 'last 10 min' },
  { value: 'all', label: 'all' },
]

const kept = recall('window')
const choice = signal(CHOICES.some((one) => one.value === kept) ? (kept as string) : 'all')

/** The time span of charts: the moment shown is always inside. */
export function frame(length: number | null, now: number, last: number): [number, number] {
  if (length === null || last <= length) return [0, Math.max(last, length === null ? 1 : Math.min(length, 10), 1)]
  const to = Math.min(last, Math.max(length, now + length / 4))
  return [to - length, to]
}

export const shownFrame = computed<[number, number]>(() =>
  frame(choice.value === 'all' ? null : Number(choice.value), time.value, end.value),
)

export function WindowChoice() {
  return (
    <Select
      bare
      label="Time shown in charts"
      tip="How much of the past the charts show"
      options={CHOICES}
      value={choice.value}
      onChange={(value) => {
        choice.value = value
        remember('window', value)
      }}
    />
  )
}
