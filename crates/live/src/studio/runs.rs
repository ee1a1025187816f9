//! The runs of a studio in time: branches, what was done to each, and the moment of one of them that is shown.

use super::album::{Album, keep_within, weigh};
use super::branch::{Branch, Deed, Past};
use super::lane::Lane;
use crewlab_lab::scenario::{Request, Scenario};
use crewlab_lab::sim::onboard::Time;
use std::sync::Arc;

/// Branches that are kept, ...
const MOST_BRANCHES: usize = 100;
/// ... and events in all of them together.
const MOST_EVENTS: usize = 2_000_000;

/// The runs of a studio.
pub(super) struct Runs {
    /// All branches.
    pub branches: Vec<Branch>,
    /// The one that is shown.
    pub current: usize,
    /// Its lanes, at the moment that is shown.
    pub lanes: Vec<Lane>,
    /// Ticks done at that moment.
    pub now: u64,
    epochs: u64,
    parallel: bool,
    /// What snapshots may use. [bytes]
    memory: usize,
}

impl Runs {
    /// Nothing yet.
    pub(super) fn new(parallel: bool, memory: usize) -> Runs {
        Runs { branches: Vec::new(), current: 0, lanes: Vec::new(), now: 0, epochs: 0, parallel, memory }
    }

    /// Length of a tick. [s]
    pub(super) fn dt(&self) -> f64 {
        self.lanes.first().map_or(0.1, |lane| lane.simulation.model.dt())
    }

    /// The time at a tick. [s]
    pub(super) fn seconds(&self, tick: u64) -> f64 {
        let length = self.lanes.first().map_or(0, |lane| lane.simulation.model.tick);
        Time(tick * length).seconds()
    }

    /// The branch that is shown.
    pub(super) fn branch(&self) -> &Branch {
        &self.branches[self.current]
    }

    /// True if there is nothing left to do in any lane.
    pub(super) fn finished(&self) -> bool {
        self.lanes.iter().all(|lane| lane.simulation.finished())
    }

    /// A lane that is shown, and its past.
    pub(super) fn lane(&self, lane: Option<usize>) -> Result<(&Lane, &Past), String> {
        let lane = lane.unwrap_or(0);
        let found = self.lanes.get(lane).zip(self.branch().pasts.get(lane));
        found.ok_or_else(|| format!("there is no lane {lane}"))
    }

    /// What snapshots may use. [bytes]
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// How many snapshots there are, and what they use. [bytes]
    pub(super) fn snapshots(&self) -> (usize, usize) {
        weigh(self.branches.iter().flat_map(|branch| &branch.pasts).map(|past| &past.album))
    }

    /// One tick in all lanes that are where the run is now; those that are further wait for them.
    pub(super) fn tick(&mut self) {
        let branch = &mut self.branches[self.current];
        let kept: usize = branch.pasts.iter().map(|past| past.album.len()).sum();
        for (lane, past) in self.lanes.iter_mut().zip(&mut branch.pasts) {
            if lane.simulation.state.tick <= self.now {
                lane.tick(past, &branch.deeds);
            }
        }
        self.now = self.moment();
        let more = self.branch().pasts.iter().map(|past| past.album.len()).sum::<usize>() > kept;
        if more {
            let pasts = self.branches.iter_mut().flat_map(|branch| &mut branch.pasts);
            let mut albums: Vec<&mut Album> = pasts.map(|past| &mut past.album).collect();
            keep_within(&mut albums, self.memory);
        }
    }

    /// Where the run is: at the last of the lanes that can go on.
    fn moment(&self) -> u64 {
        let ticks = |lane: &Lane| lane.simulation.state.tick;
        let going = self.lanes.iter().filter(|lane| !lane.simulation.finished()).map(ticks).min();
        going.or(self.lanes.iter().map(ticks).max()).unwrap_or(0)
    }

    /// Pasts of runs that have not begun.
    pub(super) fn fresh(&mut self, scenarios: Vec<(Request, Arc<Scenario>)>) -> Vec<Past> {
        let number = |(request, scenario)| {
            self.epochs += 1;
            Past::new(request, scenario, self.epochs)
        };
        scenarios.into_iter().map(number).collect()
    }

    /// Adds a branch that has not begun and shows its start.
    pub(super) fn enter(&mut self, parent: Option<usize>, from: u64, deeds: Vec<Deed>, pasts: Vec<Past>) {
        self.lanes = pasts.iter().map(|past| Lane::start(&past.scenario, self.parallel)).collect();
        let names: Vec<&str> = pasts.iter().map(|past| past.scenario.setup.coordinator.as_str()).collect();
        let title = names.join(" | ");
        self.branches.push(Branch { parent, from, title, deeds, pasts });
        self.current = self.branches.len() - 1;
        self.now = 0;
    }

    /// Complains if there are too many branches, or too long ones.
    pub(super) fn room_for_a_branch(&self) -> Result<(), String> {
        let pasts = self.branches.iter().flat_map(|branch| &branch.pasts);
        if self.branches.len() >= MOST_BRANCHES || pasts.map(Past::events).sum::<usize>() > MOST_EVENTS {
            let count = self.branches.len();
            return Err(format!(
                "{count} branches are as much as can be kept: save what you have and start again"
            ));
        }
        Ok(())
    }

    /// Shows the last moment kept of this branch that is not after a tick.
    pub(super) fn approach(&mut self, tick: u64) {
        let branch = &self.branches[self.current];
        for (lane, past) in self.lanes.iter_mut().zip(&branch.pasts) {
            lane.approach(past, tick.min(past.end));
        }
        self.now = self.moment();
    }

    /// Shows another branch, at a moment that is near its end; gives its end.
    pub(super) fn switch(&mut self, id: usize) -> Result<u64, String> {
        let Some(branch) = self.branches.get(id) else {
            return Err(format!("there is no branch {id}: there are {}", self.branches.len()));
        };
        let end = branch.end();
        if id != self.current {
            self.lanes = branch.pasts.iter().map(|past| Lane::start(&past.scenario, self.parallel)).collect();
            self.current = id;
        }
        self.approach(end);
        Ok(end)
    }

    /// What is done from now on is done to a branch of its own, if the run has been further than now.
    pub(super) fn part(&mut self, title: &str) -> Result<(), String> {
        if self.now == self.branch().end() {
            return Ok(());
        }
        self.room_for_a_branch()?;
        let numbers: Vec<u64> = (1..=self.lanes.len() as u64).map(|add| self.epochs + add).collect();
        self.epochs += self.lanes.len() as u64;
        let from = &self.branches[self.current];
        let pasts = self.lanes.iter().zip(&from.pasts).zip(numbers);
        let pasts = pasts.map(|((lane, past), epoch)| past.parted(&lane.simulation, epoch)).collect();
        let deeds = from.deeds_before(self.now).to_vec();
        let branch = Branch { parent: Some(self.current), from: self.now, title: title.into(), deeds, pasts };
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        Ok(())
    }
}
