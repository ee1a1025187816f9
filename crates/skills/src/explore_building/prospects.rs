//! Where there is something to explore: pieces of frontiers, as subjects that all robots name alike.

use super::desk::Desk;
use crewlab_navigation::Place;
use crewlab_navigation::maps::TILE;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Subject, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Side of the squares that frontiers are cut into. [cells]
pub(super) const SQUARE: i32 = 2 * TILE;
/// Added to the place of a square, so that subjects are positive numbers.
const MIDDLE: i32 = 1 << 15;

/// How long a piece is left alone that the robot did not get to, or could not look into. [s]
const SHUNNED: f64 = 60.0;
/// After this many failures the time does not grow any more.
const LONGEST: u32 = 6;

/// A piece of a frontier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Prospect {
    /// Its square of the plane, as a number.
    pub(super) subject: Subject,
    /// Where to go to look into it. [m]
    pub(super) at: Vec2,
    /// Unknown area that should be seen from there, I(f). [m²]
    pub(super) value: f64,
    /// Length of the way, c(f). [m]
    pub(super) way: f64,
}

/// The number of a square.
fn subject((column, row): Place) -> Subject {
    let number = |at: i32| at.saturating_add(MIDDLE).clamp(1, 2 * MIDDLE - 1) as u32;
    number(column) << 16 | number(row)
}

/// The pieces that a robot can get to, and those that it leaves alone for a while because it failed there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Prospects {
    /// The most promising first: that with the largest I(f) - γ c(f) (B.4).
    found: Vec<Prospect>,
    /// When they were found.
    now: Time,
    shunned: BTreeMap<Subject, Shunned>,
}

/// A piece that is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Shunned {
    until: Time,
    /// How often the robot has failed there.
    times: u32,
}

impl Prospects {
    /// Looks for them on a desk. γ in [m²/m]
    pub(super) fn look(&mut self, desk: &Desk, from: Vec2, gamma: f64, now: Time) {
        self.now = now;
        let side = desk.planner.space().grid().resolution();
        let pieces = desk.planner.pieces(from, SQUARE, desk.corner()).unwrap_or_default();
        self.found.clear();
        self.found.extend(pieces.into_iter().map(|(square, piece, way)| Prospect {
            subject: subject(square),
            at: desk.planner.space().grid().point(piece.access),
            value: piece.value as f64 * side * side,
            way,
        }));
        let rank = |prospect: &Prospect| prospect.value - gamma * prospect.way;
        self.found.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.subject.cmp(&b.subject)));
    }

    /// Forgets them: the robot does not know where it is.
    pub(super) fn clear(&mut self) {
        self.found.clear();
    }

    /// Leaves a piece alone for a while, each time for longer.
    pub(super) fn shun(&mut self, subject: Subject, now: Time) {
        let shunned = self.shunned.entry(subject).or_insert(Shunned { until: now, times: 0 });
        shunned.times = (shunned.times + 1).min(LONGEST);
        shunned.until = Time::from_seconds(now.seconds() + SHUNNED * f64::from(1 << (shunned.times - 1)));
    }

    /// True if a piece is left alone.
    pub(super) fn shuns(&self, subject: Subject) -> bool {
        self.shunned.get(&subject).is_some_and(|shunned| shunned.until > self.now)
    }

    /// Those that are worth a visit, the most promising first.
    pub(super) fn worth(&self) -> impl Iterator<Item = &Prospect> {
        self.found.iter().filter(|prospect| !self.shuns(prospect.subject))
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Prospect] {
        &self.found
    }

    /// A piece by its number.
    pub(super) fn get(&self, subject: Subject) -> Option<&Prospect> {
        self.found.iter().find(|prospect| prospect.subject == subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_different_numbers_and_none_is_zero() {
        let squares = [(0, 0), (0, 1), (1, 0), (-1, 0), (0, -1), (-300, 20)];
        let mut numbers: Vec<Subject> = squares.map(subject).to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((numbers.len(), numbers.contains(&0)), (squares.len(), false));
        assert_ne!(subject((i32::MIN, i32::MAX)), 0);
    }

    #[test]
    fn a_shunned_piece_comes_back_later_and_later() {
        let found = vec![Prospect { subject: 7, at: Vec2::ZERO, value: 1.0, way: 1.0 }];
        let mut prospects = Prospects { found, ..Prospects::default() };
        let mut away = Vec::new();
        for _ in 0..3 {
            let failed = prospects.now;
            prospects.shun(7, failed);
            assert!(prospects.shuns(7) && prospects.worth().next().is_none() && prospects.get(7).is_some());
            while prospects.shuns(7) {
                prospects.now = Time::from_seconds(prospects.now.seconds() + 1.0);
            }
            away.push(prospects.now.since(failed));
            assert_eq!(prospects.worth().count(), 1);
        }
        assert_eq!(away, [60.0, 120.0, 240.0]);
    }
}
