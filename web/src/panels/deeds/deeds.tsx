// Disturbances: manual actions, the form for any other, and saving.

import { deeds } from '../now'
import { Section } from '../section'
import { DeedForm } from './form'
import { DeedList } from './list'
import { Save } from './save'
import './deeds.css'

export function Deeds() {
  const many = deeds.value.length
  return (
    <div class="panel-deeds">
      <Section id="deeds" title="Done by hand" note={many === 0 ? '' : String(many)}>
        <DeedList />
      </Section>
      <Section id="save" title="Save and export">
        <Save />
      </Section>
      <Section id="deed-form" title="Any disturbance">
        <DeedForm />
      </Section>
    </div>
  )
}
