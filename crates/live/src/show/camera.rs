//! Creates views of a run for viewers, as often as they need them and no more often.

use super::marks::{
    ITEM_GIVEN, ITEM_PRESENT, ItemMark, ROBOT_DOWN, ROBOT_FAULTY, ROBOT_HOLDING, ROBOT_PRESENT,
    ROBOT_STOPPED, ROBOT_TAKEN_OVER, RobotMark,
};
use super::{History, LaneView, detail, overlay, scene, things};
use crate::studio::Want;
use crate::wire::Layer;
use crewlab_lab::sim::faults::Fault;
use crewlab_lab::sim::onboard::RobotId;
use crewlab_lab::sim::onboard::Vec2;
use crewlab_lab::sim::radio::Fate;
use crewlab_lab::sim::{Simulation, State, world};
use crewlab_scenario::Scenario;
use std::collections::{BTreeMap, VecDeque};
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Interval between two frames.
const FRAME: Duration = Duration::from_nanos(33_333_333);
/// Interval between two details of a robot.
const DETAIL: Duration = Duration::from_millis(100);
/// Interval between two overlays.
const OVERLAY: Duration = Duration::from_millis(200);

/// A run to show.
pub(crate) struct Subject<'a> {
    /// Its lane.
    pub lane: usize,
    /// Its number for viewers.
    pub epoch: u64,
    /// The scenario it follows.
    pub scenario: &'a Scenario,
    /// The key under which it is on the shelf, if it is.
    pub key: Option<&'a str>,
    /// The run.
    pub simulation: &'a Simulation,
    /// Its history.
    pub history: &'a Arc<Mutex<History>>,
    /// The fates of the latest messages of watched robots.
    pub mail: &'a VecDeque<Fate>,
}

/// The cached messages of one lane.
struct Kept {
    epoch: u64,
    scene: Arc<str>,
    things: Arc<str>,
    seen: things::Seen,
    kinds: Vec<Arc<str>>,
    /// The coordinator named in the scene.
    coordinator: String,
    /// The layers of the cached overlay.
    layers: Vec<Layer>,
    overlay: Option<Arc<str>>,
    /// When it was made, and at which tick.
    overlaid: Option<(Instant, u64)>,
    /// True if something has changed but it is too early for an update.
    behind: bool,
    details: BTreeMap<RobotId, Look>,
}

/// The detail of a robot.
struct Look {
    at: Instant,
    tick: u64,
    place: Vec2,
    text: Arc<str>,
}

/// Creates views.
#[derive(Default)]
pub(crate) struct Camera {
    last: Option<Instant>,
    lanes: Vec<Option<Kept>>,
}

impl Camera {
    /// True if a view is due.
    pub(crate) fn due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= FRAME)
    }

    /// True if the last view left something out because it was too early for an update.
    pub(crate) fn behind(&self) -> bool {
        self.lanes.iter().flatten().any(|kept| kept.behind)
    }

    /// Starts a view of the given number of lanes.
    pub(crate) fn begin(&mut self, lanes: usize) {
        // Counted from the due time, so that one delay does not postpone all following views.
        let now = Instant::now();
        self.last = Some(self.last.map_or(now, |last| (last + FRAME).max(now - FRAME)));
        self.lanes.resize_with(lanes, || None);
    }

    /// The view of one lane, with the requested details and layers.
    pub(crate) fn shoot(&mut self, subject: &Subject, wants: &[Want]) -> LaneView {
        let state = &subject.simulation.state;
        let kept = match &mut self.lanes[subject.lane] {
            Some(kept) if kept.epoch == subject.epoch => kept,
            slot => slot.insert(Kept::new(subject)),
        };
        if kept.seen.changed(&state.world) {
            kept.things = things::text(subject).into();
        }
        let known = kept.kinds.len();
        learn_kinds(&mut kept.kinds, &state.world.items);
        let coordinator = state.coordinator(&subject.simulation.model);
        if kept.kinds.len() > known || kept.coordinator != coordinator {
            kept.coordinator = coordinator.to_string();
            kept.scene = scene::text(subject, &kept.kinds).into();
        }
        kept.look_into(subject, wants);
        let robots = subject.simulation.model.robots();
        let kind = |item: &world::Item| kept.kinds.iter().position(|kind| *kind == item.kind).unwrap_or(0);
        LaneView {
            epoch: subject.epoch,
            tick: state.tick,
            robots: robots.map(|robot| robot_mark(state, robot)).collect(),
            items: state.world.items.iter().map(|item| item_mark(item, kind(item))).collect(),
            scene: kept.scene.clone(),
            things: kept.things.clone(),
            overlay: kept.overlay.clone(),
            details: kept.details.iter().map(|(robot, look)| (*robot, look.text.clone())).collect(),
            history: subject.history.clone(),
        }
    }
}

