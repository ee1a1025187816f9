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

/// Snapshots of one lane in one branch; more are thinned out.
const MOST: usize = 500;

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
        if self.shots.len() > MOST {
            self.thin();
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
    fn shots_wait_until_the_last_one_has_paid_off() {
        let (mut album, mut state) = (Album::default(), state());
        album.cost = Duration::from_millis(10);
        state.tick = 100;
        assert!(!album.note(Duration::from_millis(499), &state, &ResultHash::default()));
        assert!(album.note(Duration::from_millis(1), &state, &ResultHash::default()));
        state.tick = 100 + CLOSEST - 1;
        assert!(!album.note(Duration::from_secs(1), &state, &ResultHash::default()), "too close");
    }

    #[test]
    fn branches_share_what_came_before_and_all_together_stay_within_the_bound() {
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
