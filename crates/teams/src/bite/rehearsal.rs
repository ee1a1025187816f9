//! Rehearsals: teams without a world, in which everything goes wrong that can, to see whether the engine keeps its promises. Robots
//! are scripts; messages are bytes that are lost, late, doubled or cut off; robots stop, and start again without memory; clocks drift
//! and are set back.

use super::council::Member;
use super::graph::{Ends, Graph, Node, NodeId, Work};
use super::organisation::Organisation;
use super::plan::{Plan, Points};
use super::protocols::{Own, ProtocolId};
use super::talk::{BiteMessage, Offer, Talk};
use super::team::Frame;
use super::teamwork::{End, Local, Pace, Teamwork};
use crewlab_onboard::{Message, RobotId, Stream, StreamKind, Time};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Length of a step. [s]
const STEP: f64 = 0.1;

/// The engine's pace in rehearsals.
pub const PACE: Pace = Pace { status: 0.5, silence: 3.0, retry: 0.3, collect: 0.5, answer: 2.0 };

/// How long a team must still go on with a plan without an end. [s]
const ENOUGH: f64 = 60.0;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trouble {
    /// The share of messages that is lost, for each receiver.
    pub loss: f64,
    /// Robots that stop for good.
    pub crashes: usize,
    /// Restarts without memory.
    pub restarts: usize,
    /// Times at which the network is split in two, for a while.
    pub partitions: usize,
    /// True if clocks run at half to double speed and are set back.
    pub clocks: bool,
    /// Trouble is over after this. [s]
    pub until: f64,
}

impl Trouble {
    /// Everything at once, as far as the seed says.
    pub fn drawn(random: &mut Stream, robots: usize) -> Trouble {
        Trouble {
            loss: [0.0, 0.1, 0.3, 0.3][random.below(4)],
            crashes: random.below(robots.div_ceil(2)),
            restarts: random.below(4),
            partitions: random.below(4),
            clocks: random.chance(0.5),
            until: 40.0,
        }
    }
}

/// How a rehearsal went.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rehearsed {
    /// Number of robots.
    pub robots: usize,
    /// Decisions that the team has recorded.
    pub decisions: u32,
    /// True if the plan came to its end, or if it is one that goes round in circles and the whole team still followed it
    /// [`ENOUGH`] after the trouble.
    pub ended: bool,
    /// Why it did not, if what is left of the team cannot decide: fewer than half of the last view remember.
    pub stranded: bool,
    /// Places in the record about which robots differ.
    pub disagreements: u32,
    /// Times at which robots of one group went different ways, by protocols that do not communicate.
    pub splits: u32,
    /// Robots that went on longer than they may after they had lost the others.
    pub overstayed: u32,
    /// How long it took. [s]
    pub seconds: f64,
    /// What went wrong.
    pub words: String,
}

impl Rehearsed {
    /// True if the engine has kept its promises.
    pub fn is_kept(&self) -> bool {
        self.disagreements == 0 && self.overstayed == 0 && (self.ended || self.stranded)
    }
}

/// Protocols that communicate, for each kind of point, and those that need nothing but agreed data.
const DECIDING: [&str; 9] =
    ["voting", "bidding", "leader", "elected", "mean-mod", "by-id", "by-resource", "by-count", "sf4"];
const ALLOCATING: [&str; 3] = ["bidding", "by-id", "sf6"];

/// The plan of the thesis' example: stand up, search two colours, walk in three roles, then search again or end. Protocols by chance.
pub fn example(random: &mut Stream, own_data: bool) -> Plan {
    let named = |name: &str| Node {
        name: name.into(),
        work: Work::None,
        children: Vec::new(),
        next: Vec::new(),
        when: None,
        until: None,
        needs: Vec::new(),
        ends: Ends::All,
        again: false,
        by: None,
    };
    let names = ["stand-up", "search", "search-blue", "search-pink", "walk", "lead", "right", "left", "end"];
    let mut nodes: Vec<Node> = names.iter().map(|name| named(name)).collect();
    let link = |ids: &[u16]| ids.iter().map(|id| NodeId(*id)).collect::<Vec<_>>();
    nodes[0].next = link(&[1]);
    (nodes[1].children, nodes[1].next) = (link(&[2, 3]), link(&[4]));
    (nodes[4].children, nodes[4].next) = (link(&[5, 6, 7]), link(&[8, 1]));
    nodes[4].ends = Ends::Any;
    let graph = Graph { nodes, root: NodeId(0), version: 7 };
    // An unknown name cannot be in these lists.
    let pick = |names: &[&str], random: &mut Stream| {
        ProtocolId::find(names[random.below(names.len())]).unwrap_or(ProtocolId(0))
    };
    let (deciding, allocating): (&[&str], &[&str]) =
        if own_data { (&["sf1", "sf7"], &["sf2"]) } else { (&DECIDING, &ALLOCATING) };
    let decide = pick(deciding, random);
    let points = graph.nodes.iter().map(|node| Points {
        decide,
        allocate: pick(allocating, random),
        terminate: ProtocolId::find(if node.ends == Ends::Any { "any-ends-all" } else { "wait-all" })
            .unwrap_or(ProtocolId(0)),
    });
    let points = points.collect();
    Plan { graph, organisation: Organisation::default(), points, robots: Vec::new(), repeats: 3, own_data }
}

