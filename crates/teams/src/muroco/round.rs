//! One auction: its phase, and the answers it waits for.

use super::context::TickContext;
use super::evaluate::Answer;
use super::talk::{Award, Bids, MarketMessage, RoundId};
use crewlab_onboard::{Piece, RobotId, Time};
use serde::{Deserialize, Serialize};

/// The phase of an auction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    /// Waits for bids of robots.
    Bids(Vec<Option<Vec<Bids>>>),
    /// Waits for coalitions found by brokers.
    Coalitions(Vec<Option<Answer>>),
    /// Waits for confirmations: for each award, for each member.
    Confirmations(Vec<(Award, Vec<Option<bool>>)>),
}

/// The current auction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    pub id: RoundId,
    pub pieces: Vec<Piece>,
    pub robots: Vec<RobotId>,
    pub phase: Phase,
    pub since: Time,
    /// When those without an answer were last asked.
    pub asked: Time,
}

impl Round {
    /// True if there are others in the auction, and none of them has answered.
    pub fn unanswered(&self, me: RobotId) -> bool {
        let silent = |came: &[bool]| {
            let others = || self.robots.iter().zip(came).filter(|(robot, _)| **robot != me);
            others().next().is_some() && others().all(|(_, came)| !came)
        };
        match &self.phase {
            Phase::Bids(bids) => silent(&bids.iter().map(Option::is_some).collect::<Vec<_>>()),
            Phase::Coalitions(answers) => silent(&answers.iter().map(Option::is_some).collect::<Vec<_>>()),
            Phase::Confirmations(_) => false,
        }
    }

    /// Asks those again who have not answered for a while: a message may have been lost.
    pub fn ask_again(&mut self, context: &mut TickContext) {
        // Brokers that ask others first take twice as long.
        let patience = match self.phase {
            Phase::Coalitions(_) => 2.0 * context.ask_again(),
            Phase::Bids(_) | Phase::Confirmations(_) => context.ask_again(),
        };
        if self.asked <= context.now() && context.now().within(self.asked, patience) {
            return;
        }
        self.asked = context.now();
        let silent = |slots: &[bool]| -> Vec<RobotId> {
            self.robots.iter().zip(slots).filter(|(_, came)| !**came).map(|(robot, _)| *robot).collect()
        };
        let (to, talk) = match &self.phase {
            Phase::Bids(bids) => {
                let came: Vec<bool> = bids.iter().map(Option::is_some).collect();
                let (round, pieces, shared_by) = (self.id, self.pieces.clone(), Vec::new());
                (silent(&came), MarketMessage::Announce { round, pieces, shared_by })
            }
            Phase::Coalitions(answers) => {
                let came: Vec<bool> = answers.iter().map(Option::is_some).collect();
                let (round, pieces, shared_by) = (self.id, self.pieces.clone(), self.robots.clone());
                (silent(&came), MarketMessage::Announce { round, pieces, shared_by })
            }
            Phase::Confirmations(awards) => {
                let members = awards.iter().flat_map(|(award, slots)| award.members.iter().zip(slots));
                let to = members.filter(|(_, slot)| slot.is_none()).map(|((robot, _), _)| *robot).collect();
                let awards = awards.iter().map(|(award, _)| award.clone()).collect();
                (to, MarketMessage::Assign { round: self.id, awards })
            }
        };
        to.into_iter().for_each(|robot| context.send(robot, talk.clone()));
    }
}
