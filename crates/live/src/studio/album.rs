//! Snapshots of a run, from which it can continue.

use crewlab_lab::sim::{ResultHash, State};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Least number of ticks between two snapshots.
const CLOSEST: u64 = 20;
/// Work between two snapshots, as a multiple of the cost of one. It bounds both the share of the run's time spent on snapshots and
/// the time to get from one to any later moment.
const WORK_PER_COST: u32 = 50;

/// Largest number of snapshots of one lane in one branch; more are thinned out.
const MOST: usize = 500;

/// The run at one moment.
#[derive(Clone)]
struct Shot {
    tick: u64,
    state: Arc<[u8]>,
    hash: ResultHash,
}

/// Snapshots of one lane in one branch, in the order of time. Branches share those from before they split.
#[derive(Clone, Default)]
pub(super) struct Album {
    shots: Vec<Shot>,
    /// The cost of the last one, and the work since.
    cost: Duration,
    work: Duration,
}

impl Album {
    /// Records work on the run up to this tick, and takes a snapshot if it is time. True if one was taken.
    pub(super) fn note(&mut self, work: Duration, state: &State, hash: &ResultHash) -> bool {
        self.work += work;
        let last = self.shots.last().map_or(0, |shot| shot.tick);
        if state.tick < last + CLOSEST || self.work < self.cost * WORK_PER_COST {
            return false;
        }
        let start = Instant::now();
        // Plain data can always be serialised; without the snapshot the run is only repeated from further back.
        if let Ok(bytes) = postcard::to_stdvec(state) {
            self.shots.push(Shot { tick: state.tick, state: bytes.into(), hash: hash.clone() });
        }
        if self.shots.len() > MOST {
            self.thin();
        }
        (self.cost, self.work) = (start.elapsed(), Duration::ZERO);
        true
    }

    /// Number of snapshots.
    pub(super) fn len(&self) -> usize {
        self.shots.len()
    }

    /// The last snapshot not after this tick.
    pub(super) fn before(&self, tick: u64) -> Option<u64> {
        let place = self.shots.partition_point(|shot| shot.tick <= tick);
        place.checked_sub(1).map(|place| self.shots[place].tick)
    }

    /// The run at a snapshot.
    pub(super) fn restore(&self, tick: u64) -> Option<(State, ResultHash)> {
        let shot = self.shots.iter().find(|shot| shot.tick == tick)?;
        Some((postcard::from_bytes(&shot.state).ok()?, shot.hash.clone()))
    }

    /// The album without snapshots after this tick.
    pub(super) fn until(&self, tick: u64) -> Album {
        let end = self.shots.partition_point(|shot| shot.tick <= tick);
        Album { shots: self.shots[..end].to_vec(), ..self.clone() }
    }

    /// Drops every second snapshot; false if none can be dropped.
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

/// Number of all snapshots, and their memory use. [bytes]
pub(super) fn weigh<'a>(albums: impl Iterator<Item = &'a Album>) -> (usize, usize) {
    let shots = albums.flat_map(|album| &album.shots);
    let unique: BTreeMap<*const u8, usize> =
        shots.map(|shot| (shot.state.as_ptr(), shot.state.len())).collect();
    (unique.len(), unique.values().sum())
}

/// Drops snapshots until all together use no more than this. [bytes]
pub(super) fn keep_within(albums: &mut [&mut Album], bound: usize) {
    while weigh(albums.iter().map(|album| &**album)).1 > bound {
        let thinned: Vec<bool> = albums.iter_mut().map(|album| album.thin()).collect();
        if !thinned.contains(&true) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_scenario::{Request, load};

    fn state() -> State {
        let request = Request { scenario: "waste-cleanup".into(), ..Request::default() };
        load(&request).expect("a shipped scenario").start.1
    }

    /// An album with a shot at each of these ticks.
    fn album(ticks: &[u64]) -> Album {
        let (mut album, mut state) = (Album::default(), state());
        for &tick in ticks {
            state.tick = tick;
            album.cost = Duration::ZERO;
            assert!(album.note(Duration::ZERO, &state, &ResultHash::default()), "{tick}");
        }
        album
    }

    #[test]
    fn the_last_shot_that_is_not_after_a_moment_is_found() {
        let album = album(&[20, 40, 90]);
        for (tick, found) in
            [(0, None), (19, None), (20, Some(20)), (89, Some(40)), (90, Some(90)), (1000, Some(90))]
        {
            assert_eq!(album.before(tick), found, "{tick}");
        }
        assert_eq!(album.restore(40).map(|(state, _)| state.tick), Some(40));
        assert!(album.restore(41).is_none());
        assert_eq!(album.until(89).len(), 2);
    }

    #[test]
    fn snapshots_are_taken_in_proportion_to_their_cost() {
        let (mut album, mut state) = (Album::default(), state());
        album.cost = Duration::from_millis(10);
        state.tick = 100;
        assert!(!album.note(Duration::from_millis(499), &state, &ResultHash::default()));
        assert!(album.note(Duration::from_millis(1), &state, &ResultHash::default()));
        state.tick = 100 + CLOSEST - 1;
        assert!(!album.note(Duration::from_secs(1), &state, &ResultHash::default()), "too close");
    }

    #[test]
    fn branches_share_earlier_snapshots_and_stay_within_the_memory_limit() {
        let mut first = album(&[20, 40, 60, 80]);
        let mut second = first.until(60);
        let (count, bytes) = weigh([&first, &second].into_iter());
        assert_eq!(count, 4, "shared shots count once");
        keep_within(&mut [&mut first, &mut second], bytes / 2);
        let (_, less) = weigh([&first, &second].into_iter());
        assert!(less <= bytes / 2 && less > 0);
        keep_within(&mut [&mut first, &mut second], 0);
        assert_eq!(weigh([&first, &second].into_iter()), (0, 0));
    }
}
