// The protocol between page and server: one websocket at /ws.
//
// Server to page: text messages are JSON, one of `FromServer`; binary messages are frames (below).
// Page to server: JSON, one of `Command` with a number `id`; each gets exactly one `answer` with the same id.
//
// Units are metres, seconds, radians, dBm. Angles count counter-clockwise from the x axis; y points up.
// Robots, tasks, behaviours and items are referred to by their indices in the lists of the scene.
//
// A *lane* is one run: there is lane 0, and lane 1 while two coordinators are compared. An *epoch* is a number that
// changes when the known data of a lane is no longer valid (restart, another branch or run): discard events, history
// and charts of older epochs. Everything after a new scene belongs to it.
//
// Frames: kind u8 (1: reset, all is zero; 2: relative to the last frame of this lane), lane u8,
// epoch varint, tick varint, robots varint, items varint, then records of robots, a 0, records of items, a 0.
// A record: varint (index minus the previous record's index, where the first counts from -1; so at least 1), mask u8, and for
// every bit of the mask, lowest first, a field. varint: LEB128. svarint: zigzag LEB128.
//   robot: bit 0 x (svarint, difference in mm), 1 y (same), 2 heading (svarint, difference in 1/4096 turn, take the
//          sum modulo 4096), 3 work (varint: behaviour + 1, 0 for none), 4 flags (varint, RobotFlag),
//          5 energy (u8: 0 to 200 half per cents, 255: has none)
//   item:  bit 0 x, 1 y (as robots'), 2 flags (varint, ItemFlag), 3 kind (varint, index in scene.item_kinds),
//          4 holder (varint: robot + 1, 0 for nobody; while it is held its x and y are not sent: it is at its holder)

import type { EventKind } from './kinds'

export enum RobotFlag {
  Present = 1,
  Down = 2,
  Holding = 4,
  TakenOver = 8,
  Faulty = 16,
  Stopped = 32,
}
export enum ItemFlag {
  Present = 1,
  Given = 2,
}

export type Point = [number, number]
export type Outline = { circle: [number, number, number] } | { polygon: Point[] } | { segment: [Point, Point] }

export type Named = { name: string; summary: string; example?: string }

/** A kind of disturbance, with its self-description. */
export type DisturbanceKind = {
  name: string
  summary: string
  example: string
  /** The group in menus. */
  group: string
  needs: ('physical-radio' | 'battery')[]
  /** How it is applied to one robot: the entry is the robot alone, or a map with the robot and the keys given here. */
  by_hand: { part: string; device: 'sensor' | 'effector' | null; ways: Way[] } | null
  /** False if forms do not list it. */
  listed: boolean
}
/** A variant of a disturbance of a robot; `fault` is a key of the entry, and so is the key of the dial. */
export type Way = { label: string; fault: string | null; dial: Dial | null }
/** The severity. In per cent if that is its unit; a share in the entry. */
export type Dial = { key: string; label: string; unit: string; value: number; min: number; max: number; step: number }

/** The first message. */
export type Hello = {
  type: 'hello'
  crewlab: string
  coordinators: Named[]
  disturbances: DisturbanceKind[]
  /** Repairable parts that every robot has, besides its sensors and effectors. */
  repairable: string[]
  /** Runs that can be opened instead of the current one; their report is at `report`. */
  shelf: { title: string; report: boolean; runs: ShelfRun[] } | null
}

/** A run on the shelf. A link to `replay/KEY` leads to the page, which then opens it. */
export type ShelfRun = { key: string; title: string; note: string }

/** The constant part of a lane. */
export type Scene = {
  type: 'scene'
  lane: number
  epoch: number
  /** Its key, if it is an unchanged run of the shelf. */
  run: string | null
  name: string
  mission: string
  seed: number
  coordinator: string
  /** Name of the radio's model; a physical one has noise, queues and link qualities. */
  radio: string
  physical: boolean
  tick_s: number
  until_s: number
  bounds: { min: Point; max: Point }
  robots: SceneRobot[]
  /** `open` and `weight` are as at the start. */
  tasks: { name: string; summary: string; open: boolean; weight: number }[]
  /** What robots of this mission can draw on the map. */
  layers: SceneLayer[]
  /** The referee's measures besides progress. */
  measures: Measure[]
  /** The plan that the team carries out; null if the coordinator works without one. */
  plan: Plan | null
  item_kinds: string[]
  /** Radius of each item. */
  item_radius: number
  /** Ground: a speed factor per cell, row by row from the lower left; values below 1 slow down. And a factor on the energy per
   *  metre, in the same order; empty if all are 1. */
  terrain: {
    origin: Point
    columns: number
    rows: number
    cell: number
    factors: number[]
    energy: number[]
  } | null
  /** Words for the levels of the coordinator's gauges, and their threshold if there is one. */
  gauge: { name: string; plural: string; unit: string; meaning: string }
  threshold: number | null
}

