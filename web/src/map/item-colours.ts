// Colours of kinds of items.

const LIGHT = ['#c98a00', '#5b7f2b', '#8c6bb1', '#3a8f8f', '#b0567a']
const DARK = ['#ffc857', '#a5cf6a', '#c9aef0', '#7fd6d6', '#f09ac0']

export function itemColour(kind: number, dark: boolean): string {
  const colours = dark ? DARK : LIGHT
  return colours[kind % colours.length]
}
