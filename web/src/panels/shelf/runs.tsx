// The runs of an experiment, in the bar at the top.

import { tipHandlers } from '../../ui/button'
import { Popover } from '../popover'
import { RunList } from './list'
import { shelf } from './shelf'
import './shelf.css'

export function Runs() {
  const now = shelf.value
  if (!now) return null
  return (
    <div class="shelf">
      <Popover
        label="Runs of this experiment"
        tip="Runs of this experiment: open another one, or see the report"
        icon="shelf"
        bare
        title="Runs of this experiment"
        body={(close) => (
          <>
            <h2 class="shelf-title">{now.title}</h2>
            {now.report && (
              <p class="shelf-report">
                <a
                  href="report"
                  target="_blank"
                  rel="noreferrer"
                  data-tip="Report of these runs, in a new window"
                  {...tipHandlers}
                >
                  See the report
                </a>
              </p>
            )}
            <RunList chosen={close} />
          </>
        )}
      />
    </div>
  )
}
