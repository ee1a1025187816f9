// The latest readings of a robot's sensors.

import { detail } from '../../net/store'
import { Section } from '../section'

export function Percept() {
  const now = detail.value
  const rows = now?.percept ?? []
  return (
    <Section id="percept" title="Percept" note={`${rows.length} readings`}>
      {rows.length === 0 ? (
        <p class="quiet-text">It senses nothing.</p>
      ) : (
        <table class="readings">
          <thead>
            <tr>
              <th scope="col">Sensor</th>
              <th scope="col">Reading</th>
              <th scope="col" class="right">
                Age
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => {
              const age = Math.max(0, (now?.clock ?? row.at) - row.at)
              return (
                <tr key={i}>
                  <th scope="row">{row.sensor}</th>
                  <td>{row.text}</td>
                  <td class={`right figures ${age > 1 ? 'old' : ''}`}>{age.toFixed(1)} s</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Section>
  )
}
