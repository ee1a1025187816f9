// Times, shares and counts as text that keeps its width while it changes.

/** A simulated time as on a stopwatch: 0:42.3, 12:05.0, 1:02:03.0. */
export function stopwatch(seconds: number, digits = 1): string {
  const scale = 10 ** digits
  const all = Math.round(Math.abs(seconds) * scale)
  const whole = Math.floor(all / scale)
  const sign = seconds < 0 && all > 0 ? '−' : ''
  const rest = digits > 0 ? `.${String(all % scale).padStart(digits, '0')}` : ''
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const two = (value: number) => String(value).padStart(2, '0')
  const front = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)
  return `${sign}${front}:${two(whole % 60)}${rest}`
}

/** A duration as text: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function lasting(seconds: number): string {
  if (seconds < 10) return `${trim(seconds, 1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** 0.437 becomes 44 %. An incomplete share is never shown as 100 %. */
export function percent(share: number): string {
  const value = Math.round(share * 100)
  return `${value >= 100 && share < 1 ? 99 : value} %`
}

/** A multiple of real time. */
export function times(factor: number): string {
  const digits = factor >= 99.95 ? 0 : factor >= 9.95 ? 1 : 2
  return `${factor.toFixed(digits)}×`
}

/** A selectable speed. */
export function pace(factor: number | null): string {
  return factor === null ? 'max' : `${trim(factor, 3)}×`
}

/** Thousands are grouped. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

/** A measure with its unit: a share in per cent, counts unchanged. */
export function amount(value: number, unit: string): string {
  if (unit === 'share') return percent(value)
  const number = Number.isInteger(value) ? count(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 1)
  return unit ? `${number} ${unit}` : number
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  if (value < 1e6) return `${(value / 1e3).toFixed(1)} kB`
  return `${(value / 1e6).toFixed(1)} MB`
}

/** A number of a decision, with about four significant digits. */
export function figure(value: number | null): string {
  if (value === null) return '–'
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 0.001 || size >= 1e7)) return value.toExponential(2)
  return trim(value, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4)
}

function trim(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** "spill-cleared" becomes "spill cleared". */
export function words(name: string): string {
  return name.replaceAll('-', ' ')
}
