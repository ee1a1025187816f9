// All keys, in an overlay.

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../ui/button'
import { keyTable, registerKey } from '../ui/keys'
import './help.css'

export const helpShown = signal(false)

registerKey({
  keys: ['?'],
  group: 'Page',
  what: 'Show or hide this help',
  action: () => {
    helpShown.value = !helpShown.value
  },
})

/** The order of the groups; others follow. */
const ORDER = ['Run', 'Time', 'Page', 'Map', 'Drive by hand', 'Tools', 'Layers']

function grouped() {
  const place = (group: string) => (ORDER.includes(group) ? ORDER.indexOf(group) : ORDER.length)
  return keyTable().sort((a, b) => place(a.group) - place(b.group))
}

export function Help() {
  return helpShown.value ? <Overlay /> : null
}

/** The browser's own dialog keeps the focus inside, closes with Escape and restores the focus. */
function Overlay() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    return () => before?.focus?.()
  }, [])
  const close = () => {
    helpShown.value = false
  }
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-labelledby="help-title"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === '?') close()
        event.stopPropagation()
      }}
    >
      <div class="help-box">
        <header>
          <h2 id="help-title">Keys</h2>
          <Button label="Close" tip="Close (Esc)" icon="close" kind="quiet" onClick={close} />
        </header>
        <div class="help-groups">
          {grouped().map(({ group, rows }) => (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {rows.map((row) => (
                  <div key={row.what}>
                    <dt>
                      {row.keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{row.what}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p class="help-end">
          Tab reaches every control; a focused control shows what it does. Keys have no effect while you type into a
          field.
        </p>
      </div>
    </dialog>
  )
}
