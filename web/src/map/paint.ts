// Draws one moment of a lane, starting with the ground.

import { drawBorder, drawField, drawGround, drawNoise, drawScaleBar, drawTerrain } from './draw-ground'
import { drawItems } from './draw-items'
import { drawLinks, drawPlans, drawRays, drawTrails } from './draw-lines'
import { drawRobotLabels, drawRobots, drawSelection, seenRobots } from './draw-robots'
import { drawSketches, drawSketchLines } from './draw-sketches'
import { drawAreaSigns, drawAreas, drawObjectNames, drawObjects } from './draw-things'
import type { Look } from './look'

export function paint(look: Look) {
  const { layers } = look
  drawGround(look)
  if (layers.terrain) drawTerrain(look)
  if (layers.noise) drawNoise(look)
  drawSketches(look)
  drawAreas(look)
  drawObjects(look)
  if (layers.field) drawField(look)
  drawBorder(look)
  if (layers.trails) drawTrails(look)
  if (layers.links) drawLinks(look)
  if (layers.plans) drawPlans(look)
  if (layers.rays) drawRays(look)
  drawSketchLines(look)
  drawAreaSigns(look)
  if (layers.ids) drawObjectNames(look)
  drawItems(look, false)
  const seen = seenRobots(look)
  drawRobots(look, seen)
  drawItems(look, true)
  drawSelection(look)
  drawRobotLabels(look, seen)
  drawScaleBar(look)
}
