// Restarts the run, with the same seed or another.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { send } from '../../net/store'
import { Button, Field } from '../../ui/button'
import { registerKey } from '../../ui/keys'
import { act, notify } from '../../ui/notify'
import { mainScene } from '../now'

function restart(seed?: number) {
  void act(send(seed === undefined ? { do: 'restart' } : { do: 'restart', seed }))
}

function next() {
  if (mainScene.value) restart(mainScene.value.seed + 1)
}

registerKey({ keys: ['r'], group: 'Run', what: 'Restart with the same seed', action: () => restart() })
registerKey({ keys: ['N'], group: 'Run', what: 'Restart with the next seed', action: next })

export function Seed() {
  const current = useComputed(() => String(mainScene.value?.seed ?? ''))
  const text = useSignal('')
  // The field shows the current seed until somebody types. A new scene with the same seed does not overwrite what is typed.
  useSignalEffect(() => {
    text.value = current.value
  })
  const go = () => {
    const seed = Number(text.value)
    if (text.value.trim() === '' || !Number.isSafeInteger(seed) || seed < 0)
      notify('the seed must be a whole number, 0 or above', 'error')
    else restart(seed)
  }
  const changed = text.value !== current.value
  return (
    <fieldset class="group seed" aria-label="Restart">
      <Button label="Restart" tip="Restart with the same seed (R)" icon="restart" onClick={() => restart()} />
      <Field
        label="Seed"
        tip="Seed of the run; type another and press Enter"
        type="number"
        step={1}
        min={0}
        size={4}
        value={text.value}
        onChange={(value) => {
          text.value = value
        }}
        onEnter={go}
      />
      <Button
        label={changed ? 'Start' : 'Next'}
        tip={changed ? 'Restart with this seed' : 'Restart with the next seed (Shift N)'}
        class="seed-go"
        onClick={changed ? go : next}
      />
    </fieldset>
  )
}
