//! A robot's knowledge of the furniture: where low pieces stand, which are dusted, and which to leave alone.

use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};

/// Largest number of pieces that are remembered.
const MOST: usize = 100;
/// Sightings nearer than this to a piece belong to it. [m]
const NEXT_TO: f64 = 0.8;
/// A piece that was shelved masks only this much of its surroundings. [m]
const SMALL: f64 = 0.5;
/// How long a piece is left alone at first where nothing could be dusted. It doubles every time, so that no place keeps a robot from
/// looking elsewhere, and none is given up for good. [s]
const PAUSE: f64 = 120.0;
/// It doubles up to this. [s]
const LONGEST_PAUSE: f64 = 960.0;
/// Dust that is farther than this from all known pieces that want dusting belongs to another one. [m]
const ELSEWHERE: f64 = 1.5;

/// Knowledge of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PieceState {
    /// It was seen, and nobody is known to have dusted it.
    Seen,
    /// A team-mate says that it dusts it.
    Claimed {
        /// The team-mate.
        by: RobotId,
        /// Since when.
        since: Time,
    },
    /// This robot has found dust on it.
    Dusty,
    /// It is dusted.
    Dusted,
    /// Nothing could be dusted there: there was no dust, or nothing low, or the robot did not get there.
    Shelved {
        /// Until when it is left alone.
        until: Time,
        /// How long it is left alone the next time. [s]
        pause: f64,
    },
}

/// One piece of furniture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Where it stands. [m]
    pub place: Vec2,
    /// Its state.
    pub fate: PieceState,
}

impl Piece {
    /// How long it is left alone if nothing can be dusted there now. [s]
    fn pause(&self) -> f64 {
        match self.fate {
            PieceState::Shelved { pause, .. } => pause,
            _ => PAUSE,
        }
    }
}

/// All pieces a robot knows of; those it should leave alone are its ignore list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Furniture {
    pieces: Vec<Piece>,
    /// Places nearer to each other than this are the same piece. [m]
    same: f64,
    /// How long a piece that a team-mate claims is left to it. [s]
    patience: f64,
}

impl Furniture {
    /// Without known pieces.
    pub fn new(same: f64, patience: f64) -> Furniture {
        Furniture { pieces: Vec::new(), same, patience }
    }

    fn at(&mut self, place: Vec2) -> Option<&mut Piece> {
        let same = self.same;
        let near = self.pieces.iter_mut().filter(|piece| {
            let shelved = matches!(piece.fate, PieceState::Shelved { .. });
            piece.place.distance(place) < if shelved { SMALL } else { same }
        });
        near.min_by(|a, b| a.place.distance(place).total_cmp(&b.place.distance(place)))
    }

    /// Adds a piece. If there are too many, the oldest one that is not dusted is forgotten.
    fn add(&mut self, place: Vec2, fate: PieceState) {
        if self.pieces.len() >= MOST {
            match self.pieces.iter().position(|piece| piece.fate != PieceState::Dusted) {
                Some(oldest) => drop(self.pieces.remove(oldest)),
                None => return,
            }
        }
        self.pieces.push(Piece { place, fate });
    }

    /// Something low was seen.
    pub fn see(&mut self, place: Vec2) {
        if self.at(place).is_none() {
            self.add(place, PieceState::Seen);
        }
    }

