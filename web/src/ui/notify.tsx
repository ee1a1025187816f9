// Short messages to the user.

import { signal } from '@preact/signals'
import { tipHandlers } from './button'

export type Tone = 'info' | 'error'
type Toast = { id: number; text: string; tone: Tone }

const toasts = signal<Toast[]>([])
let last = 0
const SHOWN = 4

/** Shows a message for some seconds; the same text is not shown twice at once. */
export function notify(text: string, tone: Tone = 'info') {
  const id = ++last
  const others = toasts.value.filter((toast) => toast.text !== text)
  toasts.value = [...others, { id, text, tone }].slice(-SHOWN)
  setTimeout(() => dismiss(id), tone === 'error' ? 8000 : 3000)
}

/** Waits for a command; if the server refuses it, shows the reason. Returns its result, or undefined if it was refused. */
export function act<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    notify(error instanceof Error ? error.message : String(error), 'error')
    return undefined
  })
}

function dismiss(id: number) {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.tone}`}>
          <span>
            {toast.tone === 'error' && <strong>Not done: </strong>}
            {toast.text}
          </span>
          <button
            type="button"
            class="toast-close"
            aria-label="Dismiss"
            data-tip="Hide this message"
            {...tipHandlers}
            onClick={() => dismiss(toast.id)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