/// A robot that follows a script: everything that it is asked is drawn.
struct Script {
    seed: u64,
    me: RobotId,
    random: Stream,
    asked: u32,
}

impl Script {
    fn drawn(&self, a: u32, b: u32) -> f64 {
        let number = (self.me.index() as u32) << 20 | a << 8 | b;
        Stream::new(self.seed, StreamKind::World, number, 7).unit()
    }
}

impl Own for Script {
    fn cost(&mut self, _: NodeId) -> Option<f64> {
        let drawn = self.random.unit();
        (drawn > 0.05).then_some(10.0 * drawn)
    }

    fn cost_again(&mut self, _: NodeId) -> Option<f64> {
        None
    }

    fn signal(&mut self, _: &str) -> Option<f64> {
        Some(self.drawn(0, 2))
    }

    fn random(&mut self) -> &mut Stream {
        &mut self.random
    }
}

impl Local for Script {
    fn end(&mut self, frame: &Frame, leaf: bool, elapsed: f64, _: u16) -> Option<End> {
        // Some cannot begin what they get: some never, some for a while.
        let drawn = self.drawn(frame.id, 4);
        let stuck = drawn < 0.05 || (drawn < 0.1 && elapsed < 2.0);
        let long_enough = elapsed > 0.3 + 4.0 * self.drawn(frame.id, 3);
        match leaf {
            true if stuck => (elapsed > 0.0).then_some(End::Unable),
            _ => (leaf && long_enough).then_some(End::Done),
        }
    }

    fn enables(&mut self, _: NodeId, _: u16) -> bool {
        true
    }

    fn offers(&mut self, _: &Frame, _: &mut Vec<Offer>) {}

    fn is_taken(&self) -> bool {
        false
    }

    fn ask(&mut self, _: &str, _: &[&str]) -> u32 {
        self.asked += 1;
        self.asked
    }

    fn withdraw(&mut self, _: u32) {}
}

struct Actor {
    engine: Option<Teamwork>,
    script: Script,
    rate: f64,
    offset: f64,
    alone_since: Option<f64>,
}

/// A team in rehearsal.
struct Stage {
    seed: u64,
    random: Stream,
    plan: Arc<Plan>,
    roster: Vec<RobotId>,
    actors: Vec<Actor>,
    /// Messages under way: when they arrive, to whom, from whom, and their bytes.
    air: Vec<(u64, usize, usize, Arc<Vec<u8>>)>,
    side: Vec<bool>,
    known: BTreeMap<u32, u64>,
    slots: Vec<u32>,
    result: Rehearsed,
}

/// Runs one rehearsal. The same seed gives the same result.
pub fn rehearse(seed: u64, robots: usize, trouble: Option<Trouble>, own_data: bool, limit: f64) -> Rehearsed {
    let mut random = Stream::new(seed, StreamKind::World, 0, 0);
    let trouble = trouble.unwrap_or_else(|| Trouble::drawn(&mut random, robots));
    let plan = Arc::new(example(&mut random, own_data));
    let roster: Vec<RobotId> = RobotId::team(robots).collect();
    let actor = |robot: &RobotId, random: &mut Stream| {
        let script = Script {
            seed,
            me: *robot,
            random: Stream::new(seed, StreamKind::Decisions, robot.index() as u32, 0),
            asked: 0,
        };
        let rate = if trouble.clocks { random.between(0.5, 2.0) } else { 1.0 };
        let me = Member { robot: *robot, life: 0 };
        Actor {
            engine: Some(Teamwork::new(me, &roster, plan.clone(), PACE)),
            script,
            rate,
            offset: 0.0,
            alone_since: None,
        }
    };
    let actors: Vec<Actor> = roster.iter().map(|robot| actor(robot, &mut random)).collect();
    let mut stage = Stage {
        seed,
        random,
        plan,
        roster: roster.clone(),
        actors,
        air: Vec::new(),
        side: vec![false; robots],
        known: BTreeMap::new(),
        slots: vec![0; robots],
        result: Rehearsed { robots, ..Rehearsed::default() },
    };
    stage.run(&trouble, limit);
    stage.result
}

