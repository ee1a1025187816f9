// Controls. Each has a name for screen readers and a tooltip that shows when pointed at or focused.

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon'

export type ButtonProps = {
  /** Name of the control; visible unless there is an icon and no `showLabel`. */
  label: string
  /** What it does, with its key. */
  tip: string
  icon?: IconName
  /** Shows the label next to the icon. */
  showLabel?: boolean
  /** For toggle buttons. */
  pressed?: boolean
  disabled?: boolean
  /** 'primary' stands out, 'danger' warns, 'quiet' has no border. */
  kind?: 'normal' | 'primary' | 'danger' | 'quiet'
  class?: string
  onClick: () => void
}

export function Button(props: ButtonProps) {
  const { label, tip, icon, showLabel, pressed, disabled, kind = 'normal' } = props
  const text = !icon || showLabel
  return (
    <button
      type="button"
      class={`button ${kind} ${text ? '' : 'only-icon'} ${props.class ?? ''}`}
      aria-label={text ? undefined : label}
      aria-pressed={pressed === undefined ? undefined : pressed ? 'true' : 'false'}
      disabled={disabled}
      data-tip={tip}
      {...tipHandlers}
      onClick={props.onClick}
    >
      {icon && <Icon name={icon} />}
      {text && <span>{label}</span>}
    </button>
  )
}

/** A checkbox with its label. */
export function Toggle(props: {
  label: string
  tip: string
  value: boolean
  disabled?: boolean
  /** Shown after the label, such as the key. */
  hint?: string
  onChange: (value: boolean) => void
}) {
  return (
    <label class="toggle" data-tip={props.tip} {...tipHandlers}>
      <input
        type="checkbox"
        checked={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span class="toggle-label">{props.label}</span>
      {props.hint && <span class="key">{props.hint}</span>}
    </label>
  )
}

/** Adjacent options of the same group are listed under its name. */
export type Option = { value: string; label: string; group?: string }

function Options({ options }: { options: Option[] }) {
  return options.map((option) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  ))
}

/** Options in order, grouped. */
function runs(options: Option[]): { group?: string; options: Option[] }[] {
  const found: { group?: string; options: Option[] }[] = []
  for (const option of options) {
    const last = found.at(-1)
    if (last && last.group === option.group) last.options.push(option)
    else found.push({ group: option.group, options: [option] })
  }
  return found
}

/** A selection from a list. */
export function Select(props: {
  label: string
  tip: string
  options: Option[]
  value: string
  disabled?: boolean
  /** Hides the label (it stays for screen readers). */
  bare?: boolean
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <span class="field" data-tip={props.tip} {...tipHandlers}>
      <label for={id} class={props.bare ? 'hidden' : ''}>
        {props.label}
      </label>
      <select
        id={id}
        value={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {runs(props.options).map((run) =>
          run.group ? (
            <optgroup key={run.options[0].value} label={run.group}>
              <Options options={run.options} />
            </optgroup>
          ) : (
            <Options key={run.options[0].value} options={run.options} />
          ),
        )}
      </select>
    </span>
  )
}

/** A text or number field. `onChange` on every key, `onEnter` on Enter. */
export function Field(props: {
  label: string
  tip: string
  value: string
  type?: 'text' | 'number'
  step?: number | 'any'
  min?: number
  max?: number
  /** Width in characters. */
  size?: number
  bare?: boolean
  placeholder?: string
  disabled?: boolean
  onChange: (value: string) => void
  onEnter?: () => void
}) {
  const id = useId()
  return (
    <span class="field" data-tip={props.tip} {...tipHandlers}>
      <label for={id} class={props.bare ? 'hidden' : ''}>
        {props.label}
      </label>
      <input
        id={id}
        type={props.type ?? 'text'}
        list={undefined}
        step={props.step ?? (props.type === 'number' ? 'any' : undefined)}
        min={props.min}
        max={props.max}
        value={props.value}
        placeholder={props.placeholder}
        disabled={props.disabled}
        style={{ width: `${(props.size ?? 12) + 2}ch` }}
        onInput={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onEnter?.()
        }}
      />
    </span>
  )
}

export type Tab = { id: string; label: string; tip: string; body: () => ComponentChildren }

/** Tabs with their panel: arrow keys, Home and End change the tab. */
export function Tabs(props: { label: string; tabs: Tab[]; value: string; onChange: (id: string) => void }) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = props.tabs.find((tab) => tab.id === props.value) ?? props.tabs[0]
  const onKeyDown = (event: KeyboardEvent) => {
    const count = props.tabs.length
    const at = props.tabs.indexOf(current)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const next = props.tabs[to % count]
    props.onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={props.label} ref={list} onKeyDown={onKeyDown}>
        {props.tabs.map((tab) => (
          <button
            type="button"
            key={tab.id}
            role="tab"
            id={`${base}-tab-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === current ? 'true' : 'false'}
            aria-controls={`${base}-panel`}
            tabIndex={tab === current ? 0 : -1}
            data-tip={tab.tip}
            {...tipHandlers}
            onClick={() => props.onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-tab-${current.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
        tabIndex={0}
      >
        {current.body()}
      </div>
    </div>
  )
}

// The tooltip: one element for the page, next to the control that is pointed at or focused.

let bubble: HTMLDivElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let watch: ReturnType<typeof setInterval> | undefined

/** Shows the tooltip of an element that has `data-tip`. */
export function showTip(element: HTMLElement, delay = 350) {
  hideTip()
  timer = setTimeout(() => {
    const text = element.dataset.tip
    if (!text || !element.isConnected) return
    bubble ??= makeBubble()
    bubble.textContent = text
    bubble.hidden = false
    // A removed or disabled element does not report that the pointer or the focus left it.
    watch = setInterval(() => {
      const meant = element.isConnected && (element.matches(':hover') || element.contains(document.activeElement))
      if (!meant) hideTip()
    }, 200)
    const at = element.getBoundingClientRect()
    const size = bubble.getBoundingClientRect()
    const left = Math.max(4, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 4))
    const below = at.bottom + 6 + size.height < innerHeight
    bubble.style.left = `${left}px`
    bubble.style.top = `${below ? at.bottom + 6 : at.top - size.height - 6}px`
  }, delay)
}

export function hideTip() {
  clearTimeout(timer)
  clearInterval(watch)
  if (bubble) bubble.hidden = true
}

function makeBubble(): HTMLDivElement {
  const made = document.createElement('div')
  made.className = 'tip'
  made.setAttribute('role', 'tooltip')
  document.body.append(made)
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideTip()
  })
  return made
}

/** For elements that show something else under the pointer: the tooltip is shown on focus only. */
export const focusTip = {
  onFocusIn: (event: { currentTarget: EventTarget | null; target: EventTarget | null }) => {
    if ((event.target as HTMLElement).matches(':focus-visible')) showTip(event.currentTarget as HTMLElement)
  },
  onFocusOut: hideTip,
}

/** Spread these on an element with `data-tip`. */
export const tipHandlers = {
  onPointerEnter: (event: { currentTarget: EventTarget | null }) => showTip(event.currentTarget as HTMLElement),
  onPointerLeave: hideTip,
  onPointerDown: hideTip,
  ...focusTip,
}
