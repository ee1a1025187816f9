// Keys of the map.

import { lanes } from '../net/store'
import { registerKey } from '../ui/keys'
import { notify } from '../ui/notify'
import { LAYERS, select, selected, toggleLayer } from '../ui/selection'
import { visible, within, zoomAt } from './camera'
import { driven, release, takeOver } from './hand'
import { savePicture } from './save'
import { bounds, camera, fitAll, following, look, present, robotPlace, size } from './stage'
import { currentTool, TOOLS, take } from './tools'

/** Zooms around the centre. */
export function zoom(factor: number) {
  look(zoomAt(camera.value, size.value, [size.value.width / 2, size.value.height / 2], factor, bounds()))
}

export function follow() {
  if (!selected.value) {
    notify('Select a robot to follow it.', 'info')
    return
  }
  following.value = !following.value
  if (following.value) look({ ...camera.value })
}

/** Selects the next or the previous robot that is present. */
export function step(by: 1 | -1) {
  const lane = selected.value?.lane ?? 0
  const count = lanes.value[lane]?.scene.robots.length ?? 0
  const from = selected.value?.robot ?? (by > 0 ? -1 : 0)
  for (let n = 1; n <= count; n++) {
    const robot = (((from + by * n) % count) + count) % count
    if (present(lane, robot)) {
      select(lane, robot)
      reveal(lane, robot)
      return
    }
  }
}

/** Moves the camera to a robot that is not visible. */
function reveal(lane: number, robot: number) {
  const [x, y] = robotPlace(lane, robot)
  const { min, max } = visible(camera.value, size.value)
  if (x < min[0] || y < min[1] || x > max[0] || y > max[1]) look(within({ ...camera.value, x, y }, bounds()))
}

/** First cancels the action of a tool, then the tool, then the selection. */
function stepBack() {
  if (currentTool().cancel?.()) return
  if (currentTool().id !== 'select') {
    take('select')
    return
  }
  following.value = false
  select(0, null)
}

export function keepKeys() {
  const view = 'Map'
  registerKey({ keys: ['n'], group: view, what: 'Select the next robot', action: () => step(1) })
  registerKey({ keys: ['p'], group: view, what: 'Select the previous robot', action: () => step(-1) })
  registerKey({ keys: ['escape'], group: view, what: 'Return to Select; clear the selection', action: stepBack })
  registerKey({ keys: ['f'], group: view, what: 'Follow the selected robot', action: follow })
  registerKey({ keys: ['0'], group: view, what: 'Show the whole world', action: fitAll })
  registerKey({ keys: ['+', '='], group: view, what: 'Zoom in', action: () => zoom(1.4) })
  registerKey({ keys: ['-', '_'], group: view, what: 'Zoom out', action: () => zoom(1 / 1.4) })
  registerKey({
    keys: ['left', 'right', 'up', 'down'],
    group: view,
    what: 'Pan the map when it has the focus',
    listed: true,
    action: () => {},
  })
  registerKey({ keys: ['i'], group: view, what: 'Save a picture', action: savePicture })
  registerKey({
    keys: ['t'],
    group: 'Drive by hand',
    what: 'Take over the selected robot, or release it',
    action: () => {
      if (driven.value) release()
      else if (selected.value) takeOver(selected.value.lane, selected.value.robot)
      else notify('Select a robot to take it over.', 'info')
    },
  })
  registerKey({
    keys: ['w', 'a', 's', 'd', 'left', 'right', 'up', 'down'],
    group: 'Drive by hand',
    what: 'Drive the robot that was taken over',
    listed: true,
    action: () => {},
  })
  for (const tool of TOOLS)
    registerKey({
      keys: [tool.key],
      group: 'Tools',
      what: tool.label,
      action: () => {
        const missing = tool.missing?.() ?? null
        if (missing) notify(missing, 'info')
        else take(tool.id)
      },
    })
  LAYERS.forEach((layer, i) => {
    registerKey({
      keys: [String(i + 1)],
      group: 'Layers',
      what: layer.label,
      action: () => toggleLayer(layer.name),
    })
  })
}