/** The drawing of a plan, in pixels: a box per behaviour, whose last line is left for the robots that execute it. */
export type Plan = {
  size: [number, number]
  /** The behaviour that the team starts with. */
  root: number
  boxes: { name: string; area: [number, number, number, number]; notes: string[]; protocols: string[] }[]
  /** Edges to what may follow; `back` if it leads back to what was before. */
  routes: { points: Point[]; back: boolean }[]
  /** Lines to parts. */
  branches: Point[][]
}

/** Where a robot stands in the plan: the behaviours that it executes, the outermost first, and the point at which it waits. */
export type Stack = {
  robot: number
  stack: number[]
  wait: {
    /** The behaviour that the point belongs to. */
    node: number
    /** `decide`, `allocate` or `terminate`. */
    kind: string
    /** Who has not contributed yet, as far as the robot knows. */
    missing: number[]
    /** What robots have contributed. */
    said: [number, string][]
  } | null
}

/** A layer of the mission. Its marks are about each robot itself, or about the world as robots believe it to be. */
export type SceneLayer = {
  name: string
  title: string
  summary: string
  about: 'robot' | 'world'
  /** True if it is shown until somebody hides it. */
  shown: boolean
}

/** A shape on the map: its strength from 0 to 1, then x, y, radius for a circle (a line) and a disc; for a band (everything within
 *  the radius of a line) and a cone (from its tip to a disc) x, y of both ends, radius. */
export type Mark =
  | ['circle' | 'disc', number, number, number, number]
  | ['band' | 'cone', number, number, number, number, number, number]

/** Marks of a layer, by its index in the scene's list. The robot is null for marks about the world from all robots together. `at` is
 *  where the robot was then. */
export type Sketch = { layer: number; robot: number | null; at: Point | null; marks: Mark[] }

/** A measure of the mission. The unit is empty for counts and `share` for shares from 0 to 1. */
export type Measure = {
  name: string
  title: string
  unit: string
  summary: string
  better: 'less' | 'more' | 'neither'
}

export type SceneRobot = {
  name: string
  type: string
  radius: number
  /** Corners in the robot's own frame; empty for a round one. */
  outline: Point[]
  sensors: string[]
  effectors: string[]
  capabilities: string[]
  behaviours: { name: string; task: number }[]
}

/** Objects and areas; sent again when they change. */
export type Things = {
  type: 'things'
  lane: number
  epoch: number
  objects: Thing[]
  areas: Place[]
}

/** Named amounts. */
export type Stocks = Record<string, number>

export type Place = {
  name: string
  kind: string
  outline: Outline
  /** Names of its active states. */
  states: string[]
  stocks: Stocks
  /** True while it has a state that ends by itself. */
  lit: boolean
  /** True if somebody there wants something. */
  person: boolean
}

export type Thing = {
  id: number
  name: string
  outline: Outline
  /** True if it is impassable. */
  solid: boolean
  /** Speed factor for robots that drive over it. */
  penetrability: number
  /** Factor on the energy per metre of robots that drive over it. */
  energy: number
  /** Robot types that can pass, although others may not. */
  passes: string[]
  /** True if it was added during the run. */
  added: boolean
  jammer: { on: boolean; power: number } | null
  stocks: Stocks
}

/** The run as a whole, about ten times per second while something changes. */
export type Status = {
  type: 'status'
  playing: boolean
  /** Multiple of real time; null: as fast as possible. */
  speed: number | null
  time: number
  tick: number
  /** How far this branch has been computed; beyond `time` after a rewind. */
  end: number
  end_tick: number
  /** Simulated seconds per second, measured over the last second. */
  factor: number
  /** Wall time spent playing. */
  wall: number
  /** The current activity of the server, such as "going back"; null if it is idle. */
  busy: string | null
  lanes: LaneStatus[]
  branches: Branch[]
  branch: number
  questions: Question[]
  snapshots: { count: number; bytes: number; bound: number }
  /** Number of commands executed so far, of all viewers. */
  orders: number
  viewers: number
}

export type LaneStatus = {
  epoch: number
  coordinator: string
  progress: number
  completed: boolean
  /** The mission is completed or time is up. */
  finished: boolean
  sent: number
  delivered: number
  lost: number
  /** What the operator wants differently than at the start: [task, open, weight]. */
  operator: [number, boolean, number][]
  /** Only when finished. */
  result_hash: string | null
}

/** Branch 0 is the first run. */
export type Branch = { id: number; parent: number | null; from: number; end: number; title: string }

/** The deeds in this branch, from this index of the list on; earlier data from there on is no longer valid. */
export type Deeds = { type: 'deeds'; from: number; list: Deed[] }

/** A manual action. `text` is for people, `entry` is as in a scenario's `disturbances`. */
export type Deed = { number: number; at: number; text: string; entry: unknown }

export type Question = { lane: number; robot: number; number: number; text: string; choices: string[]; asked: number }

/** New events; `from` is the index of the first one in the list of all. */
export type Events = { type: 'events'; lane: number; epoch: number; from: number; list: SentEvent[] }