impl Kept {
    fn new(subject: &Subject) -> Kept {
        let mut kinds: Vec<Arc<str>> = Vec::new();
        learn_kinds(&mut kinds, &subject.simulation.state.world.items);
        for kind in subject.simulation.model.mission.items() {
            if !kinds.iter().any(|known| **known == **kind) {
                kinds.push((*kind).into());
            }
        }
        let mut seen = things::Seen::default();
        seen.changed(&subject.simulation.state.world);
        Kept {
            epoch: subject.epoch,
            scene: scene::text(subject, &kinds).into(),
            things: things::text(subject).into(),
            seen,
            kinds,
            coordinator: subject.simulation.state.coordinator(&subject.simulation.model).to_string(),
            layers: Vec::new(),
            overlay: None,
            overlaid: None,
            behind: false,
            details: BTreeMap::new(),
        }
    }

    /// Updates the details of watched robots, and the requested layers.
    fn look_into(&mut self, subject: &Subject, wants: &[Want]) {
        let (now, tick) = (Instant::now(), subject.simulation.state.tick);
        self.behind = false;
        let mine = || wants.iter().filter(|want| want.lane == subject.lane);
        let mut layers: Vec<Layer> = wants.iter().flat_map(|want| want.layers.iter().copied()).collect();
        layers.sort_unstable();
        layers.dedup();
        if self.layers != layers {
            // A paused run must show them too, but no more often than that.
            self.details.values_mut().for_each(|look| look.tick = u64::MAX);
            self.overlaid = self.overlaid.map(|(at, _)| (at, u64::MAX));
            self.layers.clone_from(&layers);
        }
        self.details.retain(|robot, _| mine().any(|want| want.robot == Some(*robot)));
        let team = subject.simulation.model.team.len();
        for robot in mine().filter_map(|want| want.robot).filter(|robot| robot.index() < team) {
            let last = self.details.get(&robot);
            if last.is_some_and(|last| last.tick == tick) {
                continue;
            }
            if last.is_some_and(|last| now - last.at < DETAIL) {
                self.behind = true;
                continue;
            }
            let place = subject.simulation.state.world.bodies[robot].pose.position;
            let speed = last.filter(|last| last.tick < tick).map(|last| {
                place.distance(last.place) / ((tick - last.tick) as f64 * subject.simulation.model.dt())
            });
            let text = detail::text(subject, robot, &layers, speed).into();
            self.details.insert(robot, Look { at: now, tick, place, text });
        }
        if !overlay::wanted(&layers) {
            (self.overlay, self.overlaid) = (None, None);
        } else if self.overlaid.is_none_or(|(at, of)| of != tick && now - at >= OVERLAY) {
            let text = overlay::text(subject, &layers);
            if self.overlay.as_deref() != Some(&*text) {
                self.overlay = Some(text.into());
            }
            self.overlaid = Some((now, tick));
        } else if self.overlaid.is_some_and(|(_, of)| of != tick) {
            self.behind = true;
        }
    }
}

/// Adds new kinds of items.
fn learn_kinds(kinds: &mut Vec<Arc<str>>, items: &[world::Item]) {
    for item in items {
        if !kinds.contains(&item.kind) {
            kinds.push(item.kind.clone());
        }
    }
}

/// Metres as whole millimetres.
fn millimetres(metres: f64) -> i32 {
    (metres * 1e3).round() as i32
}

fn robot_mark(state: &State, id: RobotId) -> RobotMark {
    let (body, robot) = (&state.world.bodies[id], &state.robots[id]);
    let flag = |there: bool, flag: u8| if there { flag } else { 0 };
    RobotMark {
        x: millimetres(body.pose.position.x),
        y: millimetres(body.pose.position.y),
        heading: (body.pose.heading.rem_euclid(TAU) / TAU * 4096.0).round() as u16 % 4096,
        work: state.active(id).map_or(0, |choice| u16::from(choice.behaviour.0) + 1),
        flags: flag(body.present, ROBOT_PRESENT)
            | flag(body.down(), ROBOT_DOWN)
            | flag(body.holding.is_some(), ROBOT_HOLDING)
            | flag(detail::taken_over(robot), ROBOT_TAKEN_OVER)
            | flag(robot.faults.iter().any(|fault| !matches!(fault, Fault::Hand { .. })), ROBOT_FAULTY)
            | flag(robot.percept.stopped && !detail::taken_over(robot), ROBOT_STOPPED),
        energy: body.energy().map_or(255, |share| (share * 200.0).round() as u8),
    }
}

fn item_mark(item: &world::Item, kind: usize) -> ItemMark {
    let flag = |there: bool, flag: u8| if there { flag } else { 0 };
    let (x, y) = match item.holder {
        // It is at its holder's place, which viewers know.
        Some(_) => (0, 0),
        None => (millimetres(item.position.x), millimetres(item.position.y)),
    };
    ItemMark {
        x,
        y,
        flags: flag(item.present, ITEM_PRESENT) | flag(item.keeper.is_some(), ITEM_GIVEN),
        kind: kind as u16,
        holder: item.holder.map_or(0, |holder| holder.0 + 1),
    }
}
