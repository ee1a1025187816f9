// Collects everything that a lane's picture is drawn from.

import { detail, lanes, status } from '../net/store'
import { colourBy } from '../ui/colour-by'
import { layers, selected, sketches } from '../ui/selection'
import { theme } from '../ui/theme'
import type { Camera, Size } from './camera'
import { inkOf } from './ink'
import type { Look } from './look'
import { pictureOf, stage } from './stage'

export function lookAt(ctx: CanvasRenderingContext2D, lane: number, camera: Camera, size: Size): Look | null {
  const known = lanes.value[lane]
  if (!known) return null
  const here = selected.value?.lane === lane ? selected.value.robot : null
  const picture = pictureOf(lane)
  const told = detail.value
  const fits = told && told.lane === lane && told.epoch === known.scene.epoch && told.robot === here
  // While the run plays, details are slightly late; while it is paused, they must belong to the moment shown.
  const timely = status.value?.playing || told?.tick === picture?.tick
  return {
    ctx,
    camera,
    size,
    ink: inkOf(theme.value),
    dark: theme.value === 'dark',
    lane,
    scene: known.scene,
    things: known.things,
    overlay: known.overlay,
    picture,
    stage: stage(lane),
    layers: layers.value,
    sketches: sketches.value.map((layer) => layer.on),
    colourBy: colourBy.value,
    selected: here,
    detail: fits && timely ? told : null,
  }
}
