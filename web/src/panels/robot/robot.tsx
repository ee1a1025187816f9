// Everything about one robot.

import { Break } from './break'
import { Choose } from './choose'
import { Facts } from './facts'
import { Gauges } from './gauges'
import { Parts } from './parts'
import { Percept } from './percept'
import { Messages, Radio } from './radio'
import { robot } from './watched'
import { Why } from './why'
import './robot.css'

export function Robot() {
  return (
    <div class="panel-robot">
      <Choose />
      {robot.value ? (
        <>
          <Facts />
          <Why />
          <Gauges />
          <Break />
          <Percept />
          <Messages />
          <Radio />
          <Parts />
        </>
      ) : (
        <p class="quiet-text empty">
          Click a robot on the map, or choose one here: you see what it does and why, what it senses and hears, and you
          can break, repair or drive it.
        </p>
      )}
    </div>
  )
}