    /// There is dust on something here. If no known piece explains it, it is on another one, however near that is to a dusted piece.
    pub fn smell(&mut self, place: Vec2, now: Time) {
        let (same, patience) = (self.same, self.patience);
        let explains = |piece: &Piece| match piece.fate {
            PieceState::Dusty => piece.place.distance(place) < ELSEWHERE,
            PieceState::Claimed { since, .. } => {
                now.since(since) <= patience && piece.place.distance(place) < ELSEWHERE
            }
            PieceState::Shelved { until, .. } => now < until && piece.place.distance(place) < SMALL,
            PieceState::Seen | PieceState::Dusted => false,
        };
        if self.pieces.iter().any(explains) {
            return;
        }
        // It was seen before, whoever has claimed it has left it, or it was left alone for long enough.
        let near = self.pieces.iter_mut().filter(|piece| match piece.fate {
            PieceState::Seen | PieceState::Claimed { .. } => piece.place.distance(place) < same,
            PieceState::Shelved { .. } => piece.place.distance(place) < SMALL,
            PieceState::Dusty | PieceState::Dusted => false,
        });
        match near.min_by(|a, b| a.place.distance(place).total_cmp(&b.place.distance(place))) {
            Some(piece) => piece.fate = PieceState::Dusty,
            None => self.add(place, PieceState::Dusty),
        }
    }

    /// True if a piece is known to be dusty and nobody has claimed it.
    pub fn any_dusty(&self) -> bool {
        self.pieces.iter().any(|piece| piece.fate == PieceState::Dusty)
    }

    /// The dusty piece that explains dust at a place. [m]
    pub fn dusty_near(&self, place: Vec2) -> Option<Vec2> {
        let dusty = self.pieces.iter().filter(|piece| piece.fate == PieceState::Dusty);
        dusty.map(|piece| piece.place).find(|dusty| dusty.distance(place) < ELSEWHERE)
    }

    /// A team-mate says that it is dusting there.
    pub fn claim(&mut self, place: Vec2, by: RobotId, now: Time) {
        let fresh = PieceState::Claimed { by, since: now };
        match self.at(place) {
            Some(piece) => match piece.fate {
                // Patience runs from the first time.
                PieceState::Claimed { by: before, .. } if before == by => {}
                PieceState::Dusted => {}
                _ => piece.fate = fresh,
            },
            None => self.add(place, fresh),
        }
    }

    /// A piece is dusted, by this robot or another.
    pub fn dust(&mut self, place: Vec2) {
        let same = self.same;
        let dusted = self.dusted_places().map(|other| other.distance(place)).fold(f64::INFINITY, f64::min);
        // This robot has found dust beside a dusted piece, so there are two.
        let apart = |piece: &Piece| piece.fate == PieceState::Dusty && piece.place.distance(place) < dusted;
        if dusted >= same || self.pieces.iter().any(apart) {
            self.add(place, PieceState::Dusted);
        }
        // Other sightings of it are not other pieces.
        self.pieces.retain(|piece| piece.fate == PieceState::Dusted || piece.place.distance(place) >= same);
    }

    /// There is dust on a piece.
    pub fn find_dust(&mut self, place: Vec2) {
        match self.at(place) {
            Some(piece) if matches!(piece.fate, PieceState::Seen | PieceState::Shelved { .. }) => {
                piece.fate = PieceState::Dusty
            }
            Some(_) => {}
            None => self.add(place, PieceState::Dusty),
        }
    }

    /// There is no dust on the piece at a place. True if this robot or a team-mate last reported dust on it: then somebody has dusted
    /// it without reporting it, unless it was on a piece nearby that is known to be dusted.
    pub fn find_no_dust(&mut self, place: Vec2) -> bool {
        let reported = |fate: PieceState| matches!(fate, PieceState::Claimed { .. } | PieceState::Dusty);
        let known = self.dusted_near(place) > 0;
        let dusted = !known
            && self
                .at(place)
                .is_some_and(|piece| reported(piece.fate) && piece.place.distance(place) < NEXT_TO);
        if dusted {
            self.dust(place);
        }
        dusted
    }

    /// Leaves the piece at a place alone for a while, longer every time: nothing could be dusted there.
    pub fn shelve(&mut self, place: Vec2, now: Time) {
        let shelved = |pause: f64| PieceState::Shelved {
            until: now.after((pause * 1e9) as u64),
            pause: (2.0 * pause).min(LONGEST_PAUSE),
        };
        let open = |piece: &&mut Piece| piece.fate != PieceState::Dusted && piece.place == place;
        if let Some(piece) = self.pieces.iter_mut().find(open) {
            piece.fate = shelved(piece.pause());
        }
    }

