// Selects the robot, takes it over and follows it.

import { useComputed } from '@preact/signals'
import { driven, release, takeOver } from '../../map/hand'
import { following } from '../../map/stage'
import { follow } from '../../map/view-keys'
import { Button, Select } from '../../ui/button'
import { robotColour } from '../../ui/colours'
import { select, selected } from '../../ui/selection'
import { comparing, scenes } from '../now'
import { robot, taken } from './watched'

export function Choose() {
  const options = useComputed(() => [
    { value: '', label: 'Choose a robot' },
    ...scenes.value.flatMap((scene, lane) =>
      (scene?.robots ?? []).map((one, i) => ({
        value: `${lane} ${i}`,
        label: `${one.name}${one.type === one.name ? '' : ` (${one.type})`}${comparing.value ? ` · ${scene?.coordinator}` : ''}`,
      })),
    ),
  ])
  const at = selected.value
  const byHand = at !== null && driven.value?.lane === at.lane && driven.value.robot === at.robot
  return (
    <div class="choose">
      <span class="swatch" aria-hidden="true" style={at ? { background: robotColour(at.robot) } : {}} />
      <Select
        bare
        label="Robot"
        tip="Robot to show; you can also click one on the map"
        options={options.value}
        value={at ? `${at.lane} ${at.robot}` : ''}
        onChange={(value) => {
          const [lane, index] = value.split(' ').map(Number)
          if (value === '') select(0, null)
          else select(lane, index)
        }}
      />
      {at && robot.value && (
        <>
          <Button
            label={byHand || taken.value ? 'Release' : 'Take over'}
            tip={
              byHand || taken.value
                ? 'Return control to the coordinator'
                : 'Drive it by hand, with the arrow keys or WASD (T)'
            }
            icon="hand"
            showLabel
            pressed={byHand || taken.value}
            onClick={() => (byHand || taken.value ? release() : takeOver(at.lane, at.robot))}
          />
          <Button
            label="Follow"
            tip="Keep the robot in the middle of the map (F)"
            icon="follow"
            pressed={following.value}
            onClick={follow}
          />
        </>
      )}
    </div>
  )
}
