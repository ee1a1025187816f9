//! A robot's belief about who holds what (y and z), and the age of its information about every team-mate (s).

use super::consensus::Claim;
use crewlab_onboard::{Piece, RobotId, Time};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Largest number of claims of others, so that no sequence of messages can exhaust the memory.
const MOST_CLAIMS: usize = 4_096;

/// Largest number of team-mates: then the one silent for longest is forgotten.
const MOST_MATES: usize = 1_024;

/// A stamp further ahead of the robot's own clock than this is implausible. [ms]
const BELIEVED: u64 = 1 << 32;

/// One team-mate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mate {
    pub robot: RobotId,
    /// s: the stamp of its own latest information that has arrived here, directly or through others.
    pub stamp: u64,
    /// When that came, by the time since boot.
    pub heard: Time,
}

/// Winning bids, winners and stamps on one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// By piece.
    claims: Vec<(Piece, Claim)>,
    /// By number.
    mates: Vec<Mate>,
}

impl Ledger {
    /// All claims, by piece.
    pub(crate) fn claims(&self) -> &[(Piece, Claim)] {
        &self.claims
    }

    /// All team-mates, by number.
    pub(crate) fn mates(&self) -> &[Mate] {
        &self.mates
    }

    /// The believed holder of a piece.
    pub(crate) fn claim(&self, piece: Piece) -> Option<Claim> {
        self.claims.binary_search_by_key(&piece, |(p, _)| *p).ok().map(|place| self.claims[place].1)
    }

    /// Records who holds a piece, or that nobody does.
    pub(crate) fn set(&mut self, piece: Piece, claim: Option<Claim>) {
        match (self.claims.binary_search_by_key(&piece, |(p, _)| *p), claim) {
            (Ok(place), Some(claim)) => self.claims[place].1 = claim,
            (Ok(place), None) => {
                self.claims.remove(place);
            }
            (Err(place), Some(claim)) => self.claims.insert(place, (piece, claim)),
            (Err(_), None) => {}
        }
    }

    /// True if no more claims of others can be recorded.
    pub(crate) fn full(&self) -> bool {
        self.claims.len() >= MOST_CLAIMS
    }

    /// Compares the age of somebody else's information about a robot with one's own: `Greater` if newer.
    pub(crate) fn compare(&self, robot: RobotId, their_stamp: u64) -> Ordering {
        their_stamp.cmp(&self.mate(robot).map_or(0, |mate| mate.stamp))
    }

    fn mate(&self, robot: RobotId) -> Option<&Mate> {
        self.mates.binary_search_by_key(&robot, |mate| mate.robot).ok().map(|place| &self.mates[place])
    }

    /// Processes a stamp of a team-mate. Only one that is newer than the known one is a sign of life; repeated information about
    /// a dead robot is not.
    pub(crate) fn hear(&mut self, robot: RobotId, stamp: u64, uptime: Time) {
        match self.mates.binary_search_by_key(&robot, |mate| mate.robot) {
            Ok(place) if stamp > self.mates[place].stamp => {
                self.mates[place] = Mate { robot, stamp, heard: uptime };
            }
            Ok(_) => {}
            Err(_) if self.mates.len() >= MOST_MATES => {
                let silent = self.mates.iter().enumerate().min_by_key(|(_, mate)| mate.heard);
                if let Some((silent, _)) = silent {
                    self.mates.remove(silent);
                    self.hear(robot, stamp, uptime);
                }
            }
            Err(place) => self.mates.insert(place, Mate { robot, stamp, heard: uptime }),
        }
    }

    /// A team-mate sent a message itself: a sign of life, whatever its stamp.
    pub(crate) fn greet(&mut self, robot: RobotId, uptime: Time) {
        self.hear(robot, 0, uptime);
        if let Ok(place) = self.mates.binary_search_by_key(&robot, |mate| mate.robot) {
            self.mates[place].heard = uptime;
        }
    }

    /// Team-mates that hold something and have been silent for longer than allowed, with the silence. [s]
    pub(crate) fn silent(&self, me: RobotId, uptime: Time, allowed: f64) -> Vec<(RobotId, f64)> {
        let mut silent: Vec<(RobotId, f64)> = Vec::new();
        for (_, claim) in &self.claims {
            let silence = self.mate(claim.winner).map_or(f64::INFINITY, |mate| uptime.since(mate.heard));
            if claim.winner != me && silence > allowed && silent.iter().all(|(r, _)| *r != claim.winner) {
                silent.push((claim.winner, silence));
            }
        }
        silent
    }
}

/// True if a stamp is plausible by the robot's own clock.
pub(crate) fn believed(stamp: u64, now: Time) -> bool {
    stamp <= milliseconds(now).saturating_add(BELIEVED)
}

/// A clock's time as a stamp. [ms]
pub(crate) fn milliseconds(now: Time) -> u64 {
    now.0 / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::TaskId;

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    #[test]
    fn only_news_of_a_robot_is_a_sign_of_its_life() {
        let (me, other, piece) = (RobotId(0), RobotId(1), Piece { task: TaskId(0), subject: 0 });
        let mut ledger = Ledger::default();
        ledger.set(piece, Some(Claim { winner: other, bid: 1.0, under_way: false }));
        ledger.hear(other, 40, at(1.0));
        ledger.hear(other, 40, at(3.0));
        ledger.hear(other, 39, at(3.0));
        assert_eq!(ledger.silent(me, at(6.0), 5.0), []);
        assert_eq!(ledger.silent(me, at(6.5), 5.0), [(other, 5.5)]);
        ledger.hear(other, 41, at(6.5));
        assert_eq!(ledger.silent(me, at(7.0), 5.0), []);
        assert_eq!(ledger.silent(other, at(70.0), 5.0), [], "nobody is silent to itself");
    }

    #[test]
    fn the_memory_is_bounded_whatever_is_heard() {
        let mut ledger = Ledger::default();
        for number in 0..20_000u32 {
            let piece = Piece { task: TaskId(0), subject: number };
            if !ledger.full() {
                ledger.set(piece, Some(Claim { winner: RobotId(number as u16), bid: 1.0, under_way: false }));
            }
            ledger.hear(RobotId(number as u16), 1, Time(u64::from(number)));
        }
        assert_eq!((ledger.claims().len(), ledger.mates().len()), (MOST_CLAIMS, MOST_MATES));
        assert!(ledger.mates().iter().any(|mate| mate.robot == RobotId(19_999)), "the latest is remembered");
    }
}
