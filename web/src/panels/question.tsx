// Questions of a coordinator to the operator.

import { useSignal } from '@preact/signals'
import { Button } from '../ui/button'
import { stopwatch } from './format'
import { disturb, questions, scenes } from './now'
import './question.css'

export function Questions() {
  if (questions.value.length === 0) return null
  return (
    <section class="questions" aria-label="Questions from robots" aria-live="polite">
      {questions.value.map((one) => (
        <Card key={`${one.lane} ${one.robot} ${one.number}`} {...one} />
      ))}
    </section>
  )
}

function Card(props: { lane: number; robot: number; number: number; text: string; choices: string[]; asked: number }) {
  const busy = useSignal(false)
  const scene = scenes.value[props.lane]
  const name = scene?.robots[props.robot]?.name ?? `robot ${props.robot}`
  const answer = async (choice: string) => {
    busy.value = true
    // The other lane has its own questions.
    const lane = scenes.value.length > 1 ? props.lane : undefined
    await disturb({ answer: { robot: name, question: props.number, choice } }, lane)
    busy.value = false
  }
  return (
    <article class="question">
      <h2>
        {name} asks{scenes.value.length > 1 ? ` (${scene?.coordinator})` : ''}
        <small>at {stopwatch(props.asked)}</small>
      </h2>
      <p>{props.text}</p>
      <div class="choices">
        {props.choices.map((choice) => (
          <Button
            key={choice}
            label={choice}
            tip={`Answer “${choice}”`}
            kind="primary"
            disabled={busy.value}
            onClick={() => void answer(choice)}
          />
        ))}
      </div>
    </article>
  )
}
