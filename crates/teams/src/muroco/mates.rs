//! A robot's knowledge of its team, itself included, from alive messages.

use super::context::TickContext;
use super::talk::{Alive, Engaged, Past};
use super::vocabulary::Bits;
use crewlab_onboard::{Piece, Reason, RobotId, Time};
use serde::{Deserialize, Serialize};

/// Largest number of robots, so that no sequence of messages can exhaust the memory.
const MOST: usize = 4096;

/// A team-mate that was heard so often since the robot's own last alive message is ahead of it.
const OUTPACED: u8 = 3;

/// Knowledge of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mate {
    /// The robot.
    pub id: RobotId,
    /// When it was last heard.
    pub heard: Time,
    /// Its place in the queue of auctioneers.
    pub priority: i32,
    /// Its capabilities.
    pub capabilities: Bits,
    /// Its engagement.
    pub engaged: Option<Engaged>,
    /// Its recent engagements.
    pub past: Vec<Past>,
    /// What it auctions.
    pub claims: Vec<Piece>,
    /// How many of its alive messages have arrived since the robot's own last one.
    unanswered: u8,
}

impl Mate {
    /// True if it is engaged in this.
    pub fn does(&self, engaged: Engaged) -> bool {
        self.engaged == Some(engaged)
    }
}

/// The state of a robot's part, as far as its alive messages tell.
#[derive(Clone, Debug, PartialEq)]
pub enum PartStanding {
    /// It is at work, or has had no time to report.
    Ongoing,
    /// It is done, with this reward.
    Done(f64),
    /// The robot no longer does it.
    Lost(Reason),
}

/// The team, by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mates(Vec<Mate>);

impl Mates {
    /// Processes an alive message.
    pub fn note(&mut self, id: RobotId, now: Time, alive: Alive) {
        let Alive { priority, capabilities, engaged, mut past, claims } = alive;
        // A reward that is not a number, from a damaged message, is ignored.
        past.iter_mut()
            .for_each(|past| past.reward = past.reward.map(|r| if r.is_finite() { r } else { 0.0 }));
        let mate = Mate { id, heard: now, priority, capabilities, engaged, past, claims, unanswered: 1 };
        match self.0.binary_search_by_key(&id, |mate| mate.id) {
            Ok(place) => {
                let unanswered = self.0[place].unanswered.saturating_add(1);
                self.0[place] = Mate { unanswered, ..mate };
            }
            Err(place) => {
                if self.0.len() < MOST {
                    self.0.insert(place, mate);
                }
            }
        }
    }

    /// The robot says that it is alive.
    pub fn answer(&mut self) {
        self.0.iter_mut().for_each(|mate| mate.unanswered = 0);
    }

    /// True if most team-mates have said several times that they are alive since the robot said so: its clock runs slow, and
    /// they would believe that it is gone. One fast clock among many does not count.
    pub fn outpaced(&self, me: RobotId) -> bool {
        let others = || self.0.iter().filter(|mate| mate.id != me && mate.unanswered > 0);
        let ahead = others().filter(|mate| mate.unanswered >= OUTPACED).count();
        ahead > 0 && 2 * ahead >= others().count()
    }

    /// A time in the future is from before the clock was set back.
    pub fn settle(&mut self, now: Time) {
        self.0.iter_mut().for_each(|mate| mate.heard = mate.heard.min(now));
    }

    /// Records that a robot auctions something, before its next alive message says so.
    pub fn claims(&mut self, id: RobotId, pieces: &[Piece]) {
        if let Ok(place) = self.0.binary_search_by_key(&id, |mate| mate.id) {
            let claims = &mut self.0[place].claims;
            claims.extend(pieces.iter().filter(|piece| !claims.contains(piece)).copied().collect::<Vec<_>>());
        }
    }

    /// A robot, if it was ever heard.
    pub fn get(&self, id: RobotId) -> Option<&Mate> {
        self.0.binary_search_by_key(&id, |mate| mate.id).ok().map(|place| &self.0[place])
    }

    /// Those that are not silent, by number.
    pub fn alive(&self, now: Time, silence: f64) -> impl Iterator<Item = &Mate> {
        self.0.iter().filter(move |mate| now.within(mate.heard, silence))
    }

    /// The state of a robot's part of something that it was assigned at some time. The robot reports at its alive rate, so the
    /// report takes some time.
    pub fn standing(
        &self,
        id: RobotId,
        engaged: Engaged,
        given: Time,
        context: &TickContext,
    ) -> PartStanding {
        let now = context.now();
        let Some(mate) = self.present(id, now, context.silence()) else {
            return PartStanding::Lost(Reason::FellSilent(id));
        };
        let settled = !now.within(given, 3.0 / context.params.alive_rate + context.silence() / 2.0);
        match mate.past.iter().find(|past| past.engaged == engaged).map(|past| past.reward) {
            Some(Some(reward)) => PartStanding::Done(reward),
            Some(None) => PartStanding::Lost(Reason::GaveBack(id)),
            None if settled && !mate.does(engaged) => PartStanding::Lost(Reason::DoesOther(id)),
            None => PartStanding::Ongoing,
        }
    }

    /// A robot that is not silent.
    pub fn present(&self, id: RobotId, now: Time, silence: f64) -> Option<&Mate> {
        self.get(id).filter(|mate| now.within(mate.heard, silence))
    }
}