impl Stage {
    fn run(&mut self, trouble: &Trouble, limit: f64) {
        let steps = (limit / STEP) as u64;
        let when = |random: &mut Stream| (random.between(0.0, trouble.until) / STEP) as u64;
        let mut crashes: Vec<u64> = (0..trouble.crashes).map(|_| when(&mut self.random)).collect();
        let mut restarts: Vec<u64> = (0..trouble.restarts).map(|_| when(&mut self.random)).collect();
        let mut partitions: Vec<(u64, u64)> = (0..trouble.partitions)
            .map(|_| (when(&mut self.random), 1 + (self.random.between(1.0, 12.0) / STEP) as u64))
            .collect();
        let (mut healed, mut before) = (0, Vec::new());
        for step in 0..steps {
            let time = step as f64 * STEP;
            if let Some(place) = crashes.iter().position(|at| *at == step) {
                crashes.remove(place);
                let victim = self.random.below(self.actors.len());
                self.actors[victim].engine = None;
            }
            if let Some(place) = restarts.iter().position(|at| *at == step) {
                restarts.remove(place);
                self.restart();
            }
            if let Some(place) = partitions.iter().position(|(at, _)| *at == step) {
                let (_, length) = partitions.remove(place);
                healed = step + length;
                self.side = (0..self.actors.len()).map(|_| self.random.chance(0.5)).collect();
                // Whoever was heard on the side before counts for a while.
                self.actors.iter_mut().for_each(|actor| actor.alone_since = None);
            }
            if step == healed {
                self.side.fill(false);
            }
            if trouble.clocks && time < trouble.until && self.random.chance(0.002) {
                let victim = self.random.below(self.actors.len());
                let back = self.random.between(0.0, 5.0);
                let actor = &mut self.actors[victim];
                actor.offset -= back.min(time * actor.rate + actor.offset);
                // What it heard before counts as heard now, so it waits anew.
                actor.alone_since = None;
            }
            let loss = if time < trouble.until { trouble.loss } else { 0.0 };
            self.step(step, loss);
            self.watch(time);
            if self.is_over() {
                self.result.ended = true;
                self.result.seconds = time;
                return;
            }
            let late = trouble.until + ENOUGH;
            if (time - (late - 20.0)).abs() < STEP / 2.0 {
                before = self.slots.clone();
            }
            if time >= late && self.goes_on(&before) {
                self.result.ended = true;
                self.result.seconds = time;
                return;
            }
            if time > trouble.until + 2.0 * PACE.silence && self.is_stranded() {
                self.result.stranded = true;
                self.result.seconds = time;
                return;
            }
        }
        self.result.seconds = limit;
        self.result.words += &self.describe();
    }

    fn restart(&mut self) {
        let place = self.random.below(self.actors.len());
        let life = 1 + self.random.bits() as u32 % (u32::MAX - 1);
        let actor = &mut self.actors[place];
        if actor.engine.is_some() {
            let me = Member { robot: self.roster[place], life };
            actor.engine = Some(Teamwork::new(me, &self.roster, self.plan.clone(), PACE));
            self.slots[place] = 0;
        }
    }

    fn step(&mut self, step: u64, loss: f64) {
        let due: Vec<_> = {
            let mut due = Vec::new();
            self.air.retain(|message| {
                let now = message.0 <= step;
                if now {
                    due.push(message.clone());
                }
                !now
            });
            due
        };
        for place in 0..self.actors.len() {
            let actor = &mut self.actors[place];
            let Some(engine) = &mut actor.engine else { continue };
            let now = Time::from_seconds((step as f64 * STEP * actor.rate + actor.offset).max(0.0));
            let mut say: Vec<Talk> = Vec::new();
            for (.., from, bytes) in due.iter().filter(|(_, to, ..)| *to == place) {
                let heard = Message::decode(bytes).and_then(|message| BiteMessage::of(&message.body));
                if let Some(message) = heard {
                    engine.hear(now, self.roster[*from], message, &mut say);
                }
            }
            actor.script.random = Stream::new(self.seed, StreamKind::Decisions, place as u32, step);
            engine.tick(now, &[], &mut actor.script, &mut say);
            engine.take_notices();
            let life = engine.council().me().life;
            for talk in say {
                let body = BiteMessage { plan: 7, life, talk }.body();
                let message = Message { from: self.roster[place], number: 0, lamport: 0, body };
                let bytes = Arc::new(message.encode());
                for to in (0..self.side.len()).filter(|to| *to != place) {
                    if self.side[to] == self.side[place] && !self.random.chance(loss) {
                        let delay =
                            1 + u64::from(self.random.chance(0.2)) + u64::from(self.random.chance(0.05));
                        self.air.push((step + delay, to, place, bytes.clone()));
                        if self.random.chance(0.02) {
                            self.air.push((step + delay + 3, to, place, bytes.clone()));
                        }
                    }
                }
            }
        }
    }

