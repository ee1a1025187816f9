// Which links are drawn: all if they are few, otherwise the shortest and those of the selected robot.

import type { Overlay, Point } from '../protocol'

export type Link = [number, number, number]

/** More links would be unreadable, and slow to draw. */
export const MOST = 1200

/** The links to draw. Takes the positions of the robots. */
export function chosenLinks(links: Link[], place: (robot: number) => Point, selected: number | null): Link[] {
  if (links.length <= MOST) return links
  const far = (link: Link) => {
    if (link[0] === selected || link[1] === selected) return -1
    const [a, b] = [place(link[0]), place(link[1])]
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
  }
  const lengths = links.map((link): [number, Link] => [far(link), link])
  lengths.sort((a, b) => a[0] - b[0])
  return lengths.slice(0, MOST).map(([, link]) => link)
}

const kept = new WeakMap<Link[], { selected: number | null; chosen: Link[] }>()

/** The same, computed once per list from the server. */
export function linksToDraw(overlay: Overlay, place: (robot: number) => Point, selected: number | null): Link[] {
  const links = overlay.links ?? []
  const before = kept.get(links)
  if (before && before.selected === selected) return before.chosen
  const chosen = chosenLinks(links, place, selected)
  kept.set(links, { selected, chosen })
  return chosen
}

/** Number of links that are not drawn. */
export function linksLeftOut(overlay: Overlay | null): number {
  if (!overlay?.links) return 0
  return overlay.left_out + Math.max(0, overlay.links.length - MOST)
}
