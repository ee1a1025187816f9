// The plan that the team carries out: where every robot stands in it, and who waits for whom at which point.

import { computed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { lanes } from '../../net/store'
import type { Plan, Point, Stack } from '../../protocol'
import { tipHandlers } from '../../ui/button'
import { robotColour } from '../../ui/colours'
import { showStacks } from '../../ui/selection'
import { laneShown, names, scene } from '../now'
import { Section } from '../section'
import { dots, meetings } from './standing'

const plan = computed(() => scene.value?.plan ?? null)
const NOBODY: Stack[] = []
const stacks = computed(() => lanes.value[laneShown.value]?.overlay?.stacks ?? NOBODY)

/** The leftmost outermost behaviour that anybody executes; -1 for none. */
const leftmost = computed(() => {
  const left = (node: number) => plan.value?.boxes[node]?.area[0] ?? 0
  const first = stacks.value.flatMap(({ stack }) => stack.slice(0, 1))
  return first.reduce((best, node) => (best < 0 || left(node) < left(best) ? node : best), -1)
})

export function PlanOfTeam() {
  if (!plan.value) return null
  const waiting = stacks.value.filter((robot) => robot.wait).length
  return (
    <Section id="plan" title="Plan" note={waiting > 0 ? `${waiting} waiting for others` : undefined}>
      <Shown />
    </Section>
  )
}

function Shown() {
  useEffect(() => {
    showStacks(true)
    return () => showStacks(false)
  }, [])
  const box = useRef<HTMLDivElement>(null)
  const busy = leftmost.value
  // Wherever somebody has scrolled to: when robots go on, the drawing follows.
  useEffect(() => {
    const area = plan.value?.boxes[busy]?.area
    if (area) box.current?.scrollTo({ left: area[0] - 30 })
  }, [busy])
  if (!plan.value) return null
  return (
    <>
      <div class="plan-box" ref={box}>
        <Drawing plan={plan.value} />
      </div>
      <Meetings plan={plan.value} />
      <p class="note quiet-text">
        A full dot is a robot at its innermost behaviour, a ring one that executes something below. Orange lines are
        loops.
      </p>
    </>
  )
}

const line = (points: Point[]) => points.map(([x, y]) => `${x},${y}`).join(' ')

function Drawing({ plan }: { plan: Plan }) {
  const [width, height] = plan.size
  const first = plan.boxes[plan.root]?.area
  return (
    <svg
      class="plan"
      role="img"
      aria-label={`Plan with ${plan.boxes.length} behaviours`}
      width={width + 8}
      height={height + 8}
      viewBox={`-4 -4 ${width + 8} ${height + 8}`}
    >
      <defs>
        <marker
          id="plan-next"
          viewBox="0 0 7 7"
          refX="7"
          refY="3.5"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
        >
          <path d="M0 0 7 3.5 0 7Z" class="plan-next-head" />
        </marker>
        <marker
          id="plan-back"
          viewBox="0 0 7 7"
          refX="7"
          refY="3.5"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
        >
          <path d="M0 0 7 3.5 0 7Z" class="plan-back-head" />
        </marker>
      </defs>
      {plan.branches.map((points, i) => (
        <polyline key={i} points={line(points)} class="plan-part" />
      ))}
      {[true, false].map((back) =>
        plan.routes
          .filter((route) => route.back === back)
          .map((route, i) => (
            <polyline
              key={`${back} ${i}`}
              points={line(route.points)}
              class={back ? 'plan-back' : 'plan-next'}
              marker-end={back ? 'url(#plan-back)' : 'url(#plan-next)'}
            />
          )),
      )}
      {first && (
        <polyline
          points={line([
            [first[0] - 18, first[1] + 15],
            [first[0], first[1] + 15],
          ])}
          class="plan-next"
          marker-end="url(#plan-next)"
        />
      )}
      {plan.boxes.map((_, node) => (
        <Behaviour key={node} plan={plan} node={node} />
      ))}
    </svg>
  )
}

/** Distance of two dots, and space at the sides of a box. */
const STEP = 12
const INSIDE = 10
const LINE = 15

function Behaviour({ plan, node }: { plan: Plan; node: number }) {
  const { name, area, notes, protocols } = plan.boxes[node]
  const [x, y, width, height] = area
  const { robots, waited } = dots(stacks.value, node)
  const room = Math.max(1, Math.floor((width - 2 * INSIDE) / STEP))
  const shown = robots.length > room ? robots.slice(0, room - 2) : robots
  const state = waited ? 'waited' : robots.length > 0 ? 'busy' : ''
  return (
    <g class={`plan-node ${state}`}>
      <rect x={x} y={y} width={width} height={height} rx="5" />
      <text x={x + INSIDE} y={y + 19.5} class="plan-name">
        {name}
      </text>
      {notes.map((note, i) => (
        <text key={note} x={x + INSIDE} y={y + 19.5 + LINE * (i + 1)} class="plan-note">
          {note}
        </text>
      ))}
      {protocols.map((protocol, i) => (
        <text key={protocol} x={x + INSIDE} y={y + 19.5 + LINE * (notes.length + i + 1)} class="plan-protocol">
          {protocol}
        </text>
      ))}
      {shown.map(({ robot, innermost }, i) => (
        <circle
          key={robot}
          cx={x + INSIDE + 4 + STEP * i}
          cy={y + height - 9}
          r="4"
          fill={innermost ? robotColour(robot) : 'none'}
          stroke={robotColour(robot)}
          stroke-width="2"
        >
          <title>{names.value[robot]}</title>
        </circle>
      ))}
      {shown.length < robots.length && (
        <text x={x + INSIDE + STEP * shown.length} y={y + height - 5} class="plan-note">
          +{robots.length - shown.length}
        </text>
      )}
    </g>
  )
}

const DEEDS: Record<string, string> = {
  decide: 'to decide what follows',
  allocate: 'to divide its work',
  terminate: 'to end it',
}

/** The points at which robots wait: who, for whom, and what was said there. */
function Meetings({ plan }: { plan: Plan }) {
  const found = meetings(stacks.value)
  if (found.length === 0) return <p class="quiet-text">Nobody waits for others.</p>
  const list = (robots: number[]) => robots.map((robot) => names.value[robot] ?? `robot ${robot}`).join(', ')
  return (
    <ul class="meetings" aria-label="Who waits for whom">
      {found.map(({ node, kind, waiting, missing, said }) => (
        <li
          key={`${kind} ${node}`}
          data-tip="A point of the plan that robots have reached before the team has gone on"
          {...tipHandlers}
        >
          <strong>{plan.boxes[node]?.name}</strong>: {list(waiting)} {waiting.length === 1 ? 'waits' : 'wait'} for{' '}
          {missing.length > 0 ? list(missing) : 'the team'} {DEEDS[kind] ?? kind}
          {said.length > 0 && (
            <span class="quiet-text">
              {' '}
              ({said.map(([robot, words]) => `${names.value[robot]}: ${words}`).join('; ')})
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
