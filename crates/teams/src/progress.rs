//! Progress on the piece in progress, and pieces that were given up.
//!
//! Progress means that the expected time falls. Many estimates do not fall while the work goes well (the time to search a room),
//! so a piece gets the time that it is expected to take, plus `patience`. Repetitive work (item by item) makes the estimate jump
//! up after it has fallen: then the count starts again. Work that costs nothing, such as patrolling, has no progress to wait for.

use crewlab_onboard::{Piece, Time};
use serde::{Deserialize, Serialize};

/// A fall of the expected time that counts as progress. [s]
const FALL: f64 = 1.0;
/// A rise from one tick to the next that marks the start of something new. [s]
const LEAP: f64 = 5.0;
/// Largest number of doublings of patience and pause.
const MOST_DOUBLINGS: u8 = 6;
/// Largest number of pieces remembered as given up: the one that may be retried first is forgotten.
const MOST_GIVEN_UP: usize = 256;

/// The piece in progress.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Watch {
    piece: Piece,
    /// When the robot started it, by the time since boot.
    began: Time,
    /// The least expected time so far. [s]
    least: f64,
    /// The expected time in the last tick. [s]
    last: f64,
    /// True once it has fallen.
    fell: bool,
    /// True while it costs nothing.
    endless: bool,
    /// When the last progress was made, by the time since boot.
    since: Time,
}

/// A piece that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct GivenUp {
    piece: Piece,
    times: u8,
    /// Until when it is left to others, by the time since boot.
    until: Time,
}

/// Memory of progress on one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    watch: Option<Watch>,
    given_up: Vec<GivenUp>,
}

impl Progress {
    /// Updates the expected time of the piece in progress; returns for how long it has stalled, if that is more than its expected time
    /// and `patience`. [s]
    pub(crate) fn look(&mut self, piece: Piece, cost: f64, uptime: Time, patience: f64) -> Option<f64> {
        let endless = cost == 0.0;
        let cost = if cost.is_finite() { cost } else { 0.0 };
        let fresh =
            Watch { piece, began: uptime, least: cost, last: cost, fell: false, endless, since: uptime };
        let doublings = self.times(piece);
        let watch = match &mut self.watch {
            Some(watch) if watch.piece == piece => watch,
            other => other.insert(fresh),
        };
        if endless || watch.endless {
            *watch = Watch { began: watch.began, ..fresh };
        } else if cost < watch.least - FALL {
            *watch = Watch { fell: true, began: watch.began, ..fresh };
        } else if watch.fell && cost > watch.last + LEAP {
            *watch = Watch { began: watch.began, ..fresh };
        }
        watch.last = cost;
        let allowed = doubled(watch.least + patience, doublings);
        let stalled = uptime.since(watch.since);
        (stalled > allowed).then_some(stalled)
    }

    /// How long the robot has worked on a piece. [s]
    pub(crate) fn worked(&self, piece: Piece, uptime: Time) -> f64 {
        let watch = self.watch.filter(|watch| watch.piece == piece);
        watch.map_or(0.0, |watch| uptime.since(watch.began))
    }

    /// Nothing is in progress.
    pub(crate) fn rest(&mut self) {
        self.watch = None;
    }

    /// Gives a piece up for `pause`, and for longer each time; returns for how long. [s]
    pub(crate) fn give_up(&mut self, piece: Piece, uptime: Time, pause: f64) -> f64 {
        let times = self.times(piece);
        let pause = doubled(pause, times);
        self.forgive(piece);
        if self.given_up.len() >= MOST_GIVEN_UP {
            let first = self.given_up.iter().enumerate().min_by_key(|(_, given_up)| given_up.until);
            if let Some((first, _)) = first {
                self.given_up.remove(first);
            }
        }
        let until = uptime.after(Time::from_seconds(pause).0);
        self.given_up.push(GivenUp { piece, times: times.saturating_add(1).min(MOST_DOUBLINGS), until });
        self.rest();
        pause
    }

    /// The robot has finished it after all.
    pub(crate) fn forgive(&mut self, piece: Piece) {
        self.given_up.retain(|given_up| given_up.piece != piece);
    }

