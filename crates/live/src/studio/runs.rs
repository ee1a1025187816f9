//! The runs of a studio: branches, their deeds, and the moment that is shown.

use super::album::{Album, keep_within, weigh};
use super::branch::{Branch, Deed, Past, Start};
use super::lane::Lane;
use crewlab_lab::sim::onboard::Time;
use std::sync::Arc;

/// Largest number of branches, ...
const MOST_BRANCHES: usize = 100;
/// ... and the memory limit of all their histories together. [bytes]
const MOST_HISTORY: usize = 1 << 30;

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
    /// Number of deeds so far, in all branches that ever existed.
    deeds: u64,
    /// Number of snapshots in all branches, and their memory use. [bytes]
    weight: (usize, usize),
    parallel: bool,
    /// Memory limit of snapshots. [bytes]
    memory: usize,
}

impl Runs {
    /// Without branches.
    pub(super) fn new(parallel: bool, memory: usize) -> Runs {
        Runs {
            branches: Vec::new(),
            current: 0,
            lanes: Vec::new(),
            now: 0,
            epochs: 0,
            deeds: 0,
            weight: (0, 0),
            parallel,
            memory,
        }
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

    /// True if all lanes have ended.
    pub(super) fn finished(&self) -> bool {
        self.lanes.iter().all(|lane| lane.simulation.finished())
    }

    /// A lane that is shown, and its past.
    pub(super) fn lane(&self, lane: Option<usize>) -> Result<(&Lane, &Past), String> {
        let lane = lane.unwrap_or(0);
        let found = self.lanes.get(lane).zip(self.branch().pasts.get(lane));
        found.ok_or_else(|| format!("there is no lane {lane}"))
    }

    /// Memory limit of snapshots. [bytes]
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Number of snapshots, and their memory use. [bytes]
    pub(super) fn snapshots(&self) -> (usize, usize) {
        self.weight
    }

    fn weigh(&self) -> (usize, usize) {
        weigh(self.branches.iter().flat_map(|branch| &branch.pasts).map(|past| &past.album))
    }

    /// One tick in all lanes that are at the current tick; those ahead wait.
    pub(super) fn tick(&mut self) {
        let branch = &mut self.branches[self.current];
        let kept: usize = branch.pasts.iter().map(|past| past.album.len()).sum();
        for (index, (lane, past)) in self.lanes.iter_mut().zip(&mut branch.pasts).enumerate() {
            if lane.simulation.state.tick <= self.now {
                lane.tick(index, past, &branch.deeds);
            }
        }
        self.now = self.moment();
        let more = self.branch().pasts.iter().map(|past| past.album.len()).sum::<usize>() > kept;
        if more {
            let pasts = self.branches.iter_mut().flat_map(|branch| &mut branch.pasts);
            let mut albums: Vec<&mut Album> = pasts.map(|past| &mut past.album).collect();
            keep_within(&mut albums, self.memory);
            self.weight = self.weigh();
        }
    }

    /// The current tick: that of the rearmost lane that can continue.
    fn moment(&self) -> u64 {
        let ticks = |lane: &Lane| lane.simulation.state.tick;
        let going = self.lanes.iter().filter(|lane| !lane.simulation.finished()).map(ticks).min();
        going.or(self.lanes.iter().map(ticks).max()).unwrap_or(0)
    }

    /// Restarts without any past.
    pub(super) fn begin(&mut self, starts: Vec<Start>) {
        self.branches.clear();
        self.enter(None, 0, Vec::new(), starts);
    }

    /// Adds a branch that has not started and shows its start.
    pub(super) fn enter(
        &mut self,
        parent: Option<usize>,
        from: u64,
        deeds: Vec<Arc<Deed>>,
        starts: Vec<Start>,
    ) {
        let number = |start| {
            self.epochs += 1;
            Past::new(start, self.epochs)
        };
        let pasts: Vec<Past> = starts.into_iter().map(number).collect();
        self.lanes = pasts.iter().map(|past| Lane::start(&past.start.scenario, self.parallel)).collect();
        let names: Vec<&str> =
            pasts.iter().map(|past| past.start.scenario.setup.coordinator.as_str()).collect();
        let title = names.join(" | ");
        self.branches.push(Branch { parent, from, title, deeds, pasts });
        self.current = self.branches.len() - 1;
        self.now = 0;
        self.weight = self.weigh();
    }

    /// The number of the next deed.
    pub(super) fn next_number(&mut self) -> u64 {
        self.deeds += 1;
        self.deeds
    }

    /// Adds a deed to the current branch.
    pub(super) fn add(&mut self, deed: Deed) {
        self.branches[self.current].add(deed);
    }

    /// Refuses if there are too many branches, or too long ones.
    pub(super) fn room_for_a_branch(&self) -> Result<(), String> {
        let pasts = self.branches.iter().flat_map(|branch| &branch.pasts);
        if self.branches.len() >= MOST_BRANCHES || pasts.map(Past::memory).sum::<usize>() > MOST_HISTORY {
            let count = self.branches.len();
            return Err(format!("no more than {count} branches can be kept: save your work and start again"));
        }
        Ok(())
    }

    /// Shows the last snapshot of this branch that is not after a tick.
    pub(super) fn approach(&mut self, tick: u64) {
        let branch = &self.branches[self.current];
        for (lane, past) in self.lanes.iter_mut().zip(&branch.pasts) {
            lane.approach(past, tick.min(past.end));
        }
        self.now = self.moment();
    }

    /// Shows another branch, near its end; returns its end.
    pub(super) fn switch(&mut self, id: usize) -> Result<u64, String> {
        let Some(branch) = self.branches.get(id) else {
            return Err(format!("there is no branch {id}: there are {}", self.branches.len()));
        };
        let end = branch.end();
        if id != self.current {
            self.lanes =
                branch.pasts.iter().map(|past| Lane::start(&past.start.scenario, self.parallel)).collect();
            self.current = id;
        }
        self.approach(end);
        Ok(end)
    }

    /// Starts a new branch for further deeds, if the run has been further than now.
    pub(super) fn part(&mut self, title: &str) -> Result<(), String> {
        if self.now == self.branch().end() {
            return Ok(());
        }
        self.room_for_a_branch()?;
        self.split(title.into(), self.lanes.len());
        Ok(())
    }

    /// Continues in a new branch, with the given number of lanes.
    pub(super) fn split(&mut self, title: String, lanes: usize) {
        let from = &self.branches[self.current];
        let deeds = from.deeds_up_to(self.now);
        self.lanes.truncate(lanes);
        let mut pasts = Vec::new();
        for (lane, past) in self.lanes.iter().zip(&from.pasts) {
            self.epochs += 1;
            pasts.push(past.parted(&lane.simulation, self.epochs));
        }
        self.branches.push(Branch { parent: Some(self.current), from: self.now, title, deeds, pasts });
        self.current = self.branches.len() - 1;
        self.now = self.moment();
    }
}
