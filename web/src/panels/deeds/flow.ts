// Reads an entry of a scenario's disturbances: JSON, or the short form of YAML that the examples are written in, such
// as {for: 30 s, sensor: {robot: blue, fault: dead}}.

export class FlowError extends Error {}

/** The keys for the time: they are removed from examples, because manual actions happen now. */
const TIMING = ['at', 'between', 'every', 'when', 'rate', 'call', 'from', 'until', 'times']

/** The entry as written; the server rejects what cannot be done by hand. */
export function entry(text: string): Record<string, unknown> {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FlowError('write an entry in braces, such as {stop: blue}')
  const said = Object.keys(value).filter((key) => key !== 'for' && !TIMING.includes(key))
  if (said.length === 0) throw new FlowError('the entry has no kind, such as {stop: blue}')
  return value as Record<string, unknown>
}

/** An example without its time, as a starting point. */
export function template(example: string): string {
  try {
    return write(Object.fromEntries(Object.entries(entry(example)).filter(([key]) => !TIMING.includes(key))))
  } catch {
    return example
  }
}

/** The short form of YAML. */
export function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${scalar(key)}: ${write(one)}`)
      .join(', ')}}`
  return typeof value === 'string' ? scalar(value) : String(value)
}

function scalar(text: string): string {
  const plain = text !== '' && text === text.trim() && !/[[\]{},:#"'\n]/.test(text) && typeof plainly(text) === 'string'
  return plain ? text : JSON.stringify(text)
}

function plainly(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null' || text === '~' || text === '') return null
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the short form of YAML.
  }
  let at = 0
  const blank = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const fail = (what: string): never => {
    const near = text.slice(at, at + 12)
    throw new FlowError(`${what}${near ? ` before “${near}”` : ' at the end'}`)
  }
  const quoted = (): string => {
    const quote = text[at]
    const start = at++
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' && quote === '"' ? 2 : 1
    if (at >= text.length) fail(`a ${quote} is not closed`)
    at++
    const raw = text.slice(start, at)
    if (quote === "'") return raw.slice(1, -1)
    try {
      return JSON.parse(raw)
    } catch {
      return fail('the quoted text is invalid')
    }
  }
  const bare = (key: boolean): string => {
    const start = at
    while (at < text.length && !/[[\]{},\n]/.test(text[at])) {
      if (text[at] === ':' && (key || /\s/.test(text[at + 1] ?? ' '))) break
      at++
    }
    return text.slice(start, at).trim()
  }
  const value = (): unknown => {
    blank()
    if (text[at] === '{') return mapping()
    if (text[at] === '[') return sequence()
    if (text[at] === '"' || text[at] === "'") return quoted()
    const word = bare(false)
    if (word === '') fail('a value is missing')
    return plainly(word)
  }
  const mapping = (): Record<string, unknown> => {
    const found: Record<string, unknown> = {}
    at++
    for (;;) {
      blank()
      if (text[at] === '}') break
      const key = text[at] === '"' || text[at] === "'" ? quoted() : bare(true)
      blank()
      if (key === '') fail('a name is missing')
      if (text[at] !== ':') fail(`after “${key}” a colon is missing`)
      at++
      found[key] = value()
      blank()
      if (text[at] === ',') at++
      else if (text[at] !== '}') fail('a comma or } is missing')
    }
    at++
    return found
  }
  const sequence = (): unknown[] => {
    const found: unknown[] = []
    at++
    for (;;) {
      blank()
      if (text[at] === ']') break
      found.push(value())
      blank()
      if (text[at] === ',') at++
      else if (text[at] !== ']') fail('a comma or ] is missing')
    }
    at++
    return found
  }
  // A single line such as `stop: blue` is accepted as an entry, too.
  const trimmed = text.trim()
  if (trimmed === '') throw new FlowError('the entry is empty')
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) {
    if (!/^[\w-]+:\s/.test(trimmed)) throw new FlowError('write an entry in braces, such as {stop: blue}')
    return parse(`{${trimmed.replace(/^-\s+/, '')}}`)
  }
  const found = value()
  blank()
  if (at < text.length) fail('unexpected text')
  return found
}
