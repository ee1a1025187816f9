// Keyboard shortcuts of the whole page. Every shortcut is registered here with a description; the help overlay lists
// them.

export type Binding = {
  /** Names such as 'space', 'a', 'A' (with shift), '?', '0', 'left', 'escape'; any of them triggers it. */
  keys: string[]
  /** Heading in the help overlay. */
  group: string
  what: string
  action: (event: KeyboardEvent) => void
  /** While this is false, the key is not handled. */
  when?: () => boolean
  /** Only listed: handled elsewhere, for example by the focused map. */
  listed?: boolean
}

const bindings: Binding[] = []

/** Registers a key; returns a function that unregisters it. */
export function registerKey(binding: Binding): () => void {
  bindings.push(binding)
  return () => {
    const at = bindings.indexOf(binding)
    if (at >= 0) bindings.splice(at, 1)
  }
}

/** All keys by group, in the order of registration. */
export function keyTable(): { group: string; rows: { keys: string[]; what: string }[] }[] {
  const groups = new Map<string, { keys: string[]; what: string }[]>()
  for (const { group, keys, what } of bindings) {
    const rows = groups.get(group) ?? []
    if (!rows.some((row) => row.what === what)) rows.push({ keys: keys.map(keyLabel), what })
    groups.set(group, rows)
  }
  return [...groups].map(([group, rows]) => ({ group, rows }))
}

const NAMES: Record<string, string> = {
  ' ': 'space',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Escape: 'escape',
  Enter: 'enter',
  Tab: 'tab',
  Home: 'home',
  End: 'end',
  PageUp: 'page up',
  PageDown: 'page down',
  Delete: 'delete',
  Backspace: 'backspace',
}

/** The name of the pressed key. */
export function keyName(event: Pick<KeyboardEvent, 'key'>): string {
  return NAMES[event.key] ?? event.key
}

const LABELS: Record<string, string> = { left: '←', right: '→', up: '↑', down: '↓', escape: 'Esc' }

/** A key as text for people. */
export function keyLabel(key: string): string {
  if (LABELS[key]) return LABELS[key]
  if (/^[a-z]$/.test(key)) return key.toUpperCase()
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`
  return key.charAt(0).toUpperCase() + key.slice(1)
}

/** True if the focused element handles keys: a text field, or one that uses this key itself. */
export function ownsKey(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  if (target instanceof HTMLInputElement) {
    if (target.type === 'checkbox' || target.type === 'radio')
      return name === 'space' || /^(left|right|up|down)$/.test(name)
    if (target.type === 'range') return /^(left|right|up|down|home|end|page up|page down)$/.test(name)
    return name !== 'escape'
  }
  if (target.matches('button, a[href], summary, [role=button], [role=tab], [role=slider], [role=option]')) {
    if (name === 'space' || name === 'enter') return true
    return target.matches('[role=tab], [role=slider], [role=option]') && /^(left|right|up|down|home|end)$/.test(name)
  }
  return false
}

/** True if a modal dialog is open. */
export function windowOpen(): boolean {
  return document.querySelector('dialog:modal, [aria-modal="true"]') !== null
}

/** The global listener. The latest registration wins. */
export function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const name = keyName(event)
  if (ownsKey(event.target, name) || (windowOpen() && name !== '?')) return
  for (let i = bindings.length - 1; i >= 0; i--) {
    const binding = bindings[i]
    if (binding.listed || !matches(binding.keys, name)) continue
    if (binding.when && !binding.when()) continue
    event.preventDefault()
    binding.action(event)
    return
  }
}

/** Letters match exactly; with caps lock, a lower-case key still counts if the upper-case one is not registered. */
function matches(keys: string[], name: string): boolean {
  if (keys.includes(name)) return true
  const lower = name.toLowerCase()
  return lower !== name && keys.includes(lower) && !bindings.some((other) => other.keys.includes(name))
}

if (typeof window !== 'undefined') window.addEventListener('keydown', onKey)
