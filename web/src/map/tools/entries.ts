// The commands of tools: entries as in a scenario's `disturbances`.

import type { Point } from '../../protocol'

export type Entry = Record<string, unknown>

/** Rounded to the centimetre. */
export function rounded([x, y]: Point): Point {
  return [cm(x), cm(y)]
}

function cm(value: number): number {
  return Math.round(value * 100) / 100 + 0
}

/** The smallest obstacle that can be drawn. [m] */
export const SMALLEST = 0.05

/** Centre and size of the rectangle between two corners. */
export function rectangle(a: Point, b: Point): { at: Point; size: Point } {
  const size = rounded([Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])])
  return { at: rounded([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]), size }
}

export function obstacle(name: string, at: Point, size: Point, penetrability = 0): Entry {
  const more = penetrability === 0 ? {} : { penetrability }
  return { 'object-added': { name, rectangle: size, at: rounded(at), ...more } }
}

export function robotMoved(robot: string, place: Point): Entry {
  return { 'robot-moved': { robot, place: rounded(place) } }
}

export function itemMoved(number: number, place: Point): Entry {
  return { 'items-moved': { number, place: rounded(place), radius: 0 } }
}

export function objectMoved(object: string, to: Point): Entry {
  return { 'object-moved': { object, to: rounded(to) } }
}

export function itemAdded(item: string, place: Point): Entry {
  return { 'items-added': { item, count: 1, place: rounded(place), radius: 0 } }
}

export function jammer(name: string, at: Point, power: number): Entry {
  return { 'object-added': { name, circle: 0.15, at: rounded(at), penetrability: 1, jammer: { power } } }
}

/** Switches an existing jammer. */
export function jammerSwitched(object: string, on: boolean): Entry {
  return { jammer: { object, on } }
}

/** Another object like one that exists. */
export function objectCopied(object: string, name: string, at: Point): Entry {
  return { 'object-copied': { object, name, at: rounded(at) } }
}

export function stockSet(object: string, stock: string, amount: number): Entry {
  return { 'object-changed': { object, stocks: { [stock]: amount } } }
}

export function linkCut(one: string, other: string): Entry {
  return { 'link-cut': { between: [one, other] } }
}

export function objectRemoved(object: string): Entry {
  return { 'object-removed': object }
}

export function itemRemoved(number: number): Entry {
  return { 'items-removed': { number } }
}

/** An unused name: "obstacle 1", "obstacle 2" and so on. */
export function freeName(stem: string, taken: Iterable<string>): string {
  const names = new Set(taken)
  for (let i = 1; ; i++) if (!names.has(`${stem} ${i}`)) return `${stem} ${i}`
}
