//! The data of the figures: trails, tasks and levels over time, kept in memory during a run.

use super::air::AirTrace;
use super::indicators;
use super::localisation::Belief;
use super::report::story::Story;
use super::stacks::Stacks;
use crewlab_sim::onboard::IndicatorSpec;
use crewlab_sim::onboard::event::key;
use crewlab_sim::onboard::{BehaviourId, Coordinator, EventKind, Gauge, GaugeState, Pose, RobotId, Vec2};
use crewlab_sim::world::ObjectId;
use crewlab_sim::{Logged, Simulation};
use std::collections::{BTreeMap, BTreeSet};

/// Figures show at most this many robots, the first ones.
const MOST_ROBOTS: usize = 200;
/// The event table of the report shows at most this many events.
const MOST_EVENTS: usize = 20_000;

/// A period in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch<T> {
    /// The state.
    pub what: T,
    /// From when. [s]
    pub from: f64,
    /// Until when. [s]
    pub to: f64,
}

/// One behaviour set's level over time.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Time and level.
    pub samples: Vec<(f64, f64)>,
    /// When it was active or waiting.
    pub states: Vec<Stretch<GaugeState>>,
}

/// One robot over time.
#[derive(Clone, Debug)]
pub struct RobotTrace {
    /// Where it started.
    pub start: Pose,
    /// True if it was there at the start.
    pub present: bool,
    /// Where it was.
    pub trail: Vec<[f64; 2]>,
    /// Its work.
    pub active: Vec<Stretch<BehaviourId>>,
    /// Its indicators over time, in the order of [`Trace::indicators_of`]: time and value.
    pub indicators: Vec<Vec<(f64, f64)>>,
    /// How far it was from where it believed to be, if it locates itself: time and distance.
    pub errors: Vec<(f64, f64)>,
    /// The levels of its behaviour sets, as far as the coordinator has any.
    pub levels: BTreeMap<BehaviourId, Level>,
}

impl RobotTrace {
    /// Takes in the indicators of one moment.
    fn indicate(&mut self, now: f64, values: Vec<Option<f64>>) {
        self.indicators.resize(values.len(), Vec::new());
        for (samples, value) in self.indicators.iter_mut().zip(values) {
            samples.extend(value.map(|value| (now, value)));
        }
    }

    /// Processes the gauges of the tick from `before` to `now`. Each names its behaviour set, so their order does not matter.
    fn take(&mut self, gauges: &[Gauge], before: f64, now: f64, sample: bool) {
        for gauge in gauges {
            let level = self.levels.entry(gauge.behaviour).or_default();
            let state = (gauge.state != GaugeState::Hibernating).then_some(gauge.state);
            follow(&mut level.states, state, before, now);
            if sample {
                level.samples.push((before, gauge.level));
            }
        }
    }
}

/// A run over time.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The robots, at most the first 200.
    pub robots: Vec<RobotTrace>,
    /// Where the items were at the start.
    pub items: Vec<Vec2>,
    /// The objects that were there at the start.
    pub objects: BTreeSet<ObjectId>,
    /// Mission progress over time, in percent.
    pub progress: Vec<(f64, f64)>,
    /// The mission's measures over time: a time and their values.
    pub measures: Vec<(f64, Vec<Option<f64>>)>,
    /// Disturbances: when and what.
    pub marks: Vec<(f64, String)>,
    /// Events for the report, at most the first 20,000.
    pub events: Vec<Logged>,
    /// How many events there were.
    pub event_count: usize,
    /// Snapshots.
    pub(super) story: Story,
    /// Where robots stand in the team's plan.
    pub(super) stacks: Stacks,
    /// The radio.
    pub(super) air: AirTrace,
    /// The first coordinator with levels. Levels of another one have another meaning and another scale.
    pub levels_of: Option<String>,
    /// The indicators of the mission and of the coordinator of the start, which are kept.
    pub indicators_of: Vec<&'static IndicatorSpec>,
    coordinator: String,
    every: u64,
    next: u64,
    gauges: Vec<Gauge>,
}

/// Extends the last period or begins a new one.
pub(super) fn follow<T: PartialEq>(stretches: &mut Vec<Stretch<T>>, what: Option<T>, before: f64, now: f64) {
    match (stretches.last_mut(), what) {
        (Some(last), Some(what)) if last.what == what && last.to >= before - 1e-9 => last.to = now,
        (_, Some(what)) => stretches.push(Stretch { what, from: before, to: now }),
        (_, None) => {}
    }
}

impl Trace {
    /// A trace with this sampling interval. [ns]
    pub(super) fn new(simulation: &Simulation, every: u64) -> Trace {
        let world = &simulation.state.world;
        let coordinator = simulation.state.coordinator(&simulation.model);
        let robot = |body: &crewlab_sim::world::Body| RobotTrace {
            start: body.pose,
            present: body.present,
            trail: Vec::new(),
            active: Vec::new(),
            indicators: Vec::new(),
            errors: Vec::new(),
            levels: BTreeMap::new(),
        };
        Trace {
            robots: world.bodies.iter().take(MOST_ROBOTS).map(robot).collect(),
            items: world.items.iter().map(|item| item.position).collect(),
            objects: world.objects().iter().map(|object| object.id).collect(),
            progress: vec![(0.0, simulation.state.verdict.progress * 100.0)],
            measures: vec![(0.0, simulation.measures())],
            marks: Vec::new(),
            events: Vec::new(),
            event_count: 0,
            story: Story::new(),
            stacks: Stacks::default(),
            air: AirTrace::new(simulation, every),
            levels_of: None,
            indicators_of: indicators::sources(simulation).into_iter().map(|(_, spec)| spec).collect(),
            coordinator: coordinator.to_string(),
            every,
            next: 0,
            gauges: Vec::new(),
        }
    }

