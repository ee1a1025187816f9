//! A robot of a swarm behind the interface that coordinators use.

use super::SwarmBriefing;
use super::desire::Desire;
use super::fleet::Fleet;
use super::guide::{Guidance, Guide};
use super::objective::{ALL, Objective, Wanted};
use super::obstacles::Obstacles;
use super::talk::{CELLS, KNOTS, Plan, Talk};
use super::trace::Trace;
use crate::Navigator;
use crate::view::pose;
use crewlab_control::planning::costs::Knot;
use crewlab_control::planning::{CostSet, Horizon};
use crewlab_control::{AnyController, Considered, CostField, Wish};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Body, Choice, Command, Constraint, Controller, Duty, Event, EventKind,
    Identity, Mark, Message, Output, Percept, Performer, Scan, Situation, Skills, TaskId, Time,
};
use serde::{Deserialize, Serialize};

/// The task of guidance vehicles.
pub const GUIDE: TaskId = TaskId(3);
/// The capability that makes a robot a guidance vehicle.
const GUIDANCE: &str = "guidance";
/// Guidance vehicles repeat their order this often. [s]
const REPEAT: f64 = 2.0;
/// With more team-mates in range than this, robots speak less often, so that the channel bears all of them.
const CROWD: f64 = 20.0;
/// A robot that was heard within this time is in range. [s]
const IN_RANGE: f64 = 10.0;
/// Places are shown with what they cost this much later. [s]
const MOMENT: f32 = 1.0;
/// Largest number of cells in a row that are shown.
const MOST_CELLS: f64 = 200.0;
/// Points of its plan that are compared with the plans of others.
const SKETCHED: usize = 60;
/// A ray that is shorter than the range by this many standard deviations has met something.
const CERTAIN: f64 = 5.0;
/// The sensor that finds obstacles for the map.
const SURVEYOR: &str = "surveyor";

/// What a robot says that obeys a guidance vehicle.
const WHAT_IS_WANTED: &str = "a guidance vehicle has told what is wanted now";

/// The behaviour sets that robots can have; `guided` if there are guidance vehicles.
pub fn sets(guided: bool) -> Vec<BehaviourSpec> {
    let needs = || Constraint::all(&["drive", "position", "compass", "range-scanner"]);
    let guide = Constraint::all(&["drive", "position", "compass", GUIDANCE]);
    let set = |objective: Objective| {
        BehaviourSpec::new(objective.name(), objective.task()).action(objective.name(), needs())
    };
    let sets = ALL.into_iter().map(set);
    let guide = guided.then(|| BehaviourSpec::new("guide", GUIDE).action("drive", guide));
    sets.chain(guide).collect()
}

/// What a robot knows of the field and of the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Picture {
    fleet: Fleet,
    trace: Trace,
    obstacles: Obstacles,
}

impl Picture {
    /// What the robot wants at a pose, with these weights of the objectives.
    fn desire<'a>(
        &'a self,
        briefing: &'a SwarmBriefing,
        weights: [f64; 3],
        pose: &Pose,
        me: &Identity,
        now: Time,
    ) -> Desire<'a> {
        Desire {
            briefing,
            fleet: &self.fleet,
            trace: &self.trace,
            obstacles: &self.obstacles,
            weights,
            at: [pose.position.x as f32, pose.position.y as f32],
            speed: me.datasheet.max_speed,
            radius: me.datasheet.radius,
            now,
        }
    }
}

/// One robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwarmSkills {
    briefing: SwarmBriefing,
    navigator: Navigator,
    picture: Picture,
    wanted: Wanted,
    /// The weights of the objectives that it pursues.
    pursued: [f64; 3],
    /// The time of its last tick.
    now: Time,
    /// What it does if it is a guidance vehicle.
    guidance: Option<(Guidance, Guide)>,
    /// Where it has planned to be, when it last told the others. [m]
    course: Vec<Vec2>,
    told: Option<Time>,
    ordered: Option<Time>,
    /// Its last place and when it was there, for its velocity. [m]
    before: Option<(Vec2, Time)>,
}

impl SwarmSkills {
    pub(super) fn new(briefing: &SwarmBriefing, me: &Identity, controller: AnyController) -> SwarmSkills {
        let guidance = briefing.guides.get(&me.name).cloned().unwrap_or_default();
        let guides = me.datasheet.has(GUIDANCE);
        SwarmSkills {
            navigator: Navigator::new(controller, me),
            picture: Picture::default(),
            wanted: Wanted::default(),
            pursued: [0.0; 3],
            now: Time::ZERO,
            guidance: guides.then(|| (guidance, Guide::default())),
            course: Vec::new(),
            told: None,
            ordered: None,
            before: None,
            briefing: briefing.clone(),
        }
    }

