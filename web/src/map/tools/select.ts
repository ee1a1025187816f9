import { select } from '../../ui/selection'
import type { Tool } from './tool'

export const selectTool: Tool = {
  id: 'select',
  label: 'Select',
  icon: 'select',
  key: 'v',
  tip: 'Select robots and move the map (V)',
  hint: () => 'click a robot to look at it; drag to move the map, wheel to zoom. By keyboard: N and P.',
  hits: ['robot'],
  click: ({ lane, hit }) => select(lane, hit?.kind === 'robot' ? hit.index : null),
}
