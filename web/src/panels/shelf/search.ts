// Searches runs by words.

import type { ShelfRun } from '../../protocol'

/** The runs that contain all words. */
export function matching(runs: ShelfRun[], text: string): ShelfRun[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ key, title, note }: ShelfRun) => {
    const all = `${key} ${title} ${note}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return words.length > 0 ? runs.filter(fits) : runs
}
