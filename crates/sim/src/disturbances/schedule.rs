//! The state of a run's disturbances.

use super::layers::Layers;
use super::scene::{Attempt, Done, Scene};
use super::when::{effect, timing};
use super::{Disturbance, When};
use crate::faults::FOR_GOOD;
use crate::log::Logged;
use crate::model::Model;
use crate::state::State;
use crewlab_onboard::event::key;
use crewlab_onboard::{Event, EventKind, Reason, RobotId, Time};
use serde::{Deserialize, Serialize};

/// The state of one disturbance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Status {
    /// Number of occurrences.
    happened: u32,
    /// When it happens next, if that depends on time alone.
    next: Option<Time>,
    /// Number of such times drawn so far. Not the number of occurrences: delays depend on the robots and must not change later
    /// random times.
    moments: u32,
    /// True while its condition holds.
    held: bool,
    /// True while it is due but blocked.
    due: bool,
    /// True once that was reported.
    told: bool,
}

/// A run in which disturbances are due.
pub(crate) struct Occasion<'a> {
    /// Its constants.
    pub(crate) model: &'a Model,
    /// Its state, without the schedule.
    pub(crate) state: &'a mut State,
    /// The time.
    pub(crate) now: Time,
    /// Gets the events.
    pub(crate) log: &'a mut Vec<Logged>,
}

/// An occurrence that will be undone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Lasting {
    disturbance: usize,
    token: u32,
    until: Time,
    what: String,
    robot: Option<RobotId>,
    told: bool,
}

/// The state of a run's disturbances, including injected ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The scenario's disturbances, then those injected during the run.
    #[serde(with = "super::plain")]
    disturbances: Vec<Disturbance>,
    statuses: Vec<Status>,
    lasting: Vec<Lasting>,
    /// Their overrides.
    layers: Layers,
    /// Names that were called since the last tick.
    calls: Vec<String>,
    tokens: u32,
    /// Nothing is due before this time, ...
    wake: Time,
    /// ... except these: they have a condition, or are blocked.
    watched: Vec<usize>,
}

impl Schedule {
    /// A schedule at the start of a run.
    pub(crate) fn new(seed: u64, disturbances: Vec<Disturbance>) -> Schedule {
        let mut schedule = Schedule::default();
        for disturbance in disturbances {
            schedule.enter(seed, disturbance);
        }
        schedule
    }

    /// Adds a disturbance; it applies from the next tick on, as if it had been there from the start.
    pub(crate) fn enter(&mut self, seed: u64, disturbance: Disturbance) {
        let mut random = timing(seed, self.statuses.len(), 0);
        let next = disturbance.when.first(&mut random);
        self.statuses.push(Status { next, ..Status::default() });
        self.disturbances.push(disturbance);
        self.wake = Time::ZERO;
    }

    /// The scenario's disturbances, then the injected ones.
    pub fn disturbances(&self) -> &[Disturbance] {
        &self.disturbances
    }