    /// The number of dusted pieces.
    pub fn dusted(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.fate == PieceState::Dusted).count()
    }

    /// The number of dusted pieces that may be the one at a place, seen from another side.
    pub fn dusted_near(&self, place: Vec2) -> usize {
        self.dusted_places().filter(|dusted| dusted.distance(place) < ELSEWHERE).count()
    }

    /// The places of the dusted pieces. [m]
    pub fn dusted_places(&self) -> impl Iterator<Item = Vec2> + '_ {
        self.pieces.iter().filter(|piece| piece.fate == PieceState::Dusted).map(|piece| piece.place)
    }

    /// True if a piece may be dusted now: nobody has, and whoever claims it has used up its time.
    fn wanting(&self, piece: &Piece, now: Time) -> bool {
        match piece.fate {
            PieceState::Seen | PieceState::Dusty => true,
            PieceState::Claimed { since, .. } => now.since(since) > self.patience,
            PieceState::Shelved { until, .. } => now >= until,
            PieceState::Dusted => false,
        }
    }

    /// The nearest piece that may be dusted now. [m]
    pub fn next(&self, from: Vec2, now: Time) -> Option<Vec2> {
        let wanting = self.pieces.iter().filter(|piece| self.wanting(piece, now)).map(|piece| piece.place);
        wanting.min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)))
    }

    /// The robot that has claimed the piece at a place and may still have it.
    pub fn claimant(&mut self, place: Vec2, now: Time) -> Option<RobotId> {
        let patience = self.patience;
        match self.at(place)?.fate {
            PieceState::Claimed { by, since } if now.since(since) <= patience => Some(by),
            _ => None,
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.pieces.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    const TABLE: Vec2 = vec2(2.0, 2.0);
    const HERE: Vec2 = vec2(0.0, 0.0);

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    fn furniture() -> Furniture {
        Furniture::new(1.0, 60.0)
    }

    #[test]
    fn a_piece_seen_from_two_sides_is_one() {
        let mut known = furniture();
        known.see(TABLE);
        known.see(vec2(2.5, 2.4));
        known.see(vec2(5.0, 2.0));
        assert_eq!(known.pieces.len(), 2);
        assert_eq!(known.next(HERE, at(0.0)), Some(TABLE));
    }

    #[test]
    fn a_claimed_piece_is_left_alone_until_patience_is_over() {
        let mut known = furniture();
        known.claim(TABLE, RobotId(1), at(10.0));
        known.claim(vec2(2.2, 2.0), RobotId(1), at(50.0));
        assert_eq!(known.next(HERE, at(69.0)), None);
        assert_eq!(known.claimant(TABLE, at(69.0)), Some(RobotId(1)));
        assert_eq!(known.next(HERE, at(71.0)), Some(TABLE));
        assert_eq!(known.claimant(TABLE, at(71.0)), None);
        known.claim(TABLE, RobotId(2), at(80.0));
        assert_eq!(known.next(HERE, at(81.0)), None, "another robot gets time of its own");
    }

    #[test]
    fn a_dusted_piece_is_left_alone_for_good_and_counted_once() {
        let mut known = furniture();
        known.see(TABLE);
        known.dust(TABLE);
        known.dust(vec2(2.4, 2.4));
        known.claim(TABLE, RobotId(1), at(0.0));
        assert!(!known.find_no_dust(TABLE));
        assert_eq!((known.dusted(), known.next(HERE, at(1e6))), (1, None));
    }

    #[test]
    fn a_piece_that_was_dusty_and_is_clean_has_been_dusted() {
        let mut known = furniture();
        known.see(TABLE);
        known.find_dust(vec2(2.2, 2.0));
        assert_eq!(known.next(HERE, at(0.0)), Some(TABLE));
        assert!(known.find_no_dust(TABLE));
        let elsewhere = vec2(6.0, 2.0);
        known.claim(elsewhere, RobotId(1), at(0.0));
        assert!(known.find_no_dust(elsewhere));
        assert_eq!(known.dusted(), 2);
        let can = vec2(9.0, 2.0);
        known.see(can);
        assert!(!known.find_no_dust(can) && !known.find_no_dust(can), "it never was dusty");
    }

    #[test]
    fn a_place_without_dust_is_left_alone_longer_every_time() {
        let mut known = furniture();
        known.see(TABLE);
        known.shelve(TABLE, at(0.0));
        known.see(vec2(2.2, 2.1));
        assert_eq!(known.next(HERE, at(119.0)), None, "another sighting of it is no news");
        assert_eq!(known.next(HERE, at(121.0)), Some(TABLE));
        known.shelve(TABLE, at(130.0));
        assert_eq!(known.next(HERE, at(369.0)), None);
        assert_eq!(known.next(HERE, at(371.0)), Some(TABLE));
        known.dust(TABLE);
        known.shelve(TABLE, at(400.0));
        assert_eq!((known.dusted(), known.next(HERE, at(1e6))), (1, None));
    }

    #[test]
    fn a_shelved_can_beside_a_table_does_not_hide_it() {
        let mut known = furniture();
        let can = vec2(2.0, 1.3);
        known.see(can);
        known.shelve(can, at(0.0));
        known.see(TABLE);
        assert_eq!(known.next(HERE, at(0.0)), Some(TABLE));
    }

    #[test]
    fn dust_beside_a_dusted_piece_is_on_another_one() {
        let mut known = furniture();
        known.dust(TABLE);
        let beside = vec2(2.8, 2.0);
        known.see(beside);
        assert_eq!(known.next(HERE, at(0.0)), None, "it may be the same");
        known.smell(beside, at(0.0));
        known.smell(vec2(2.9, 2.0), at(1.0));
        assert_eq!((known.next(HERE, at(1.0)), known.pieces.len()), (Some(beside), 2));
        known.dust(vec2(2.7, 2.0));
        assert_eq!((known.dusted(), known.next(HERE, at(1.0))), (2, None));
    }

    #[test]
    fn dust_that_is_gone_was_on_the_dusted_piece_beside_it() {
        let mut known = furniture();
        let elsewhere = vec2(3.3, 2.0);
        known.smell(elsewhere, at(0.0));
        known.dust(TABLE);
        assert!(known.any_dusty() && !known.find_no_dust(elsewhere));
        known.shelve(elsewhere, at(1.0));
        assert_eq!((known.dusted(), known.any_dusty()), (1, false));
    }

    #[test]
    fn dust_on_what_was_left_alone_is_on_the_same_piece() {
        let mut known = furniture();
        known.see(TABLE);
        for round in 0..5 {
            let now = 1000.0 * f64::from(round);
            known.smell(TABLE, at(now));
            assert_eq!((known.any_dusty(), known.pieces.len()), (true, 1), "round {round}");
            known.shelve(TABLE, at(now));
            assert_eq!(known.next(HERE, at(now)), None, "round {round}");
        }
    }

    #[test]
    fn dust_on_what_was_seen_or_left_by_its_claimant_is_news() {
        let mut known = furniture();
        known.see(TABLE);
        known.smell(vec2(2.5, 2.0), at(0.0));
        assert!(known.any_dusty() && known.pieces.len() == 1);
        known.claim(TABLE, RobotId(1), at(10.0));
        known.smell(TABLE, at(60.0));
        assert!(!known.any_dusty(), "it is being dusted");
        known.smell(TABLE, at(71.0));
        assert!(known.any_dusty() && known.pieces.len() == 1);
    }

    #[test]
    fn what_noise_made_up_does_not_crowd_out_what_is_dusted() {
        let mut known = furniture();
        for n in 0..200 {
            known.see(vec2(3.0 * f64::from(n), 0.0));
        }
        known.dust(vec2(-5.0, 0.0));
        assert_eq!((known.dusted(), known.pieces.len()), (1, MOST));
    }
}
