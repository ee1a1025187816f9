// Saves the run as a scenario and exports it; shows the result.

import { Button, tipHandlers } from '../../ui/button'
import { notify } from '../../ui/notify'
import { exported, exportRun, fileName, saved, saveScenario, working } from './files'

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    notify('Copied')
  } catch {
    notify('The browser does not allow copying; select the text instead', 'error')
  }
}

export function Save() {
  const file = saved.value ? fileName(saved.value.name) : ''
  const command = `crewlab run ${file}`
  return (
    <div class="save">
      <div class="form">
        <Button
          label={working.value === 'save' ? 'Saving …' : 'Save as scenario'}
          tip="A file that repeats the run up to the moment shown, without the browser"
          icon="save"
          showLabel
          disabled={working.value !== null}
          onClick={() => void saveScenario()}
        />
        <Button
          label={working.value === 'export' ? 'Exporting …' : 'Export the run'}
          tip="Write all tables, plots and a report of the run up to the moment shown"
          icon="save"
          showLabel
          disabled={working.value !== null}
          onClick={() => void exportRun()}
        />
      </div>
      {saved.value && (
        <div class="saved">
          <p>
            <b>{file}</b> was downloaded. It does the same run again:
          </p>
          <p class="command">
            <code>{command}</code>
            <Button label="Copy" tip="Copy the command" kind="quiet" onClick={() => void copy(command)} />
          </p>
          <dl class="facts">
            <div class="wide">
              <dt>Result</dt>
              <dd class="hash">
                <code>{saved.value.result_hash}</code>
              </dd>
            </div>
          </dl>
          <details>
            <summary data-tip="Show or hide the downloaded file" {...tipHandlers}>
              Show the file
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
            <pre tabIndex={0}>{saved.value.text}</pre>
          </details>
        </div>
      )}
      {exported.value && (
        <div class="saved">
          <p>
            Exported to <code>{exported.value.folder}</code>
          </p>
          <p>
            <a
              href={exported.value.report}
              target="_blank"
              rel="noreferrer"
              data-tip="Figures, tables and events of the run, in a new window"
              {...tipHandlers}
            >
              Open the report
            </a>
          </p>
        </div>
      )}
    </div>
  )
}
