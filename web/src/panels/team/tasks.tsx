// The tasks, and the number of robots that work on each at the moment shown.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Picture } from '../../net/frame'
import { pictures } from '../../net/store'
import { RobotFlag, type Scene } from '../../protocol'
import { taskColour } from '../../ui/colours'
import { laneShown, scene } from '../now'

/** Robots per task, and those without one at the end. */
export function workers(scene: Scene, picture: Picture): number[][] {
  const found: number[][] = Array.from({ length: scene.tasks.length + 1 }, () => [])
  const count = Math.min(picture.robots, scene.robots.length)
  for (let robot = 0; robot < count; robot++) {
    if (!(picture.robot.flags[robot] & RobotFlag.Present)) continue
    const task = scene.robots[robot].behaviours[picture.robot.work[robot] - 1]?.task ?? scene.tasks.length
    found[task]?.push(robot)
  }
  return found
}

/** As many names as there is space for, unless there are many more. */
const NAMED = 6
const FEW = 3

export function Tasks() {
  const found = useSignal<number[][]>([])
  useEffect(() => {
    let print = ''
    const look = () => {
      const picture = pictures[laneShown.value]
      if (!scene.value || !picture) return
      const now = workers(scene.value, picture)
      const next = JSON.stringify(now)
      if (next !== print) found.value = now
      print = next
    }
    look()
    const timer = setInterval(look, 250)
    return () => clearInterval(timer)
  }, [found])
  const now = scene.value
  if (!now) return null
  const all = Math.max(1, now.robots.length)
  return (
    <table class="tasks">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col" class="right">
            Robots
          </th>
          <th scope="col">Who</th>
        </tr>
      </thead>
      <tbody>
        {[...now.tasks, { name: 'no task' }].map(({ name }, i) => {
          const who = found.value[i] ?? []
          const last = i === now.tasks.length
          const listed = who.slice(0, who.length > NAMED ? FEW : NAMED).map((robot) => now.robots[robot]?.name)
          return (
            <tr key={name} class={who.length === 0 ? 'nobody' : ''}>
              <th scope="row">
                <i class="swatch" aria-hidden="true" style={{ background: taskColour(last ? -1 : i) }} />
                {name}
              </th>
              <td class="right figures">{who.length}</td>
              <td class="who">
                <span class="who-bar" aria-hidden="true">
                  <span style={{ width: `${(who.length / all) * 100}%`, background: taskColour(last ? -1 : i) }} />
                </span>
                <span class="who-names">
                  {listed.join(', ')}
                  {who.length > listed.length && ` and ${who.length - listed.length} more`}
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
