// The branches of the run: where each one split off, and its length.

import { computed } from '@preact/signals'
import { send, status } from '../../net/store'
import { tipHandlers } from '../../ui/button'
import { act } from '../../ui/notify'
import { stopwatch } from '../format'
import { branches } from '../now'
import { Popover } from '../popover'
import { tree } from './tree'

const current = computed(() => status.value?.branch ?? 0)

export function Branches() {
  const count = branches.value.length
  return (
    <Popover
      label={count > 1 ? `Branches (${count})` : 'Branches'}
      tip="The first run and its branches; choose one to go to its end"
      icon="branch"
      title="Branches"
      body={(close) => <List close={close} />}
    />
  )
}

function List({ close }: { close: () => void }) {
  const all = Math.max(1, ...branches.value.map((branch) => branch.end))
  const place = (time: number) => `${((time / all) * 100).toFixed(2)}%`
  return (
    <>
      <h2>Branches</h2>
      <ul class="branches">
        {tree(branches.value).map(({ branch, depth }) => (
          <li key={branch.id}>
            <button
              type="button"
              data-tip="Go to the end of this branch"
              {...tipHandlers}
              aria-current={branch.id === current.value ? 'true' : undefined}
              onClick={() => {
                close()
                void act(send({ do: 'branch', branch: branch.id }))
              }}
            >
              <span class="branch-title" style={{ paddingLeft: `${Math.min(depth, 6) * 12}px` }}>
                <b>{branch.id}</b> {branch.title || (branch.id === 0 ? 'first run' : 'branch')}
              </span>
              <span class="branch-times">
                {branch.parent === null ? '' : `from ${stopwatch(branch.from)} `}to {stopwatch(branch.end)}
              </span>
              <span class="branch-line" aria-hidden="true">
                <span style={{ left: 0, width: place(branch.parent === null ? 0 : branch.from) }} class="shared" />
                <span
                  style={{
                    left: place(branch.parent === null ? 0 : branch.from),
                    width: place(branch.end - (branch.parent === null ? 0 : branch.from)),
                  }}
                />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {branches.value.length < 2 && (
        <p class="quiet-text">
          To begin a branch, go back in time and disturb the run, or continue with another coordinator. Nothing that was
          computed is lost.
        </p>
      )}
    </>
  )
}
