import { select } from '../../ui/selection'
import type { Tool } from './tool'

export const selectTool: Tool = {
  id: 'select',
  label: 'Select',
  icon: 'select',
  key: 'v',
  tip: 'Select robots and move the map (V)',
  hint: () => 'click a robot to inspect it; drag to pan the map, scroll to zoom. With the keyboard: N and P.',
  hits: ['robot'],
  click: ({ lane, hit }) => select(lane, hit?.kind === 'robot' ? hit.index : null),
}
