//! Snapshots of a run, from which it can go on.

use crewlab_lab::sim::{ResultHash, State};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ticks between two snapshots at least.
const CLOSEST: u64 = 20;
/// Work between two snapshots, as a multiple of what one costs: so much of the run's time at most goes into them, and
/// so long it takes at most to get from one to any moment after it.
const WORK_PER_COST: u32 = 50;

/// The run at one moment.
#[derive(Clone)]
struct Shot {
    tick: u64,
    state: Arc<[u8]>,
    hash: ResultHash,
}

/// Snapshots of one lane in one branch, in the order of time. Branches share those from before they parted.
#[derive(Clone, Default)]
pub(super) struct Album {
    shots: Vec<Shot>,
    /// What the last one cost, and what was done since.
    cost: Duration,
    work: Duration,
}

impl Album {
    /// Takes note of work on the run that came to this tick, and of the moment if it is time for a snapshot. True if
    /// there is one more.
    pub(super) fn note(&mut self, work: Duration, state: &State, hash: &ResultHash) -> bool {
        self.work += work;
        let last = self.shots.last().map_or(0, |shot| shot.tick);
        if state.tick < last + CLOSEST || self.work < self.cost * WORK_PER_COST {
            return false;
        }
        let start = Instant::now();
        // Plain data: it can always be written down, and without the snapshot the run is just done again from further
        // back.
        if let Ok(bytes) = postcard::to_stdvec(state) {
            self.shots.push(Shot { tick: state.tick, state: bytes.into(), hash: hash.clone() });
        }
        (self.cost, self.work) = (start.elapsed(), Duration::ZERO);
        true
    }

    /// How many moments are kept.
    pub(super) fn len(&self) -> usize {
        self.shots.len()
    }

    /// The last moment kept that is not after this tick.
    pub(super) fn before(&self, tick: u64) -> Option<u64> {
        let place = self.shots.partition_point(|shot| shot.tick <= tick);
        place.checked_sub(1).map(|place| self.shots[place].tick)
    }

    /// The run at a moment that was kept.
    pub(super) fn restore(&self, tick: u64) -> Option<(State, ResultHash)> {
        let shot = self.shots.iter().find(|shot| shot.tick == tick)?;
        Some((postcard::from_bytes(&shot.state).ok()?, shot.hash.clone()))
    }

    /// The same album without what is after this tick.
    pub(super) fn until(&self, tick: u64) -> Album {
        let end = self.shots.partition_point(|shot| shot.tick <= tick);
        Album { shots: self.shots[..end].to_vec(), ..self.clone() }
    }

    /// Leaves every second one out; false if there is nothing left to leave out.
    fn thin(&mut self) -> bool {
        let mut index = 0;
        let before = self.shots.len();
        self.shots.retain(|_| {
            index += 1;
            index % 2 == 0
        });
        self.shots.len() < before
    }
}

/// How many snapshots there are in all and what they use. [bytes]
pub(super) fn weigh<'a>(albums: impl Iterator<Item = &'a Album>) -> (usize, usize) {
    let shots = albums.flat_map(|album| &album.shots);
    let unique: BTreeMap<*const u8, usize> =
        shots.map(|shot| (shot.state.as_ptr(), shot.state.len())).collect();
    (unique.len(), unique.values().sum())
}

/// Leaves snapshots out until all together use no more than this. [bytes]
pub(super) fn keep_within(albums: &mut [&mut Album], bound: usize) {
    while weigh(albums.iter().map(|album| &**album)).1 > bound {
        let thinned: Vec<bool> = albums.iter_mut().map(|album| album.thin()).collect();
        if !thinned.contains(&true) {
            return;
        }
    }
}
