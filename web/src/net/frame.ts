// Decodes frames (see protocol.ts) into typed arrays that the map draws from.

/** The positions of everything in one lane. Positions in metres, headings in radians. */
export type Picture = {
  epoch: number
  tick: number
  robots: number
  items: number
  /** In mm and 1/4096 turn, as sent; for metres and radians use `x(i)`, `y(i)`, `heading(i)`. */
  robot: Columns
  item: Columns
}

export type Columns = {
  x: Int32Array
  y: Int32Array
  heading: Int32Array
  work: Int32Array
  flags: Int32Array
  energy: Int32Array
  kind: Int32Array
  holder: Int32Array
}

function columns(size: number): Columns {
  const make = () => new Int32Array(size)
  return {
    x: make(),
    y: make(),
    heading: make(),
    work: make(),
    flags: make(),
    energy: make(),
    kind: make(),
    holder: make(),
  }
}

export const TURN = 4096

export class Reader {
  private at = 0
  constructor(private readonly bytes: Uint8Array) {}

  u8(): number {
    if (this.at >= this.bytes.length) throw new Error('a frame ends too early')
    return this.bytes[this.at++]
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
    throw new Error('a number in a frame is too large')
  }

  svarint(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}

/** Applies a frame to the pictures of the lanes; returns the lane that changed. */
export function apply(pictures: (Picture | undefined)[], bytes: Uint8Array): number {
  const reader = new Reader(bytes)
  const kind = reader.u8()
  const lane = reader.u8()
  const epoch = reader.varint()
  const tick = reader.varint()
  const robots = reader.varint()
  const items = reader.varint()
  let picture = pictures[lane]
  if (kind === 1 || !picture) {
    picture = { epoch, tick, robots, items, robot: columns(robots), item: columns(items) }
    pictures[lane] = picture
  }
  if (items > picture.item.x.length) picture.item = grown(picture.item, items)
  if (robots > picture.robot.x.length) picture.robot = grown(picture.robot, robots)
  Object.assign(picture, { epoch, tick, robots, items })
  const { robot, item } = picture
  records(reader, robots, (i, mask) => {
    if (mask & 1) robot.x[i] += reader.svarint()
    if (mask & 2) robot.y[i] += reader.svarint()
    if (mask & 4) robot.heading[i] = (robot.heading[i] + reader.svarint() + 2 * TURN) % TURN
    if (mask & 8) robot.work[i] = reader.varint()
    if (mask & 16) robot.flags[i] = reader.varint()
    if (mask & 32) robot.energy[i] = reader.u8()
  })
  records(reader, items, (i, mask) => {
    if (mask & 1) item.x[i] += reader.svarint()
    if (mask & 2) item.y[i] += reader.svarint()
    if (mask & 4) item.flags[i] = reader.varint()
    if (mask & 8) item.kind[i] = reader.varint()
    if (mask & 16) item.holder[i] = reader.varint()
  })
  return lane
}

function records(reader: Reader, count: number, read: (index: number, mask: number) => void) {
  let index = -1
  for (;;) {
    const gap = reader.varint()
    if (gap === 0) return
    index += gap
    if (index >= count) throw new Error('a frame refers to something unknown')
    read(index, reader.u8())
  }
}

function grown(old: Columns, size: number): Columns {
  const next = columns(size)
  for (const key of Object.keys(old) as (keyof Columns)[]) next[key].set(old[key])
  return next
}
