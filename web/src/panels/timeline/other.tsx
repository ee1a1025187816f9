// Continues from the moment shown with another coordinator.

import { computed, useSignal } from '@preact/signals'
import { status } from '../../net/store'
import { Button, Select } from '../../ui/button'
import { coordinators, disturb, mainScene } from '../now'

const running = computed(() => status.value?.lanes[0]?.coordinator ?? mainScene.value?.coordinator)

export function OtherCoordinator() {
  const wish = useSignal('')
  const others = coordinators.value.filter((one) => one.name !== running.value)
  const chosen = others.find((one) => one.name === wish.value)
  return (
    <div class="group">
      <Select
        bare
        label="Another coordinator"
        tip={chosen ? chosen.summary : 'Coordinator that takes over at the moment shown'}
        options={[
          { value: '', label: 'Other coordinator' },
          ...others.map((one) => ({ value: one.name, label: one.name })),
        ]}
        value={chosen?.name ?? ''}
        onChange={(value) => {
          wish.value = value
        }}
      />
      <Button
        label="Continue with it"
        tip={
          chosen
            ? `From the moment shown, ${chosen.name} coordinates the robots`
            : 'Choose a coordinator first; it takes over at the moment shown'
        }
        disabled={!chosen}
        onClick={async () => {
          if (chosen && (await disturb({ coordinator: chosen.name }))) wish.value = ''
        }}
      />
    </div>
  )
}
