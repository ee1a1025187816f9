import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Scene } from '../../src/protocol'

/** The last socket that the page opened. */
let socket: Socket
class Socket {
  static readonly OPEN = 1
  readyState = 1
  sent: { id: number; do: string }[] = []
  onopen?: () => void
  onclose?: () => void
  onmessage?: (event: { data: unknown }) => void
  constructor() {
    socket = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const scene = (epoch: number, robots = 1): Partial<Scene> & { type: 'scene' } => ({
  type: 'scene',
  lane: 0,
  epoch,
  robots: Array.from({ length: robots }, () => ({}) as Scene['robots'][number]),
})
const event = { t: 1, kind: 'activated', why: '' }

async function fresh() {
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('location', new URL('http://127.0.0.1:1/?token=t'))
  const store = await import('../../src/net/store')
  store.connect()
  socket.onopen?.()
  return store
}

describe('what the page knows', () => {
  beforeEach(() => vi.unstubAllGlobals())

  it('is kept when the same epoch is told again, and forgotten with another', async () => {
    const store = await fresh()
    socket.say({ type: 'hello', crewlab: '', coordinators: [], disturbances: [], repairable: [] })
    socket.say(scene(1))
    socket.say({ type: 'events', lane: 0, epoch: 1, from: 0, list: [event, event] })
    socket.say(scene(1, 2))
    expect(store.lanes.value[0]?.events.length).toBe(2)
    // Empty fields are not sent.
    expect(store.lanes.value[0]?.events[0]).toMatchObject({ robot: null, subject: 0, terms: [], disturbance: null })
    expect(store.lanes.value[0]?.scene.robots.length).toBe(2)
    socket.say(scene(2))
    expect(store.lanes.value[0]?.events.length).toBe(0)
    socket.say({ type: 'events', lane: 0, epoch: 1, from: 0, list: [event] })
    expect(store.lanes.value[0]?.events.length).toBe(0)
  })

  it('is not told twice after the connection was lost', async () => {
    const store = await fresh()
    const all = () => {
      socket.say({ type: 'hello', crewlab: '', coordinators: [], disturbances: [], repairable: [] })
      socket.say(scene(1))
      socket.say({ type: 'history', lane: 0, epoch: 1, shifts: [[0, 0, 1]], samples: [] })
    }
    all()
    const before = socket
    before.onclose?.()
    expect(store.connected.value).toBe(false)
    vi.advanceTimersByTime(1500)
    expect(socket).not.toBe(before)
    socket.onopen?.()
    all()
    expect(store.lanes.value[0]?.shifts.length).toBe(1)
  })

  it('comes with an answer to every command', async () => {
    const store = await fresh()
    const good = store.send({ do: 'play' })
    const bad = store.send({ do: 'pause' })
    expect(socket.sent.map((command) => command.do)).toEqual(['play', 'pause'])
    socket.say({ type: 'answer', id: socket.sent[0].id, ok: true, result: 7 })
    socket.say({ type: 'answer', id: socket.sent[1].id, ok: false, error: 'no' })
    expect(await good).toBe(7)
    await expect(bad).rejects.toThrow('no')
    const lost = store.send({ do: 'play' })
    socket.onclose?.()
    await expect(lost).rejects.toThrow('lost')
  })
})
