// Plays a server inside the page: replaces WebSocket by one that tells of robots that drive in circles. For looking at
// the page and for measuring it without a server. Options in window.fakeOptions: {robots, items, lanes, physical}.
;(() => {
  const options = { robots: 6, items: 12, lanes: 1, physical: true, rate: 30, ...window.fakeOptions }
  const W = options.robots > 50 ? 60 : 12
  const H = options.robots > 50 ? 40 : 8
  const tick_s = 1 / 30
  const names = ['blue', 'gold', 'green', 'rose', 'sand', 'sky']
  const tasks = ['find-waste', 'clean-left', 'clean-right', 'report-progress']

  class Writer {
    bytes = []
    u8(v) {
      this.bytes.push(v & 255)
    }
    varint(v) {
      let rest = v
      while (rest >= 128) {
        this.bytes.push((rest % 128) | 128)
        rest = Math.floor(rest / 128)
      }
      this.bytes.push(rest)
    }
    svarint(v) {
      this.varint(v >= 0 ? v * 2 : -v * 2 - 1)
    }
  }

  const scene = (lane) => ({
    type: 'scene',
    lane,
    epoch: 1,
    name: 'Waste clean-up (fake)',
    mission: options.mission ?? 'janitorial',
    seed: 1,
    coordinator: lane ? 'muroco' : 'alliance',
    radio: options.physical ? 'physical' : 'ideal',
    physical: options.physical,
    tick_s,
    until_s: 600,
    bounds: { min: [0, 0], max: [W, H] },
    robots: Array.from({ length: options.robots }, (_, i) => ({
      name: names[i] ?? `r${i}`,
      type: 'round',
      radius: 0.2,
      outline:
        i === 3
          ? [
              [0.3, 0.15],
              [-0.2, 0.15],
              [-0.2, -0.15],
              [0.3, -0.15],
            ]
          : [],
      sensors: ['range-scanner', 'position'],
      effectors: ['drive', 'gripper'],
      capabilities: ['move'],
      behaviours: tasks.map((name, task) => ({ name, task })),
    })),
    tasks: tasks.map((name) => ({ name })),
    item_kinds: ['waste', 'parcel'],
    item_radius: 0.08,
    terrain: {
      origin: [0, 0],
      columns: W,
      rows: H,
      cell: 1,
      factors: Array.from({ length: W * H }, (_, i) => (i % W > 8 && i / W < 3 ? 0.5 : i % 31 === 7 ? 0.8 : 1)),
    },
    gauge: 'motivation',
    threshold: 100,
  })

  const extra = []
  const things = (lane) => ({
    type: 'things',
    lane,
    epoch: 1,
    objects: [
      thing(
        1,
        'desk',
        {
          polygon: [
            [7, 5],
            [8.4, 5],
            [8.4, 5.8],
            [7, 5.8],
          ],
        },
        { dust: 12 },
      ),
      thing(2, 'pillar', { circle: [3, 6, 0.4] }),
      thing(
        3,
        'mud',
        {
          polygon: [
            [4, 0.3],
            [6.5, 0.3],
            [6.2, 1.6],
            [4.3, 1.4],
          ],
        },
        { solid: false, penetrability: 0.4 },
      ),
      thing(4, 'near can', { circle: [1.2, 3.4, 0.15] }, { garbage: 1 }),
      thing(5, 'jammer', { circle: [10, 6, 0.2] }, { solid: false, penetrability: 1, jammer: { on: true, power: 20 } }),
      thing(
        6,
        'obstacle 1',
        {
          polygon: [
            [5, 4],
            [6, 4],
            [6, 4.4],
            [5, 4.4],
          ],
        },
        { added: true },
      ),
      thing(7, 'wall', {
        segment: [
          [9, 3],
          [9, 4.5],
        ],
      }),
      ...extra,
    ],
    areas: [
      { name: 'left spill', kind: 'zone', outline: { circle: [2, 1.5, 1] }, lit: false, person: false },
      {
        name: 'exit',
        kind: 'zone',
        outline: {
          polygon: [
            [10.5, 0.2],
            [11.8, 0.2],
            [11.8, 2],
            [10.5, 2],
          ],
        },
        lit: true,
        person: true,
      },
    ],
  })
  function thing(id, name, outline, more = {}) {
    return {
      id,
      name,
      outline,
      solid: true,
      penetrability: 0,
      added: false,
      jammer: null,
      garbage: 0,
      dust: 0,
      ...more,
    }
  }

  class Fake {
    static OPEN = 1
    OPEN = 1
    readyState = 0
    tick = 0
    playing = !options.paused
    shown = []
    watch = { lane: 0, robot: null, layers: [] }
    constructor() {
      window.fake = this
      this.sent = []
      setTimeout(() => this.begin(), 20)
    }
    say(message) {
      this.onmessage?.({ data: JSON.stringify(message) })
    }
    begin() {
      this.readyState = 1
      this.onopen?.()
      this.say({
        type: 'hello',
        crewlab: '0.1',
        coordinators: [
          { name: 'alliance', summary: '' },
          { name: 'muroco', summary: '' },
        ],
        disturbances: [],
      })
      for (let lane = 0; lane < options.lanes; lane++) {
        this.say(scene(lane))
        this.say(things(lane))
        this.say({ type: 'events', lane, epoch: 1, from: 0, list: [] })
        this.say({ type: 'history', lane, epoch: 1, shifts: [], samples: [] })
      }
      this.status()
      this.frame(true)
      setInterval(() => {
        if (!this.playing) return
        this.tick++
        this.frame(false)
      }, 1000 / options.rate)
      setInterval(() => this.status(), 200)
      setInterval(() => this.slow(), 200)
    }
    status() {
      const lane = (n) => ({
        epoch: 1,
        coordinator: n ? 'muroco' : 'alliance',
        progress: 0.3,
        completed: false,
        finished: false,
        sent: 10,
        delivered: 9,
        lost: 1,
        result_hash: null,
      })
      this.say({
        type: 'status',
        playing: this.playing,
        speed: 1,
        time: this.tick * tick_s,
        tick: this.tick,
        end: this.tick * tick_s,
        end_tick: this.tick,
        factor: 1,
        wall: this.tick * tick_s,
        busy: null,
        lanes: Array.from({ length: options.lanes }, (_, n) => lane(n)),
        branches: [{ id: 0, parent: null, from: 0, end: this.tick * tick_s, title: 'run' }],
        branch: 0,
        deeds: [],
        questions: [],
        snapshots: { count: 0, bytes: 0, bound: 1 },
        viewers: 1,
      })
    }
    place(i, lane) {
      const t = this.tick * tick_s * 0.4 + i
      const columns = Math.ceil(Math.sqrt((options.robots * W) / H))
      const cx = ((i % columns) + 0.5) * (W / columns)
      const cy = (Math.floor(i / columns) + 0.5) * (H / Math.ceil(options.robots / columns))
      const r = 0.6 + 0.2 * (i % 3)
      const s = lane ? -1 : 1
      return [cx + r * Math.cos(s * t), cy + r * Math.sin(s * t), s * t + (s * Math.PI) / 2]
    }
    frame(first) {
      for (let lane = 0; lane < options.lanes; lane++) {
        const w = new Writer()
        w.u8(first ? 1 : 2)
        w.u8(lane)
        w.varint(1)
        w.varint(this.tick)
        w.varint(options.robots)
        w.varint(options.items)
        if (first) this.shown[lane] = Array.from({ length: options.robots }, () => [0, 0, 0])
        for (let i = 0; i < options.robots; i++) {
          const [x, y, h] = this.place(i, lane)
          const next = [
            Math.round(x * 1000),
            Math.round(y * 1000),
            Math.round(((((h / 2 / Math.PI) % 1) + 1) % 1) * 4096) % 4096,
          ]
          const old = this.shown[lane][i]
          w.varint(1)
          w.u8(first ? 63 : 7)
          w.svarint(next[0] - old[0])
          w.svarint(next[1] - old[1])
          w.svarint(next[2] - old[2])
          if (first) {
            w.varint((i * 7) % 5)
            w.varint([1, 1, 1 + 16, 1 + 32, 1 + 2, 1 + 8][options.robots < 10 ? i % 6 : i % 97 < 6 ? i % 97 : 0])
            w.u8(i % 2 ? 255 : 150)
          }
          this.shown[lane][i] = next
        }
        w.u8(0)
        if (first)
          for (let i = 0; i < options.items; i++) {
            w.varint(1)
            w.u8(31)
            w.svarint(Math.round((0.5 + ((i * 0.77) % (W - 1))) * 1000))
            w.svarint(Math.round((0.5 + ((i * 1.31) % (H - 1))) * 1000))
            w.varint(i % 5 === 4 ? 3 : 1)
            w.varint(i % 2)
            w.varint(i === 0 ? 1 : 0)
          }
        w.u8(0)
        this.onmessage?.({ data: new Uint8Array(w.bytes).buffer })
      }
    }
    slow() {
      const { layers, robot, lane: on } = this.watch
      const has = (name) => layers.includes(name)
      const rays = (i, lane) => {
        const [x, y, h] = this.place(i, lane)
        return Array.from({ length: 24 }, (_, n) => ({
          x,
          y,
          angle: h + (n * Math.PI) / 12,
          length: n % 5 ? 1.5 : 0.9,
          hit: n % 5 === 0,
        }))
      }
      for (let lane = 0; lane < options.lanes && layers.length > 0; lane++)
        this.say({
          type: 'overlay',
          lane,
          epoch: 1,
          links: has('links')
            ? Array.from({ length: Math.min(400, options.robots * 2) }, (_, i) => [
                i % options.robots,
                (i * 3 + 1) % options.robots,
                (i * 0.37) % 1,
              ])
            : null,
          left_out: has('links') && options.robots > 100 ? 1600 : 0,
          plans: has('plans')
            ? Array.from({ length: Math.min(40, options.robots) }, (_, i) => ({
                robot: i,
                points: [1, 2, 3].map((k) => {
                  const [x, y] = this.place(i, lane)
                  return [x + 0.4 * k, y + 0.1 * k * k]
                }),
              }))
            : null,
          rays: has('rays')
            ? Array.from({ length: Math.min(20, options.robots) }, (_, i) => ({ robot: i, rays: rays(i, lane) }))
            : null,
          noise:
            has('noise') && options.physical
              ? {
                  origin: [0, 0],
                  columns: 24,
                  rows: 16,
                  cell: W / 24,
                  dbm: Array.from(
                    { length: 384 },
                    (_, i) => -95 + 40 * Math.exp(-(((i % 24) - 20) ** 2 + (Math.floor(i / 24) - 12) ** 2) / 20),
                  ),
                }
              : null,
        })
      if (robot === null || robot === undefined) return
      const [x, y, heading] = this.place(robot, on)
      this.say({
        type: 'detail',
        lane: on,
        epoch: 1,
        tick: this.tick,
        robot,
        x,
        y,
        heading,
        speed: 0.2,
        behaviour: 1,
        state: 'drives to the left spill',
        holding: null,
        battery: 0.7,
        clock: 1,
        faults: [],
        taken_over: false,
        percept: [],
        radio: [],
        messages: [],
        why: null,
        gauges: [],
        rays: has('rays') ? rays(robot, on) : [],
        plan: [],
        field: has('field')
          ? {
              origin: [x - 1.5, y - 1.5],
              columns: 30,
              rows: 30,
              cell: 0.1,
              costs: Array.from({ length: 900 }, (_, i) =>
                i % 30 > 26 ? null : Math.abs((i % 30) - 15) * Math.abs(i / 30 - 15),
              ),
            }
          : null,
      })
    }
    send(text) {
      const command = JSON.parse(text)
      this.sent.push(command)
      if (command.do === 'watch') this.watch = command
      if (command.do === 'pause') this.playing = false
      if (command.do === 'play') this.playing = true
      const added = command.entry?.['object-added']
      if (added?.rectangle) {
        const [w, h] = added.rectangle
        const [x, y] = added.at
        extra.push(
          thing(
            100 + extra.length,
            added.name,
            {
              polygon: [
                [x - w / 2, y - h / 2],
                [x + w / 2, y - h / 2],
                [x + w / 2, y + h / 2],
                [x - w / 2, y + h / 2],
              ],
            },
            { added: true },
          ),
        )
        this.say(things(0))
      }
      setTimeout(
        () => this.say({ type: 'answer', id: command.id, ok: true, result: { text: `done: ${command.do}` } }),
        5,
      )
      this.status()
    }
    close() {}
  }
  window.WebSocket = Fake
})()
