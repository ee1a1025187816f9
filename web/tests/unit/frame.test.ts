import { describe, expect, it } from 'vitest'
import { apply, type Picture } from '../../src/net/frame'

/** Writes a frame as described in protocol.ts. */
class Writer {
  bytes: number[] = []
  u8(value: number) {
    this.bytes.push(value)
    return this
  }
  varint(value: number) {
    let rest = value
    while (rest >= 128) {
      this.bytes.push((rest % 128) | 128)
      rest = Math.floor(rest / 128)
    }
    this.bytes.push(rest)
    return this
  }
  svarint(value: number) {
    return this.varint(value >= 0 ? value * 2 : -value * 2 - 1)
  }
  head(kind: number, lane: number, epoch: number, tick: number, robots: number, items: number) {
    return this.u8(kind).u8(lane).varint(epoch).varint(tick).varint(robots).varint(items)
  }
  get done() {
    return new Uint8Array(this.bytes)
  }
}

describe('frames', () => {
  it('are differences that add up', () => {
    const pictures: (Picture | undefined)[] = []
    const first = new Writer().head(1, 0, 3, 500, 2, 1)
    first.varint(1).u8(63).svarint(1500).svarint(-200).svarint(4000).varint(2).varint(5).u8(200)
    first.varint(1).u8(1).svarint(70000).varint(0)
    first.varint(1).u8(31).svarint(10).svarint(20).varint(1).varint(4).varint(2).varint(0)
    expect(apply(pictures, first.done)).toBe(0)
    const next = new Writer().head(2, 0, 3, 501, 2, 1)
    next.varint(1).u8(7).svarint(-500).svarint(300).svarint(200).varint(0).varint(0)
    apply(pictures, next.done)
    const picture = pictures[0] as Picture
    expect(picture).toMatchObject({ epoch: 3, tick: 501, robots: 2, items: 1 })
    expect(picture.robot.x[0]).toBe(1000)
    expect(picture.robot.y[0]).toBe(100)
    expect(picture.robot.heading[0]).toBe(104)
    expect(picture.robot.work[0]).toBe(2)
    expect(picture.robot.flags[0]).toBe(5)
    expect(picture.robot.energy[0]).toBe(200)
    expect(picture.robot.x[1]).toBe(70000)
    expect([picture.item.x[0], picture.item.y[0], picture.item.kind[0], picture.item.holder[0]]).toEqual([10, 20, 4, 2])
  })

  it('keep headings within a turn', () => {
    const pictures: (Picture | undefined)[] = []
    apply(pictures, new Writer().head(1, 0, 1, 0, 1, 0).varint(1).u8(4).svarint(10).varint(0).varint(0).done)
    apply(pictures, new Writer().head(2, 0, 1, 1, 1, 0).varint(1).u8(4).svarint(-20).varint(0).varint(0).done)
    expect(pictures[0]?.robot.heading[0]).toBe(4086)
  })

  it('skip what does not change, and grow', () => {
    const pictures: (Picture | undefined)[] = []
    apply(pictures, new Writer().head(1, 1, 1, 0, 3, 0).varint(3).u8(1).svarint(7).varint(0).varint(0).done)
    expect(Array.from(pictures[1]?.robot.x ?? [])).toEqual([0, 0, 7])
    apply(pictures, new Writer().head(2, 1, 1, 1, 4, 2).varint(4).u8(1).svarint(9).varint(0).varint(0).done)
    expect(Array.from(pictures[1]?.robot.x ?? [])).toEqual([0, 0, 7, 9])
    expect(pictures[1]?.items).toBe(2)
  })

  it('forget what was when they say so', () => {
    const pictures: (Picture | undefined)[] = []
    apply(pictures, new Writer().head(1, 0, 1, 9, 1, 0).varint(1).u8(1).svarint(7).varint(0).varint(0).done)
    apply(pictures, new Writer().head(1, 0, 2, 0, 1, 0).varint(0).varint(0).done)
    expect(pictures[0]?.robot.x[0]).toBe(0)
  })

  it('that are broken are refused', () => {
    const broken = new Writer().head(1, 0, 1, 0, 1, 0).varint(5).u8(0).done
    expect(() => apply([], broken)).toThrow('refers to something unknown')
    expect(() => apply([], new Writer().head(1, 0, 1, 0, 1, 0).done)).toThrow('too early')
  })
})