    /// Compares what robots know about the same place in the record.
    fn watch(&mut self, time: f64) {
        for place in 0..self.actors.len() {
            let sees = |other: usize| {
                other == place
                    || (self.side[other] == self.side[place] && self.actors[other].engine.is_some())
            };
            let Some(engine) = &self.actors[place].engine else { continue };
            let engine = engine.clone();
            let slot = engine.council().slot();
            if slot != self.slots[place] {
                self.slots[place] = slot;
                let bytes =
                    postcard::to_stdvec(&(engine.council().view(), engine.team())).unwrap_or_default();
                let digest = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                    (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
                });
                if *self.known.entry(slot).or_insert(digest) != digest {
                    self.result.disagreements += 1;
                }
                self.result.decisions = self.result.decisions.max(slot);
                self.result.splits = self.result.splits.max(engine.team().splits());
            }
            // A robot that cannot hear a quorum stops within the silence that it waits for, by its own clock.
            let view = engine.council().view();
            let hearing = view
                .is_quorum(|member| self.roster.iter().position(|r| *r == member.robot).is_some_and(sees));
            let (steady, rate) = (engine.is_steady(), self.actors[place].rate);
            let actor = &mut self.actors[place];
            if hearing || !steady {
                actor.alone_since = None;
            } else {
                let since = *actor.alone_since.get_or_insert(time);
                // Messages that are under way arrive within a second, and the view may change meanwhile.
                let bound = 2.0 * PACE.silence / rate + 2.0;
                if time - since > bound {
                    self.result.overstayed += 1;
                    self.result.words += &format!(
                        "{time:.1} s: robot {place} has heard too few since {since:.1} s, its clock at rate {rate:.2}, view {:?}\n",
                        engine
                            .council()
                            .view()
                            .0
                            .iter()
                            .map(|m| (m.robot.index(), m.life))
                            .collect::<Vec<_>>()
                    );
                    actor.alone_since = Some(time);
                }
            }
        }
    }

    /// True if all that are left have seen the end of the plan.
    fn is_over(&self) -> bool {
        let mut left = self.actors.iter().filter_map(|actor| actor.engine.as_ref()).peekable();
        left.peek().is_some()
            && left.all(|engine| engine.team().is_over() || !engine.council().is_member())
            && self.actors.iter().filter_map(|a| a.engine.as_ref()).any(|engine| engine.team().is_over())
    }

    /// True if all that are left belong to the team and know more of the record than before.
    fn goes_on(&self, before: &[u32]) -> bool {
        let left = self.actors.iter().zip(&self.slots).zip(before);
        let mut left = left
            .filter_map(|((actor, slot), before)| Some((actor.engine.as_ref()?, slot, before)))
            .peekable();
        left.peek().is_some()
            && left.all(|(engine, slot, before)| {
                engine.council().is_member() && engine.is_steady() && slot > before
            })
    }

    /// True if those who are left and remember are too few of the last view to decide anything, ever.
    fn is_stranded(&self) -> bool {
        let last =
            self.actors.iter().filter_map(|actor| actor.engine.as_ref()).max_by_key(|e| e.council().slot());
        last.is_none_or(|last| {
            let lives = |member: Member| {
                self.actors
                    .iter()
                    .filter_map(|a| a.engine.as_ref())
                    .any(|engine| engine.council().me() == member)
            };
            !last.council().view().is_quorum(lives)
        })
    }

    fn describe(&self) -> String {
        let one = |actor: &Actor| match &actor.engine {
            None => "stopped".to_string(),
            Some(engine) => {
                let council = engine.council();
                let stack: Vec<String> = engine
                    .team()
                    .stack(council.me().robot)
                    .map(|f| format!("{}#{}{:?}", engine.plan().graph.node(f.node).name, f.id, f.phase))
                    .collect();
                format!(
                    "slot {} view {:?} life {} leader {} promised {:?} leads {} steady {}: {}",
                    council.slot(),
                    council.view().0.iter().map(|m| (m.robot.index(), m.life)).collect::<Vec<_>>(),
                    council.me().life,
                    council.leader().robot,
                    council.promised().round,
                    council.leads(),
                    engine.is_steady(),
                    stack.join(" > ")
                )
            }
        };
        self.actors.iter().map(one).collect::<Vec<_>>().join("\n")
    }
}

