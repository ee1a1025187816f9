// Branches in tree order: each below its parent.

import type { Branch } from '../../protocol'

export type Twig = { branch: Branch; depth: number }

export function tree(branches: Branch[]): Twig[] {
  const known = new Set(branches.map((branch) => branch.id))
  const found: Twig[] = []
  const add = (parent: number | null, depth: number) => {
    const children = branches.filter(
      (one) => (one.parent !== null && known.has(one.parent) ? one.parent : null) === parent,
    )
    for (const branch of children.sort((a, b) => a.id - b.id)) {
      found.push({ branch, depth })
      add(branch.id, depth + 1)
    }
  }
  add(null, 0)
  return found
}
