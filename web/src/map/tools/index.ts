// All tools, in the order of the palette.

import { copyTool } from './copy'
import { measureTool } from './measure'
import { moveTool } from './move'
import { obstacleTool } from './obstacle'
import { cutTool, removeTool, stockTool } from './pick'
import { itemTool, jammerTool, robotTool } from './place'
import { selectTool } from './select'
import { type Tool, tool } from './tool'

export const TOOLS: Tool[] = [
  selectTool,
  measureTool,
  moveTool,
  obstacleTool,
  itemTool,
  copyTool,
  stockTool,
  jammerTool,
  cutTool,
  robotTool,
  removeTool,
]

export function currentTool(): Tool {
  return TOOLS.find(({ id }) => id === tool.value) ?? selectTool
}

/** Selects a tool. */
export function take(id: string) {
  if (tool.value === id) return
  currentTool().cancel?.()
  currentTool().hover?.(null)
  tool.value = id
}