    /// Indices of those that have not happened so far.
    pub fn not_happened(&self) -> impl Iterator<Item = usize> + '_ {
        self.statuses.iter().enumerate().filter(|(_, status)| status.happened == 0).map(|(index, _)| index)
    }

    /// True if nothing needs a check in every tick: nothing waits, has a condition, or starts or ends at some time.
    pub fn asleep(&self) -> bool {
        self.watched.is_empty() && self.wake == Time(u64::MAX)
    }

    /// Calls the disturbances that wait for this name.
    pub(crate) fn call(&mut self, name: &str) {
        self.calls.push(name.to_string());
        self.wake = Time::ZERO;
    }

    /// True if nothing has happened so far, so that nothing can be broken.
    pub(crate) fn untouched(&self) -> bool {
        self.tokens == 0
    }

    /// Drops texts that are only for people.
    pub(crate) fn forget_words(&mut self) {
        self.lasting.iter_mut().for_each(|lasting| lasting.what.clear());
    }

    /// Applies due disturbances, and undoes those that are over.
    pub(crate) fn run(&mut self, run: &mut Occasion) {
        let all = run.now >= self.wake;
        if !all && self.watched.is_empty() {
            return;
        }
        let disturbances = std::mem::take(&mut self.disturbances);
        let mut watched = std::mem::take(&mut self.watched);
        if all {
            self.undo(run);
            watched.clear();
            watched.extend(0..disturbances.len());
        }
        watched.retain(|&index| {
            let disturbance = &disturbances[index];
            self.consider(index, disturbance, run);
            let status = &self.statuses[index];
            let spent = disturbance.times.is_some_and(|times| status.happened >= times);
            status.due || (matches!(disturbance.when, When::Condition(_)) && !spent)
        });
        (self.disturbances, self.watched) = (disturbances, watched);
        self.calls.clear();
        if all {
            let ends = self.lasting.iter().map(|lasting| lasting.until);
            let next = self.statuses.iter().filter_map(|status| status.next).chain(ends).min();
            self.wake = next.unwrap_or(Time(u64::MAX));
        }
    }

    fn consider(&mut self, index: usize, disturbance: &Disturbance, run: &mut Occasion) {
        let (model, now) = (run.model, run.now);
        let status = &mut self.statuses[index];
        if disturbance.times.is_some_and(|times| status.happened >= times) {
            (status.next, status.due) = (None, false);
            return;
        }
        match &disturbance.when {
            When::Condition(condition) => {
                let holds = super::condition::holds(condition, model, run.state, now.seconds());
                status.due |= holds && !status.held;
                status.held = holds;
            }
            When::Call(name) => status.due |= self.calls.contains(name),
            when => {
                // Moments within one tick count as one.
                while let Some(next) = status.next.filter(|next| *next <= now) {
                    status.due = true;
                    status.moments += 1;
                    status.next = when.next(next, &mut timing(model.seed, index, status.moments));
                }
            }
        }
        if self.statuses[index].due {
            self.attempt(index, disturbance, run);
        }
    }

    fn attempt(&mut self, index: usize, disturbance: &Disturbance, run: &mut Occasion) {
        let Occasion { model, state, now, log } = run;
        let (model, now) = (*model, *now);
        let status = &mut self.statuses[index];
        let random = effect(model.seed, index, status.happened);
        let token = if disturbance.lasts.is_some() { self.tokens } else { FOR_GOOD };
        let mut scene = Scene { model, state, layers: &mut self.layers, now, token, random };
        match disturbance.what.apply(&mut scene) {
            Attempt::NotYet(why) => {
                if !std::mem::replace(&mut status.told, true) {
                    let words = format!("{} waits: {why}", disturbance.what.name());
                    let event = Event::new(EventKind::DisturbanceDelayed).saying(words);
                    log.push(Logged { time: now, robot: None, event });
                }
            }
            Attempt::Done(Done { what, robot }) => {
                let cause = disturbance.when.cause(status.happened);
                status.happened += 1;
                (status.due, status.told) = (false, false);
                self.tokens += 1;
                let reason = Reason::Disturbed { cause, lasts: disturbance.lasts };
                let event = Event::new(EventKind::Disturbance).reason(reason).saying(what.clone());
                log.push(Logged { time: now, robot, event: event.with(key::DISTURBANCE, index as f64) });
                if let Some(seconds) = disturbance.lasts {
                    let until = now.after(Time::from_seconds(seconds).0);
                    let token = self.tokens - 1;
                    self.wake = self.wake.min(until);
                    self.lasting.push(Lasting { disturbance: index, token, until, what, robot, told: false });
                }
            }
        }
    }

    /// Undoes disturbances that are over; those that cannot be undone now are retried.
    fn undo(&mut self, run: &mut Occasion) {
        let Occasion { model, state, now, log } = run;
        let (model, now) = (*model, *now);
        let mut over: Vec<Lasting> = self.lasting.extract_if(.., |lasting| lasting.until <= now).collect();
        // The latest first, in the order of their layers.
        over.sort_by_key(|lasting| std::cmp::Reverse(lasting.token));
        for mut lasting in over {
            let random = effect(model.seed, lasting.disturbance, u32::MAX);
            let mut scene =
                Scene { model, state, layers: &mut self.layers, now, token: lasting.token, random };
            let event = match scene.end() {
                Ok(()) => Event::new(EventKind::DisturbanceOver).saying(lasting.what),
                Err(why) => {
                    let told = std::mem::replace(&mut lasting.told, true);
                    let words = format!("cannot be undone yet: {}: {why}", lasting.what);
                    self.lasting.push(lasting.clone());
                    if told {
                        continue;
                    }
                    Event::new(EventKind::DisturbanceDelayed).saying(words)
                }
            };
            let event = event.with(key::DISTURBANCE, lasting.disturbance as f64);
            log.push(Logged { time: now, robot: lasting.robot, event });
        }
    }
}
