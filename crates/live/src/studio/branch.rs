//! Branches: what was done to a run, and its results.

use super::album::Album;
use crate::show::{History, Sample};
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::disturbances::DisturbanceSpec;
use crewlab_lab::sim::onboard::{BehaviourId, Coordinator, Gauge, RobotId};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::{Logged, State};
use crewlab_scenario::{Problems, Request, Scenario, load};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Approximate number of samples over a whole run.
const SAMPLES: u64 = 1_000;
/// Least time between two samples. [ns]
const CLOSEST_SAMPLES: u64 = 500_000_000;

/// An intervention of a person in the run.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    /// Its number among all deeds.
    pub number: u64,
    /// The tick that follows it.
    pub tick: u64,
    /// The lane that it applies to; `None` for all.
    pub lane: Option<usize>,
    /// The disturbance, with its time.
    pub spec: DisturbanceSpec,
    /// A readable form.
    pub text: String,
}

/// A branch of a run: the deeds, and its past in every lane.
pub(super) struct Branch {
    /// The parent branch.
    pub parent: Option<usize>,
    /// The tick at which it split off.
    pub from: u64,
    /// Its label.
    pub title: String,
    /// The deeds, in the order of time.
    pub deeds: Vec<Arc<Deed>>,
    /// Its lanes.
    pub pasts: Vec<Past>,
}

impl Branch {
    /// Its length in ticks.
    pub(super) fn end(&self) -> u64 {
        self.pasts.iter().map(|past| past.end).max().unwrap_or(0)
    }

    /// The deeds before a tick.
    pub(super) fn deeds_before(&self, tick: u64) -> &[Arc<Deed>] {
        &self.deeds[..self.deeds.partition_point(|deed| deed.tick < tick)]
    }

    /// The deeds shared with a branch that starts at a tick: those before it and, if this branch has not been further, pending
    /// ones.
    pub(super) fn deeds_up_to(&self, tick: u64) -> Vec<Arc<Deed>> {
        if tick == self.end() { self.deeds.clone() } else { self.deeds_before(tick).to_vec() }
    }

    /// Adds a deed.
    pub(super) fn add(&mut self, deed: Deed) {
        let place = self.deeds.partition_point(|other| other.tick <= deed.tick);
        self.deeds.insert(place, Arc::new(deed));
    }
}

/// The start of a run.
#[derive(Clone)]
pub(super) struct Start {
    /// The request, including robots that were added by hand.
    pub request: Request,
    /// The original request.
    pub origin: Request,
    /// The resulting scenario.
    pub scenario: Arc<Scenario>,
    /// The key under which it is on the shelf, if it is.
    pub key: Option<String>,
}

impl Start {
    /// Loads a request as the original one.
    pub(super) fn load(request: Request) -> Result<Start, Problems> {
        let scenario = Arc::new(load(&request)?);
        Ok(Start { origin: request.clone(), request, scenario, key: None })
    }
}

/// One lane's past in one branch.
#[derive(Clone)]
pub(super) struct Past {
    /// Its start.
    pub start: Start,
    /// Its number for viewers.
    pub epoch: u64,
    /// Its history.
    pub history: Arc<Mutex<History>>,
    /// Its snapshots.
    pub album: Album,
    /// Its length in ticks.
    pub end: u64,
    /// Numbers of the deeds that failed here.
    pub refused: BTreeSet<u64>,
    /// The last work of each robot.
    active: Vec<Option<BehaviourId>>,
    /// The tick of the next sample, and the interval.
    sample: (u64, u64),
}

impl Past {
    /// A run that has not started.
    pub(super) fn new(start: Start, epoch: u64) -> Past {
        let (model, _) = &start.scenario.start;
        let history = History::new(model.team.iter().map(|member| member.identity.behaviours.len()));
        let every = (model.until.0 / SAMPLES).max(CLOSEST_SAMPLES) / model.tick.max(1);
        Past {
            refused: BTreeSet::new(),
            epoch,
            history: Arc::new(Mutex::new(history)),
            album: Album::default(),
            end: 0,
            active: vec![None; model.team.len()],
            sample: (0, every.max(1)),
            start,
        }
    }

    /// A copy of the past up to the current tick, under another number.
    pub(super) fn parted(&self, simulation: &Simulation, epoch: u64) -> Past {
        let tick = simulation.state.tick;
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, every) = self.sample;
        Past {
            start: self.start.clone(),
            refused: self.refused.clone(),
            epoch,
            history: Arc::new(Mutex::new(history.before(tick, simulation.now().seconds()))),
            album: self.album.until(tick),
            end: tick,
            active: simulation.model.robots().map(|robot| active(&simulation.state, robot)).collect(),
            sample: (tick.next_multiple_of(every), every),
        }
    }

    /// Approximate memory use. [bytes]
    pub(super) fn memory(&self) -> usize {
        self.history.lock().unwrap_or_else(PoisonError::into_inner).memory()
    }

    /// Records a new tick.
    pub(super) fn note(&mut self, simulation: &Simulation, log: &[Logged], gauges: &mut Vec<Gauge>) {
        let (state, now) = (&simulation.state, simulation.now().seconds());
        self.end = state.tick;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.note(state.tick - 1, log, &*simulation.model);
        for (robot, before) in RobotId::enumerate(&mut self.active) {
            let active = active(state, robot);
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
            let messages = [tally.copies, tally.delivered, tally.lost.total()];
            history.sample(Sample { time: now, progress, messages, measures: simulation.measures() });
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

fn active(state: &State, robot: RobotId) -> Option<BehaviourId> {
    state.active(robot).map(|choice| choice.behaviour)
}
