// Selects which of two compared runs a panel shows.

import { Select } from '../ui/button'
import { comparing, laneShown, scenes, showLane } from './now'

export function LaneChoice() {
  if (!comparing.value) return null
  return (
    <Select
      label="Run"
      tip="Which of the compared runs is shown"
      options={scenes.value.map((scene, lane) => ({
        value: String(lane),
        label: `${lane === 0 ? 'left' : 'right'}: ${scene?.coordinator ?? ''}`,
      }))}
      value={String(laneShown.value)}
      onChange={(value) => showLane(Number(value))}
    />
  )
}
