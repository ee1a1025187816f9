// Where robots stand in the team's plan, arranged by behaviours and by points.

import type { Stack } from '../../protocol'

/** The robots that execute a behaviour, and whether anybody waits at one of its points. */
export function dots(stacks: Stack[], node: number) {
  const here = stacks.filter(({ stack }) => stack.includes(node))
  return {
    robots: here.map(({ robot, stack }) => ({ robot, innermost: stack.at(-1) === node })),
    waited: stacks.some(({ wait }) => wait?.node === node),
  }
}

/** A point at which robots wait. */
export type Meeting = { node: number; kind: string; waiting: number[]; missing: number[]; said: [number, string][] }

/** All points at which robots wait, in the order of the plan. Who is missing is what everybody who waits there misses: a robot that
 *  has just heard somebody knows more than the others. */
export function meetings(stacks: Stack[]): Meeting[] {
  const found = new Map<string, Meeting>()
  for (const { robot, wait } of stacks) {
    if (!wait) continue
    const { node, kind, missing, said } = wait
    const key = `${node} ${kind}`
    const known = found.get(key)
    if (!known) {
      found.set(key, { node, kind, waiting: [robot], missing, said })
      continue
    }
    known.waiting.push(robot)
    known.missing = known.missing.filter((other) => missing.includes(other))
    const heard = new Map([...known.said, ...said])
    known.said = [...heard].sort(([a], [b]) => a - b)
  }
  return [...found.values()].sort((a, b) => a.node - b.node)
}
