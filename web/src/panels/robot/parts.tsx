// A robot's parts and capabilities.

import { Section } from '../section'
import { robot } from './watched'

export function Parts() {
  const one = robot.value
  if (!one) return null
  const lists: [string, string[]][] = [
    ['Capabilities', one.capabilities],
    ['Sensors', one.sensors],
    ['Effectors', one.effectors],
    ['Behaviours', one.behaviours.map((behaviour) => behaviour.name)],
  ]
  return (
    <Section id="parts" title="Capabilities and parts" note={one.type} open={false}>
      <dl class="facts">
        {lists.map(([title, names]) => (
          <div class="wide" key={title}>
            <dt>{title}</dt>
            <dd class="chips">
              {names.length === 0 && 'none'}
              {names.map((name) => (
                <span class="chip" key={name}>
                  {name}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
