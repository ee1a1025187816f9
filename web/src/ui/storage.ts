// What the page stores between visits. If storage is not allowed, values are kept until the page is closed.

const memory = new Map<string, string>()
const PREFIX = 'crewlab.'

export function recall(key: string): string | null {
  try {
    const kept = localStorage.getItem(PREFIX + key)
    if (kept !== null) return kept
  } catch {
    // not available: use the fallback
  }
  return memory.get(key) ?? null
}

export function remember(key: string, value: string) {
  memory.set(key, value)
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // not available: kept in memory
  }
}