    /// Processes one tick.
    pub(super) fn tick(&mut self, simulation: &Simulation, log: &[Logged]) {
        let due = simulation.now().0 >= self.next;
        if due {
            self.next = simulation.now().0.saturating_add(self.every);
            self.measures.push((simulation.now().seconds(), simulation.measures()));
        }
        self.note(log);
        let sampled = self.robots.first().map_or(0, |robot| robot.trail.len());
        self.story.tick(simulation, sampled);
        let (now, before) = (simulation.now().seconds(), simulation.now().seconds() - simulation.model.dt());
        self.stacks.tick(simulation, before, now);
        let indicated = !self.indicators_of.is_empty()
            && simulation.state.coordinator(&simulation.model) == self.coordinator;
        for (id, trace) in RobotId::enumerate(&mut self.robots) {
            let (robot, body) = (&simulation.state.robots[id], &simulation.state.world.bodies[id]);
            let running = !body.down();
            follow(
                &mut trace.active,
                robot.software.active.filter(|_| running).map(|choice| choice.behaviour),
                before,
                now,
            );
            if due {
                // An absent robot has no position.
                let at = if body.present { body.pose.position } else { Vec2 { x: f64::NAN, y: f64::NAN } };
                trace.trail.push([at.x, at.y]);
            }
            if due && running {
                let error = Belief::of(simulation, id).and_then(|belief| belief.distance());
                trace.errors.extend(error.map(|error| (now, error)));
            }
            if due && running && indicated {
                trace.indicate(now, indicators::values(simulation, robot));
            }
            // An event of this robot may be a jump of its levels, which must not be lost between two samples.
            let spoke = log.iter().any(|logged| logged.robot == Some(id));
            self.gauges.clear();
            if running {
                robot.software.coordinator.gauges(&mut self.gauges);
            }
            if !self.gauges.is_empty() {
                let coordinator = simulation.state.coordinator(&simulation.model);
                if self.levels_of.get_or_insert_with(|| coordinator.to_string()) != coordinator {
                    self.gauges.clear();
                }
            }
            trace.take(&self.gauges, before, now, due || spoke);
        }
    }

    fn note(&mut self, log: &[Logged]) {
        for logged in log {
            let time = logged.time.seconds();
            match logged.event.kind {
                EventKind::Progress => {
                    self.progress
                        .extend(logged.event.number(key::PROGRESS).map(|share| (time, share * 100.0)));
                }
                // Without the cause: a plot has no room for it.
                EventKind::Disturbance => self.marks.push((time, logged.event.words.to_string())),
                EventKind::DisturbanceOver => {
                    self.marks.push((time, format!("over: {}", logged.event.words)))
                }
                _ => {}
            }
        }
        self.event_count += log.len();
        let room = MOST_EVENTS.saturating_sub(self.events.len());
        self.events.extend(log.iter().take(room).cloned());
    }

    /// Records the end.
    pub(super) fn finish(&mut self, simulation: &Simulation) {
        self.measures.push((simulation.now().seconds(), simulation.measures()));
        self.progress.push((simulation.now().seconds(), simulation.state.verdict.progress * 100.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauges_are_matched_by_the_behaviour_set_that_they_name() {
        let gauge = |set: u8, level| Gauge { behaviour: BehaviourId(set), level, state: GaugeState::Active };
        let mut trace = RobotTrace {
            start: Pose::new(0.0, 0.0, 0.0),
            present: true,
            trail: Vec::new(),
            active: Vec::new(),
            indicators: Vec::new(),
            errors: Vec::new(),
            levels: BTreeMap::new(),
        };
        // Another order in every tick, and gaps.
        trace.take(&[gauge(2, 20.0)], 0.0, 0.1, true);
        trace.take(&[gauge(4, 41.0), gauge(2, 21.0), gauge(0, 1.0)], 0.1, 0.2, true);
        trace.take(&[gauge(0, 2.0), gauge(4, 42.0)], 0.2, 0.3, true);
        let samples: Vec<(u8, Vec<f64>)> = trace
            .levels
            .iter()
            .map(|(set, level)| (set.0, level.samples.iter().map(|(_, level)| *level).collect()))
            .collect();
        assert_eq!(samples, [(0, vec![1.0, 2.0]), (2, vec![20.0, 21.0]), (4, vec![41.0, 42.0])]);
        let active = &trace.levels[&BehaviourId(2)].states;
        assert_eq!(active.iter().map(|stretch| (stretch.from, stretch.to)).collect::<Vec<_>>(), [(0.0, 0.2)]);
    }
}
