//! A run at the current moment.

use super::branch::{Deed, Past};
use crewlab_lab::sim::address::node;
use crewlab_lab::sim::onboard::{Event, EventKind, Gauge, RobotId};
use crewlab_lab::sim::radio::Fate;
use crewlab_lab::sim::{Logged, ResultHash, Simulation};
use crewlab_scenario::Scenario;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Number of messages kept for those who watch a robot.
const MAIL: usize = 400;

/// A run at the current moment.
pub(super) struct Lane {
    /// The run.
    pub simulation: Simulation,
    /// The hash of everything so far.
    pub hash: ResultHash,
    /// The watched robots.
    pub watched: Vec<RobotId>,
    /// The fates of their latest messages, the oldest first.
    pub mail: VecDeque<Fate>,
    /// The hash of a run that is over.
    pub result: Option<String>,
    log: Vec<Logged>,
    gauges: Vec<Gauge>,
}

impl Lane {
    /// The run at its start.
    pub(super) fn start(scenario: &Scenario, parallel: bool) -> Lane {
        let (model, state) = scenario.start.clone();
        Lane {
            simulation: Simulation::new(model, state, parallel),
            hash: ResultHash::default(),
            watched: Vec::new(),
            mail: VecDeque::new(),
            result: None,
            log: Vec::new(),
            gauges: Vec::new(),
        }
    }

    /// Goes to the last snapshot not after this tick, unless the distance from here is shorter.
    pub(super) fn approach(&mut self, past: &Past, tick: u64) {
        let here = self.simulation.state.tick;
        let kept = past.album.before(tick);
        if here <= tick && kept.is_none_or(|kept| kept <= here) {
            return;
        }
        let restored = kept.and_then(|kept| past.album.restore(kept));
        (self.simulation.state, self.hash) = match restored {
            Some(restored) => restored,
            None => (past.start.scenario.start.1.clone(), ResultHash::default()),
        };
        self.simulation.fates.clear();
        self.mail.clear();
        self.result = None;
    }

    /// One tick of lane number `index`, with the deeds before it. Does nothing once the run is finished.
    pub(super) fn tick(&mut self, index: usize, past: &mut Past, deeds: &[Arc<Deed>]) {
        if self.simulation.finished() {
            return;
        }
        let tick = self.simulation.state.tick;
        let mut refused = Vec::new();
        let first = deeds.partition_point(|deed| deed.tick < tick);
        let now = deeds[first..].iter().take_while(|deed| deed.tick == tick);
        for deed in now.filter(|deed| deed.lane.is_none_or(|lane| lane == index)) {
            if let Err(complaint) = self.simulation.inject(&deed.spec) {
                past.refused.insert(deed.number);
                let why = format!("{}: {}", deed.text, complaint.message);
                let event = Event::new(EventKind::Refused).saying(why);
                refused.push(Logged { time: self.simulation.now(), robot: None, event });
            }
        }
        let start = Instant::now();
        self.simulation.listen = !self.watched.is_empty();
        self.log.clear();
        self.simulation.tick(&mut self.log);
        self.hash.events(&self.log);
        let work = start.elapsed();
        if self.simulation.listen {
            let watched = |fate: &Fate| {
                let mut nodes = self.watched.iter().map(|robot| node(*robot));
                nodes.any(|node| fate.sender == node || fate.receiver == node)
            };
            self.mail.extend(self.simulation.fates.drain(..).filter(watched));
            let more = self.mail.len().saturating_sub(MAIL);
            self.mail.drain(..more);
        }
        if self.simulation.state.tick > past.end {
            self.log.splice(..0, refused);
            past.note(&self.simulation, &self.log, &mut self.gauges);
            past.album.note(work, &self.simulation.state, &self.hash);
        }
        if self.simulation.finished() {
            self.result = Some(self.fingerprint());
        }
    }

    /// The run's current hash.
    pub(super) fn fingerprint(&self) -> String {
        self.hash.clone().finish(&self.simulation.state)
    }
}
