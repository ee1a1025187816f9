// The bar at the top: the run and its controls.

import { savePicture } from '../map/save'
import { Button } from '../ui/button'
import { theme, toggleTheme } from '../ui/theme'
import { exportRun, saveScenario } from './deeds/files'
import { helpShown } from './help'
import { Menu } from './menu'
import { letGo } from './mouse'
import { Runs } from './shelf/runs'
import { showTab } from './tab'
import { Clocks } from './transport/clocks'
import { Play } from './transport/play'
import { Connection, Progress, RunName } from './transport/run'
import { Seed } from './transport/seed'
import './transport.css'

export function Transport() {
  const dark = theme.value === 'dark'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only returns the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys keep the focus
    <div class="transport" onClick={letGo}>
      <RunName />
      <Runs />
      <Play />
      <Clocks />
      <Progress />
      <Seed />
      <Connection />
      <fieldset class="group tools" aria-label="Page">
        <Menu
          label="Save"
          tip="Save the run as a scenario, or export it"
          icon="save"
          items={[
            {
              label: 'Save as scenario',
              hint: 'A file that repeats the run up to this moment, including manual actions',
              action: () => {
                showTab('deeds')
                void saveScenario()
              },
            },
            {
              label: 'Export the run',
              hint: 'A folder with all tables, plots and a report',
              action: () => {
                showTab('deeds')
                void exportRun()
              },
            },
            { label: 'Save a picture', hint: 'What the map shows, with its legend (I)', action: savePicture },
          ]}
        />
        <Button
          label={dark ? 'Light colours' : 'Dark colours'}
          tip={dark ? 'Light colours' : 'Dark colours'}
          icon={dark ? 'sun' : 'moon'}
          onClick={toggleTheme}
        />
        <Button
          label="Keyboard help"
          tip="All keys (?)"
          icon="help"
          onClick={() => {
            helpShown.value = true
          }}
        />
      </fieldset>
    </div>
  )
}