/// A team whose robots all work on something that does not end: what the engine costs while nothing happens.
pub struct Idle {
    engines: Vec<Teamwork>,
    scripts: Vec<Lasting>,
    said: Vec<Vec<Vec<u8>>>,
    step: u64,
}

/// A robot whose work does not end.
struct Lasting(Stream);

impl Own for Lasting {
    fn cost(&mut self, _: NodeId) -> Option<f64> {
        Some(1.0)
    }

    fn cost_again(&mut self, _: NodeId) -> Option<f64> {
        None
    }

    fn signal(&mut self, _: &str) -> Option<f64> {
        None
    }

    fn random(&mut self) -> &mut Stream {
        &mut self.0
    }
}

impl Local for Lasting {
    fn end(&mut self, _: &Frame, _: bool, _: f64, _: u16) -> Option<End> {
        None
    }

    fn enables(&mut self, _: NodeId, _: u16) -> bool {
        true
    }

    fn offers(&mut self, _: &Frame, _: &mut Vec<Offer>) {}

    fn is_taken(&self) -> bool {
        false
    }

    fn ask(&mut self, _: &str, _: &[&str]) -> u32 {
        0
    }

    fn withdraw(&mut self, _: u32) {}
}

impl Idle {
    /// A team with a graph of this many behaviours: a root, and its children, which are allocated by number.
    pub fn new(nodes: usize, robots: usize) -> Idle {
        let child = |place: usize| Node {
            name: format!("behaviour-{place}"),
            work: Work::None,
            children: Vec::new(),
            next: Vec::new(),
            when: None,
            until: None,
            needs: Vec::new(),
            ends: Ends::All,
            again: false,
            by: None,
        };
        let mut all: Vec<Node> = (0..nodes.clamp(2, 1000)).map(child).collect();
        all[0].children = (1..all.len()).map(|place| NodeId(place as u16)).collect();
        let protocol = |name: &str| ProtocolId::find(name).unwrap_or(ProtocolId(0));
        let points = Points {
            decide: protocol("by-id"),
            allocate: protocol("by-id"),
            terminate: protocol("wait-all"),
        };
        let points = vec![points; all.len()];
        let graph = Graph { nodes: all, root: NodeId(0), version: 7 };
        let (organisation, names) = (Organisation::default(), Vec::new());
        let plan = Plan { graph, organisation, points, robots: names, repeats: 1, own_data: false };
        let plan = Arc::new(plan);
        let roster: Vec<RobotId> = RobotId::team(robots).collect();
        let engine =
            |robot: &RobotId| Teamwork::new(Member { robot: *robot, life: 0 }, &roster, plan.clone(), PACE);
        Idle {
            engines: roster.iter().map(engine).collect(),
            scripts: roster.iter().map(|_| Lasting(Stream::new(1, StreamKind::Decisions, 0, 0))).collect(),
            said: vec![Vec::new(); robots],
            step: 0,
        }
    }

    /// One tick of all robots. Everybody hears everybody.
    pub fn step(&mut self) {
        let now = Time::from_seconds(self.step as f64 * STEP);
        let heard = std::mem::replace(&mut self.said, vec![Vec::new(); self.engines.len()]);
        let mut say = Vec::new();
        for (place, (engine, script)) in self.engines.iter_mut().zip(&mut self.scripts).enumerate() {
            for (from, frames) in heard.iter().enumerate().filter(|(from, _)| *from != place) {
                for bytes in frames {
                    let message = Message::decode(bytes).and_then(|message| BiteMessage::of(&message.body));
                    if let Some(message) = message {
                        engine.hear(now, RobotId(from as u16), message, &mut say);
                    }
                }
            }
            engine.tick(now, &[], script, &mut say);
            engine.take_notices();
            for talk in say.drain(..) {
                let body = BiteMessage { plan: 7, life: 0, talk }.body();
                let message = Message { from: RobotId(place as u16), number: 0, lamport: 0, body };
                self.said[place].push(message.encode());
            }
        }
        self.step += 1;
    }
}
