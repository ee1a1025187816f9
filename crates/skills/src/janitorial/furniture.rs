//! A robot's knowledge of the furniture: where low pieces stand, which are dusted, and which to leave alone.

use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};

/// Largest number of pieces that are remembered.
const MOST: usize = 100;
/// Sightings nearer than this to a piece belong to it. [m]
const NEXT_TO: f64 = 0.8;
/// A piece that turned out not to be dusty masks only this much of its surroundings. [m]
const SMALL: f64 = 0.5;

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
    /// There was no dust on it.
    Plain,
}

/// One piece of furniture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Where it stands. [m]
    pub place: Vec2,
    /// Its state.
    pub fate: PieceState,
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
            piece.place.distance(place) < if piece.fate == PieceState::Plain { SMALL } else { same }
        });
        near.min_by(|a, b| a.place.distance(place).total_cmp(&b.place.distance(place)))
    }

    fn add(&mut self, place: Vec2, fate: PieceState) {
        if self.pieces.len() < MOST {
            self.pieces.push(Piece { place, fate });
        }
    }

    /// Something low was seen.
    pub fn see(&mut self, place: Vec2) {
        if self.at(place).is_none() {
            self.add(place, PieceState::Seen);
        }
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
        if !self.dusted_places().any(|other| other.distance(place) < same) {
            self.add(place, PieceState::Dusted);
        }
        // Other sightings of it are not other pieces.
        self.pieces.retain(|piece| piece.fate == PieceState::Dusted || piece.place.distance(place) >= same);
    }

    /// There is dust on a piece.
    pub fn find_dust(&mut self, place: Vec2) {
        match self.at(place) {
            Some(piece) if matches!(piece.fate, PieceState::Seen | PieceState::Plain) => {
                piece.fate = PieceState::Dusty
            }
            Some(_) => {}
            None => self.add(place, PieceState::Dusty),
        }
    }

    /// There is no dust on a piece. True if this robot or a team-mate last reported dust on it: then somebody has dusted it without
    /// reporting it.
    pub fn find_no_dust(&mut self, place: Vec2) -> bool {
        match self.at(place) {
            Some(piece) if piece.fate == PieceState::Dusted => false,
            Some(piece) if piece.fate != PieceState::Seen && piece.place.distance(place) < NEXT_TO => {
                let dusted = piece.fate != PieceState::Plain;
                if dusted {
                    self.dust(place);
                }
                dusted
            }
            Some(piece) if piece.fate == PieceState::Seen => {
                *piece = Piece { place, fate: PieceState::Plain };
                false
            }
            _ => {
                self.add(place, PieceState::Plain);
                false
            }
        }
    }

    /// There is nothing low where a piece was thought to be.
    pub fn strike(&mut self, place: Vec2) {
        self.pieces.retain(|piece| piece.fate == PieceState::Dusted || piece.place != place);
    }

    /// The number of dusted pieces.
    pub fn dusted(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.fate == PieceState::Dusted).count()
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
            PieceState::Dusted | PieceState::Plain => false,
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
    fn a_can_beside_a_table_does_not_hide_it() {
        let mut known = furniture();
        assert!(!known.find_no_dust(vec2(2.0, 1.3)));
        known.see(TABLE);
        assert_eq!(known.next(HERE, at(0.0)), Some(TABLE));
        known.strike(TABLE);
        assert_eq!(known.next(HERE, at(0.0)), None);
    }
}
