//! MuRoCo-D: a broker finds the best coalition of its share by asking the robots in it.

use super::alternatives::alternatives;
use super::context::TickContext;
use super::evaluate::{offer, task_of};
use super::params::Pruning;
use super::pruning::prune;
use super::talk::{Bids, MarketMessage, RoundId};
use super::vocabulary::Bits;
use crewlab_allocation::responsibilities;
use crewlab_onboard::{Piece, RobotId, Time};
use serde::{Deserialize, Serialize};

/// Largest number of robots whose coalitions are distributed: each lists 2^R of them.
pub const MOST_ROBOTS: usize = 12;

/// An auction in which the broker evaluates its share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    round: RoundId,
    piece: Piece,
    robots: Vec<RobotId>,
    coalitions: Vec<u64>,
    /// For each robot: not asked, asked, or its bids.
    replies: Vec<Reply>,
    since: Time,
    asked: Time,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Reply {
    NotAsked,
    Asked,
    Bids(Bids),
}

impl Inquiry {
    /// Asks all robots in a capable coalition of the share; `None` if the announcement does not concern the broker.
    pub fn open(
        round: RoundId,
        piece: Piece,
        shared_by: Vec<RobotId>,
        context: &mut TickContext,
    ) -> Option<Inquiry> {
        let place = shared_by.iter().position(|robot| *robot == context.me())?;
        if shared_by.len() > MOST_ROBOTS {
            return None;
        }
        let share = responsibilities(shared_by.len()).ok()?.swap_remove(place);
        let nothing = Bits::new();
        let known: Vec<&Bits> = shared_by
            .iter()
            .map(|robot| context.mates.get(*robot).map_or(&nothing, |mate| &mate.capabilities))
            .collect();
        let tasks = context.situation.tasks;
        let ways = alternatives(tasks, piece.task);
        let coalitions = prune(context.params.pruning, &share, &known, &ways, tasks, context.vocabulary);
        // Without pruning everybody is asked, as table 3.1 counts; otherwise only those in a capable coalition of the share.
        let asked = match context.params.pruning {
            Pruning::Off => u64::MAX,
            _ => coalitions.iter().fold(0, |all, coalition| all | coalition),
        };
        let mut replies = Vec::with_capacity(shared_by.len());
        for (place, robot) in shared_by.iter().enumerate() {
            let ask = asked & (1 << place) != 0;
            replies.push(if ask { Reply::Asked } else { Reply::NotAsked });
            if ask {
                context.send(*robot, MarketMessage::Request { round, piece });
            }
        }
        Some(Inquiry {
            round,
            piece,
            robots: shared_by,
            coalitions,
            replies,
            since: context.now(),
            asked: context.now(),
        })
    }

    /// Processes a reply.
    pub fn note(&mut self, from: RobotId, round: RoundId, bids: &Bids) {
        let place = self.robots.iter().position(|robot| *robot == from);
        if let Some(place) = place.filter(|place| round == self.round && self.replies[*place] == Reply::Asked)
        {
            self.replies[place] = Reply::Bids(bids.clone());
        }
    }

    /// True if it is the broker's share of this auction.
    pub fn is_of(&self, round: RoundId) -> bool {
        self.round == round
    }

    fn ask_again(&mut self, context: &mut TickContext) {
        if self.asked <= context.now() && context.now().within(self.asked, context.ask_again()) {
            return;
        }
        self.asked = context.now();
        for (robot, reply) in self.robots.iter().zip(&self.replies) {
            if *reply == Reply::Asked {
                context.send(*robot, MarketMessage::Request { round: self.round, piece: self.piece });
            }
        }
    }

    /// Sends the best coalition to the auctioneer once all have replied or the time is over; then the inquiry is finished.
    pub fn close(&mut self, context: &mut TickContext) -> bool {
        let waiting = self.replies.contains(&Reply::Asked);
        if waiting && context.now().within(self.since, context.patience(context.params.bid_timeout)) {
            self.ask_again(context);
            return false;
        }
        let bids: Vec<Option<&Bids>> = self
            .replies
            .iter()
            .map(|reply| match reply {
                Reply::Bids(bids) => Some(bids),
                Reply::NotAsked | Reply::Asked => None,
            })
            .collect();
        let task = task_of(self.piece, &bids, context);
        let found = context.worth.best_among(&task, self.robots.len(), &self.coalitions);
        let best = found.map(|coalition| offer(&coalition, &task, &self.robots, context.worth));
        let bids = bids.into_iter().map(|bids| bids.cloned()).collect();
        context.send(self.round.auctioneer, MarketMessage::Coalition { round: self.round, best, bids });
        true
    }
}
