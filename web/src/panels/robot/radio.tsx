// A robot's radio: its values, and the last messages with their fates.

import { detail } from '../../net/store'
import { bytes, stopwatch, words } from '../format'
import { Section } from '../section'
import { laneScene } from './watched'

export function Radio() {
  const values = detail.value?.radio ?? []
  return (
    <Section id="radio" title="Radio" note={laneScene.value?.radio ?? ''} open={false}>
      {values.length === 0 ? (
        <p class="quiet-text">This radio has nothing to show.</p>
      ) : (
        <dl class="facts">
          {values.map(({ name, value }) => (
            <div key={name}>
              <dt>{words(name)}</dt>
              <dd class="figures">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}

const BAD = /lost|drop|fail|refus|expired|collision|too |jam|cut|deaf|dead|weak/i

export function Messages() {
  const rows = detail.value?.messages ?? []
  const newest = rows.toSorted((a, b) => b.t - a.t).slice(0, 24)
  return (
    <Section id="messages" title="Messages" note={rows.length === 0 ? 'none' : `last ${newest.length}`} open={false}>
      {newest.length === 0 ? (
        <p class="quiet-text">It has neither sent nor heard anything lately.</p>
      ) : (
        <table class="readings messages">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">
                <span class="hidden">Direction</span>
              </th>
              <th scope="col">With</th>
              <th scope="col">What</th>
              <th scope="col">Fate</th>
            </tr>
          </thead>
          <tbody>
            {newest.map((row, i) => (
              <tr key={i}>
                <td class="figures">{stopwatch(row.t)}</td>
                <td>
                  <span class={row.out ? 'out' : 'in'}>
                    {row.out ? '→' : '←'}
                    <span class="hidden">{row.out ? 'sent' : 'heard'}</span>
                  </span>
                </td>
                <td>{row.with}</td>
                <td title={bytes(row.bytes)}>{words(row.kind)}</td>
                <td class={BAD.test(row.fate) ? 'bad-text' : ''}>{row.fate}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