    /// True while a piece is left to others.
    pub(crate) fn pauses(&self, piece: Piece, uptime: Time) -> bool {
        self.given_up.iter().any(|given_up| given_up.piece == piece && uptime < given_up.until)
    }

    /// True if the robot once gave a piece up and has not finished it since.
    pub(crate) fn gave_up(&self, piece: Piece) -> bool {
        self.times(piece) > 0
    }

    fn times(&self, piece: Piece) -> u8 {
        self.given_up.iter().find(|given_up| given_up.piece == piece).map_or(0, |given_up| given_up.times)
    }
}

fn doubled(seconds: f64, times: u8) -> f64 {
    seconds * f64::from(1u32 << times.min(MOST_DOUBLINGS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::TaskId;

    const PIECE: Piece = Piece { task: TaskId(0), subject: 0 };

    /// When a piece with this cost at every second is given up. [s]
    fn given_up_at(progress: &mut Progress, start: u64, cost: impl Fn(u64) -> f64) -> Option<u64> {
        (start..start + 500).find(|second| {
            let now = Time::from_seconds(*second as f64);
            let stalled = progress.look(PIECE, cost(*second), now, 10.0).is_some();
            if stalled {
                progress.give_up(PIECE, now, 4.0);
            }
            stalled
        })
    }

    #[test]
    fn a_piece_gets_its_expected_time_plus_patience() {
        assert_eq!(given_up_at(&mut Progress::default(), 0, |_| 20.0), Some(31));
        assert_eq!(given_up_at(&mut Progress::default(), 0, |_| f64::INFINITY), Some(11));
        assert_eq!(given_up_at(&mut Progress::default(), 0, |_| 0.0), None, "patrolling never ends");
        // It turns out to have a cost, which falls as it should, and then no longer.
        let later = |second: u64| if second < 5 { 0.0 } else { 200.0 - (second - 5).min(100) as f64 };
        assert_eq!(given_up_at(&mut Progress::default(), 0, later), Some(5 + 100 + 100 + 11));
        // The estimate falls until second 12, from 20 s to 8 s, and is stuck there.
        let nearer = |second: u64| 20.0 - (second as f64).min(12.0);
        assert_eq!(given_up_at(&mut Progress::default(), 0, nearer), Some(12 + 9 + 10));
    }

    #[test]
    fn repetitive_work_is_progress_and_jitter_is_not() {
        let items = |second: u64| 30.0 - (second % 30) as f64;
        assert_eq!(given_up_at(&mut Progress::default(), 0, items), None);
        let trembling = |second: u64| 20.0 + 0.4 * (second % 2) as f64;
        assert_eq!(given_up_at(&mut Progress::default(), 0, trembling), Some(31));
        let leaping_only = |second: u64| if second.is_multiple_of(9) { 20.0 } else { 30.0 };
        assert_eq!(given_up_at(&mut Progress::default(), 0, leaping_only), Some(31));
    }

    #[test]
    fn patience_and_pause_double_until_it_is_done() {
        let mut progress = Progress::default();
        assert_eq!(given_up_at(&mut progress, 0, |_| 20.0), Some(31));
        let pauses = |progress: &Progress, second: f64| progress.pauses(PIECE, Time::from_seconds(second));
        assert!(pauses(&progress, 34.9) && !pauses(&progress, 35.0));
        assert_eq!(given_up_at(&mut progress, 100, |_| 20.0), Some(161));
        assert!(pauses(&progress, 168.9) && !pauses(&progress, 169.0));
        progress.forgive(PIECE);
        assert_eq!(given_up_at(&mut progress, 200, |_| 20.0), Some(231));
    }

    #[test]
    fn memory_is_bounded() {
        let mut progress = Progress::default();
        for subject in 0..10_000 {
            progress.give_up(Piece { task: TaskId(0), subject }, Time(u64::from(subject)), 30.0);
        }
        assert_eq!(progress.given_up.len(), MOST_GIVEN_UP);
    }
}
