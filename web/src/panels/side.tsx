// The panel at the side: robot, team, log and disturbances.

import { Tabs } from '../ui/button'
import { registerKey } from '../ui/keys'
import { Deeds } from './deeds/deeds'
import { Log } from './log/log'
import { Robot } from './robot/robot'
import { showTab, TAB_IDS, type TabId, tab } from './tab'
import { Team } from './team/team'
import './side.css'

const TABS = [
  { id: 'robot', label: 'Robot', tip: 'One robot: what it does, senses, hears, and why', body: () => <Robot /> },
  { id: 'team', label: 'Team', tip: 'Who does what, progress and messages', body: () => <Team /> },
  { id: 'log', label: 'Log', tip: 'Everything that happened', body: () => <Log /> },
  { id: 'deeds', label: 'Disturbances', tip: 'Manual actions; save and export', body: () => <Deeds /> },
] satisfies { id: TabId; label: string; tip: string; body: () => unknown }[]

export function Side() {
  return <Tabs label="Details" tabs={TABS} value={tab.value} onChange={(id) => showTab(id as TabId)} />
}

function step(by: number) {
  const count = TAB_IDS.length
  showTab(TAB_IDS[(TAB_IDS.indexOf(tab.value) + by + count) % count])
}

registerKey({ keys: ['k'], group: 'Page', what: 'Next tab at the side', action: () => step(1) })
registerKey({ keys: ['K'], group: 'Page', what: 'Previous tab at the side', action: () => step(-1) })