    /// The plan and the cheapest other trajectory that the robot has considered, by its own pose.
    pub(crate) fn considered(&self, me: &Identity, pose: &Pose) -> Vec<Considered> {
        let desire = self.picture.desire(&self.briefing, self.pursued, pose, me, self.now);
        self.navigator.any_controller().considered(&desire, pose, self.now)
    }

    /// What places cost the robot a moment from now, at cells around it. [m]
    pub(crate) fn cost_field(&self, me: &Identity, pose: &Pose, cell: f64, half: f64) -> CostField {
        let desire = self.picture.desire(&self.briefing, self.pursued, pose, me, self.now);
        // What acts on the cells, however fast the robot could get there.
        let speed = f64::max(desire.speed, 2.0 * half / f64::from(MOMENT));
        let desire = Desire { speed, ..desire };
        let mut costs = CostSet::default();
        desire.costs(&Horizon::equidistant(1, MOMENT), &mut costs);
        let side = (2.0 * half / cell).round().clamp(1.0, MOST_CELLS);
        let mut field = CostField { cell, side: side as usize, heading: pose.heading, costs: Vec::new() };
        for index in 0..field.side * field.side {
            let place = pose.position + field.place(index % field.side, index / field.side);
            field.costs.push(f64::from(costs.at(0, place.x as f32, place.y as f32)));
        }
        field
    }

    /// Reads the others' messages.
    fn listen(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.wanted.listen(situation, inbox);
        for message in inbox {
            let Body::Knowledge(bytes) = &message.body else { continue };
            match Talk::decode(bytes) {
                Some(Talk::Plan(plan)) => {
                    self.picture.fleet.hear(message.from, message.lamport, situation.now, &plan);
                }
                Some(Talk::Order(weights)) if self.wanted.obey(weights, message.lamport) => {
                    let event = Event::new(EventKind::Ordered).saying(WHAT_IS_WANTED).by(message.from);
                    let named = ALL.into_iter().zip(self.wanted.all());
                    let weigh = |event: Event, (objective, weight): (Objective, f64)| {
                        event.with(objective.name(), weight)
                    };
                    out.explain(named.fold(event, weigh));
                }
                Some(Talk::Obstacles(cells)) => {
                    for cell in cells {
                        self.picture.obstacles.learn(cell, self.briefing.cell, situation.now);
                    }
                }
                Some(Talk::Order(_)) | None => {}
            }
        }
    }

    /// Remembers what stands in the field.
    fn look(&mut self, pose: &Pose, situation: &Situation) {
        let (sheet, percept) = (&situation.me.datasheet, situation.percept);
        let Some(surveyor) = sheet.sensor(SURVEYOR) else { return };
        let sensor = &sheet.sensors[usize::from(surveyor.0)];
        // Noise shortens rays that meet nothing, too.
        let noise = sensor.absolute_noise + sensor.relative_noise * sensor.range;
        let reach = sensor.range - CERTAIN * noise;
        let scan = Scan { reach, ..Scan::of(sensor, percept.ranges(surveyor)) };
        let facing = Vec2::unit(pose.heading);
        for point in scan.points(sheet.radius) {
            self.picture.obstacles.see(
                pose.position + point.rotated(facing),
                self.briefing.cell,
                situation.now,
            );
        }
        self.picture.obstacles.expire(situation.now);
    }

    /// The time between two messages about its plan: longer where many robots share the channel. [s]
    fn interval(&self, now: Time) -> f64 {
        let heard = self.picture.fleet.mates().iter().filter(|mate| now.within(mate.heard, IN_RANGE)).count();
        self.briefing.tell_every * (heard as f64 / CROWD).max(1.0)
    }

    /// Tells the others where it is and will be, and what it has found.
    fn tell(&mut self, pose: &Pose, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        if self.told.is_some_and(|told| now.within(told, self.interval(now))) {
            return;
        }
        self.told = Some(now);
        let velocity = self.velocity(pose.position, now);
        let mut knots: Vec<Knot> = Vec::new();
        self.navigator.trajectory(situation, KNOTS, &mut knots);
        self.course.clear();
        self.course.extend(knots.iter().map(|knot| vec2(knot.place[0].into(), knot.place[1].into())));
        let at = [pose.position.x as f32, pose.position.y as f32];
        let tenths = |metres: f32| (metres * 10.0).round() as i16;
        let knot = |knot: &Knot| {
            let way = [0, 1].map(|d| tenths(knot.place[d] - at[d]));
            ((knot.time * 10.0).round() as u16, way)
        };
        let knots = knots.iter().map(knot).collect();
        let plan = Plan { at, velocity, guides: self.guidance.is_some(), knots };
        out.say(Body::Knowledge(Talk::Plan(plan).encode()));
        let news = self.picture.obstacles.news(now, CELLS);
        if !news.is_empty() {
            out.say(Body::Knowledge(Talk::Obstacles(news).encode()));
        }
    }