export type LogEvent = {
  t: number
  robot: number | null
  kind: EventKind
  /** The event as a sentence, for people only. */
  why: string
  behaviour: number | null
  task: number | null
  /** The piece of the task; 0 if it is not divided. */
  subject: number
  other: number | null
  /** The name of the area, object or person concerned. */
  thing: string | null
  place: Point | null
  /** All bids of an auction: [robot, task or part of it, reward, won]. */
  bids: [number, number, number | null, boolean][]
  /** Named numbers, possibly of another robot: [name, robot, value]. */
  terms: [string, number | null, number | null][]
  /** What a disturbance did, whether it was planned for a fixed time, and its duration. */
  disturbance: { what: string; planned: boolean; lasts: number | null } | null
}

/** An event as it is sent: empty fields are left out. */
export type SentEvent = Pick<LogEvent, 't' | 'kind' | 'why'> & Partial<LogEvent>

/** New entries: who began what when ([time, robot, behaviour or -1]), and counts over time. */
export type History = {
  type: 'history'
  lane: number
  epoch: number
  shifts: [number, number, number][]
  /** [time, progress 0..1, sent, delivered, lost, measures of the mission in their order (null: undefined)...] */
  samples: (number | null)[][]
}

/** New rows of the gauges of the watched robot. If `fresh`, discard the earlier rows. */
export type Chart = {
  type: 'chart'
  lane: number
  epoch: number
  robot: number
  fresh: boolean
  /** [time, level per behaviour (null: none)] */
  rows: [number, ...(number | null)[]][]
}

/** Everything about the watched robot, up to ten times per second. */
export type Detail = {
  type: 'detail'
  lane: number
  epoch: number
  tick: number
  robot: number
  x: number
  y: number
  heading: number
  /** Unknown at first. */
  speed: number | null
  behaviour: number | null
  /** Its activity as text. */
  state: string
  holding: string | null
  /** Remaining share, null if it has no battery. */
  battery: number | null
  /** The time shown by its clock. */
  clock: number
  faults: string[]
  taken_over: boolean
  percept: { sensor: string; at: number; text: string }[]
  radio: { name: string; value: string }[]
  messages: { t: number; out: boolean; with: string; kind: string; bytes: number; fate: string }[]
  /** The last event that explains its current activity. */
  why: SentEvent | null
  gauges: { behaviour: number; level: number; state: string }[]
  /** Beams of range sensors: from x, y in direction `angle` (world) over `length`; `hit` if it hit something. */
  rays: { x: number; y: number; angle: number; length: number; hit: boolean }[]
  plan: Point[]
  /** Its marks on the requested layers of the mission. */
  sketches: Sketch[]
  /** The cost field of its steering, row by row from the lower left; null is blocked. World-aligned. */
  field: { origin: Point; columns: number; rows: number; cell: number; costs: (number | null)[] } | null
}

/** The requested layers, a few times per second. Layers that nobody requested are null. */
export type Overlay = {
  type: 'overlay'
  lane: number
  epoch: number
  /** [from, to, quality 0..1]; `left_out` is the number of further links. */
  links: [number, number, number][] | null
  left_out: number
  plans: { robot: number; points: Point[] }[] | null
  rays: { robot: number; rays: Detail['rays'] }[] | null
  stacks: Stack[] | null
  /** The marks of robots on the requested layers of the mission. */
  sketches: Sketch[]
  noise: { origin: Point; columns: number; rows: number; cell: number; dbm: number[] } | null
}

export type Answer =
  | { type: 'answer'; id: number; ok: true; result?: unknown }
  | { type: 'answer'; id: number; ok: false; error: string }

export type FromServer = Deeds | Hello | Scene | Things | Status | Events | History | Chart | Detail | Overlay | Answer

/** A layer of the mission is requested by its index in the scene's list. */
export type Layer = 'links' | 'plans' | 'rays' | 'noise' | 'field' | 'stacks' | { sketch: number }

export type Command =
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'step'; ticks?: number }
  | { do: 'speed'; factor: number | null }
  | { do: 'restart'; seed?: number; coordinator?: string }
  /** Shows the run at this time; the run itself is not changed. */
  | { do: 'seek'; time: number }
  /** Goes to the end of another branch. */
  | { do: 'branch'; branch: number }
  /** Triggers a disturbance now: an entry of a scenario's `disturbances` without `at`, such as {stop: "blue"}. Values
   *  may have units. After a rewind this begins a new branch. Result: {text}. */
  | { do: 'disturb'; entry: Record<string, unknown>; lane?: number }
  /** A robot like robot number `like` joins at a place. */
  | { do: 'add-robot'; like: number; place: Point }
  /** A second lane with another coordinator on the same seed, with the same deeds; null ends it. */
  | { do: 'compare'; coordinator: string | null }
  /** What this viewer watches. */
  | { do: 'watch'; lane: number; robot: number | null; layers: Layer[] }
  /** Returns a scenario that repeats the run up to the time shown. Result: Saved. */
  | { do: 'save'; lane?: number }
  /** Opens a run of the shelf instead of this one, for all viewers: deeds, branches and a comparison are discarded. If it
   *  cannot be loaded, nothing changes. */
  | { do: 'open'; key: string }
  /** Writes the run up to the time shown with all tables and its report. Result: {folder, report: address}. */
  | { do: 'export'; lane?: number }

export type Saved = { name: string; text: string; result_hash: string }
