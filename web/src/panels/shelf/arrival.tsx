// Opens the run that a link leads to, such as the links in a report.
//
// Any page can lead a browser here. So the run changes only when somebody looks at this page, and a user with manual
// actions in the current run is asked first.

import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { connected, deeds, hello, status } from '../../net/store'
import { Button } from '../../ui/button'
import { branches } from '../now'
import { RunList } from './list'
import { openRun, shelf, titleOf } from './shelf'
import './shelf.css'

/** The run that the address requests, until it is decided. */
const wish = signal(typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('open'))
const looked = signal(false)
/** Why it was not opened. */
const failure = signal<string | null>(null)
const asking = signal(false)

/** Removes the request from the address: reloading the page should show the current run. */
function settle() {
  wish.value = null
  asking.value = false
  const address = new URL(location.href)
  address.searchParams.delete('open')
  history.replaceState(null, '', address)
}

async function go(key: string) {
  settle()
  try {
    await openRun(key)
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error)
  }
}

/** Opens the run that the address requests, as soon as it is known what that would replace. */
export function keepArrival() {
  if (wish.value === null) return
  const look = () => {
    looked.value = document.visibilityState === 'visible'
  }
  document.addEventListener('visibilitychange', look)
  look()
  const stop = effect(() => {
    const key = wish.value
    const ready = connected.value && hello.value && status.value && looked.value
    if (key === null || !ready || asking.peek()) return
    if (deeds.peek().length > 0 || branches.peek().length > 1) asking.value = true
    else void go(key)
    queueMicrotask(() => {
      stop()
      document.removeEventListener('visibilitychange', look)
    })
  })
}

export function Arrival() {
  if (failure.value !== null) return <Failure words={failure.value} />
  const key = wish.value
  return asking.value && key !== null ? <Question run={key} /> : null
}

function Question({ run }: { run: string }) {
  const done = deeds.value.length
  const others = branches.value.length - 1
  const lost = [
    done > 0 ? (done === 1 ? 'one manual action' : `${done} manual actions`) : '',
    others > 0 ? `${others === 1 ? 'a branch' : `${others} branches`}` : '',
  ].filter(Boolean)
  return (
    <Card title="Open another run?" close={settle}>
      <p>
        <b>{titleOf(run)}</b> will replace the current run for all viewers. This discards {lost.join(' and ')}.
      </p>
      <div class="choices">
        <Button
          label="Open it"
          tip="Open the run and discard what you did here"
          kind="primary"
          onClick={() => go(run)}
        />
        <Button label="Keep this one" tip="Keep the current run (Esc)" onClick={settle} />
      </div>
    </Card>
  )
}

function Failure({ words }: { words: string }) {
  const close = () => {
    failure.value = null
  }
  return (
    <Card title="This run cannot be opened" close={close}>
      <p>{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
      {shelf.value && (
        <>
          <h3>Available runs</h3>
          <RunList chosen={close} />
        </>
      )}
      <div class="choices">
        <Button label="Close" tip="Keep the current run (Esc)" onClick={close} />
      </div>
    </Card>
  )
}

/** The browser's own dialog keeps the focus inside and closes with Escape. */
function Card(props: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      class="arrival"
      ref={dialog}
      aria-labelledby="arrival-title"
      onClose={props.close}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.close()
        event.stopPropagation()
      }}
    >
      <h2 id="arrival-title">{props.title}</h2>
      {props.children}
    </dialog>
  )
}
