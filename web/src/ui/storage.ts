// What the page remembers between visits. Storage may be forbidden; then it remembers until it is closed.

const memory = new Map<string, string>()
const PREFIX = 'crewlab.'

export function recall(key: string): string | null {
  try {
    const kept = localStorage.getItem(PREFIX + key)
    if (kept !== null) return kept
  } catch {
    // not available: fall back
  }
  return memory.get(key) ?? null
}

export function remember(key: string, value: string) {
  memory.set(key, value)
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // not available: it is kept in memory
  }
}