    /// The mean velocity since it last told the others. [m/s]
    fn velocity(&mut self, at: Vec2, now: Time) -> [f32; 2] {
        let before = self.before.replace((at, now)).filter(|(_, then)| *then < now);
        before.map_or([0.0; 2], |(place, then)| {
            let velocity = (at - place) * (1.0 / now.since(then));
            [velocity.x as f32, velocity.y as f32]
        })
    }

    /// A guidance vehicle repeats what is wanted.
    fn order(&mut self, situation: &Situation, out: &mut Output) {
        let Some((guidance, _)) = &self.guidance else { return };
        let Some(weights) = Guide::order(guidance, situation.now.since(Time::ZERO)) else { return };
        if self.ordered.is_none_or(|ordered| !situation.now.within(ordered, REPEAT)) {
            self.ordered = Some(situation.now);
            out.say(Body::Knowledge(Talk::Order(weights).encode()));
        }
    }
}

impl Skills for SwarmSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        let task = situation.me.behaviour(behaviour).task;
        let wanted = |objective: Objective| self.wanted.weight(objective) > 0.0;
        let objective = ALL.into_iter().find(|objective| objective.task() == task);
        match objective {
            None => true,
            Some(Objective::Escort) => {
                wanted(Objective::Escort) && self.picture.fleet.mates().iter().any(|mate| mate.guides)
            }
            Some(objective) => wanted(objective),
        }
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        let task = situation.me.behaviour(choice.behaviour).task;
        let guide = || self.picture.fleet.mates().iter().find(|mate| mate.guides);
        match (task == Objective::Escort.task(), guide()) {
            (true, Some(guide)) => {
                let [x, y] = guide.place(situation.now);
                self.navigator.time_to(vec2(x.into(), y.into()), situation)
            }
            _ => 0.0,
        }
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        match self.course.is_empty() {
            true => self.navigator.course(points),
            false => points.extend(&self.course),
        }
    }

    fn sketch(&self, layer: usize, me: &Identity, percept: &Percept, marks: &mut Vec<Mark>) {
        // Guidance vehicles pursue nothing.
        let Some(pose) = pose(me, percept).filter(|_| self.guidance.is_none()) else { return };
        let mut plan = Vec::new();
        self.navigator.any_controller().trajectory(&pose, self.now, SKETCHED, &mut plan);
        let desire = self.picture.desire(&self.briefing, self.pursued, &pose, me, self.now);
        desire.sketch(layer, &plan, marks);
    }
}

impl Performer for SwarmSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.now = situation.now;
        self.navigator.begin(situation, inbox, out);
        self.listen(situation, inbox, out);
        let Some(pose) = self.navigator.pose(situation) else { return };
        let (every, marks) = (self.briefing.strengths.mark_every, self.briefing.strengths.marks);
        let lasts = every * marks as f64;
        self.picture.fleet.note_traces(situation.now, every, marks, lasts);
        if self.wanted.weight(Objective::Connect) > 0.0 {
            self.picture.fleet.sound(situation.radio, situation.now, self.briefing.strengths.range);
        }
        if self.guidance.is_none() {
            self.look(&pose, situation);
            let at = [pose.position.x as f32, pose.position.y as f32];
            self.picture.trace.note(at, situation.now, every, marks);
        }
        self.order(situation, out);
        self.tell(&pose, situation, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        if let Some((guidance, guide)) = &mut self.guidance {
            return guide.act(guidance, &mut self.navigator, situation, out);
        }
        let (Some(choice), Some(pose)) = (duty.choice, self.navigator.pose(situation)) else {
            return self.navigator.stop();
        };
        let chosen = situation.me.behaviour(choice.behaviour).task;
        self.pursued = ALL.map(|objective| match self.briefing.combine || objective.task() == chosen {
            true => self.wanted.weight(objective),
            false => 0.0,
        });
        let desire = self.picture.desire(&self.briefing, self.pursued, &pose, situation.me, situation.now);
        self.navigator.pursue(&desire, situation, out)
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.navigator.controller())
    }
}
