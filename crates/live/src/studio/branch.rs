//! What was done to a run, and what came of it.

use super::album::Album;
use crate::show::History;
use crewlab_lab::scenario::{Request, Scenario};
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::disturbances::DisturbanceSpec;
use crewlab_lab::sim::onboard::{BehaviourId, Coordinator, Gauge};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::{Logged, world};
use std::sync::{Arc, Mutex, PoisonError};

/// Samples over a whole run, roughly.
const SAMPLES: u64 = 1_000;
/// Time between two samples at least. [ns]
const CLOSEST_SAMPLES: u64 = 500_000_000;

/// Something a person did to the run.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    /// The tick it came before.
    pub tick: u64,
    /// What, with its time.
    pub spec: DisturbanceSpec,
    /// The same as people would write it.
    pub text: String,
}

/// A run as far as it has come: what was done to it, and its past in every lane.
pub(super) struct Branch {
    /// Where it comes from.
    pub parent: Option<usize>,
    /// The tick at which it parted from there.
    pub from: u64,
    /// What is special about it.
    pub title: String,
    /// What was done to it, in the order of time.
    pub deeds: Vec<Deed>,
    /// Its lanes.
    pub pasts: Vec<Past>,
}

impl Branch {
    /// How far it has come, in ticks.
    pub(super) fn end(&self) -> u64 {
        self.pasts.iter().map(|past| past.end).max().unwrap_or(0)
    }

    /// What was done before a tick.
    pub(super) fn deeds_before(&self, tick: u64) -> &[Deed] {
        &self.deeds[..self.deeds.partition_point(|deed| deed.tick < tick)]
    }
}

/// One lane's past in one branch.
#[derive(Clone)]
pub(super) struct Past {
    /// What was asked for.
    pub request: Request,
    /// The scenario it follows.
    pub scenario: Arc<Scenario>,
    /// The number under which viewers know it.
    pub epoch: u64,
    /// What happened.
    pub history: Arc<Mutex<History>>,
    /// Moments to go back to.
    pub album: Album,
    /// How far it has come, in ticks.
    pub end: u64,
    /// What each robot was doing last.
    active: Vec<Option<BehaviourId>>,
    /// The tick of the next sample, and how far apart they are.
    sample: (u64, u64),
}

impl Past {
    /// A run that has not begun.
    pub(super) fn new(request: Request, scenario: Arc<Scenario>, epoch: u64) -> Past {
        let (model, _) = &scenario.start;
        let history = History::new(model.team.iter().map(|member| member.identity.behaviours.len()));
        let every = (model.until.0 / SAMPLES).max(CLOSEST_SAMPLES) / model.tick.max(1);
        Past {
            request,
            epoch,
            history: Arc::new(Mutex::new(history)),
            album: Album::default(),
            end: 0,
            active: vec![None; model.team.len()],
            sample: (0, every.max(1)),
            scenario,
        }
    }

    /// The same past up to where the run is now, under another number.
    pub(super) fn parted(&self, simulation: &Simulation, epoch: u64) -> Past {
        let tick = simulation.state.tick;
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, every) = self.sample;
        Past {
            request: self.request.clone(),
            scenario: self.scenario.clone(),
            epoch,
            history: Arc::new(Mutex::new(history.before(tick, simulation.now().seconds()))),
            album: self.album.until(tick),
            end: tick,
            active: active(simulation),
            sample: (tick.next_multiple_of(every), every),
        }
    }

    /// How many events it remembers.
    pub(super) fn events(&self) -> usize {
        self.history.lock().unwrap_or_else(PoisonError::into_inner).kept()
    }

    /// Takes in a tick that was never done before.
    pub(super) fn note(&mut self, simulation: &Simulation, log: &[Logged], gauges: &mut Vec<Gauge>) {
        let (state, now) = (&simulation.state, simulation.now().seconds());
        self.end = state.tick;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.note(state.tick - 1, log);
        for (robot, (before, body)) in self.active.iter_mut().zip(&state.world.bodies).enumerate() {
            let active = doing(state.robots[robot].software.active.map(|choice| choice.behaviour), body);
            if *before != active {
                *before = active;
                history.shift(now, robot, active.map(|behaviour| behaviour.0));
            }
        }
        let (next, every) = self.sample;
        if state.tick >= next {
            self.sample.0 = state.tick + every;
            let tally = state.radio.tally();
            let progress = state.verdict.progress;
            history.sample((now, progress, tally.copies, tally.delivered, tally.lost.total()));
            let mut row = Vec::new();
            for (robot, member) in state.robots.iter().zip(&simulation.model.team) {
                let start = row.len();
                row.resize(start + member.identity.behaviours.len(), f32::NAN);
                gauges.clear();
                robot.software.coordinator.gauges(gauges);
                for gauge in gauges.iter() {
                    if let Some(level) = row.get_mut(start + usize::from(gauge.behaviour.0)) {
                        *level = gauge.level as f32;
                    }
                }
            }
            history.levels(now, row);
        }
    }
}

fn doing(active: Option<BehaviourId>, body: &world::Body) -> Option<BehaviourId> {
    active.filter(|_| !body.down())
}

fn active(simulation: &Simulation) -> Vec<Option<BehaviourId>> {
    let robots = simulation.state.robots.iter().zip(&simulation.state.world.bodies);
    robots.map(|(robot, body)| doing(robot.software.active.map(|choice| choice.behaviour), body)).collect()
}
