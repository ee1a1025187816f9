//! What MuRoCo's robots say to each other.

use crewlab_onboard::{Body, Piece, RobotId, TaskId};
use serde::{Deserialize, Serialize};

/// An auction's number. Auctioneers count on from the highest number they heard, so an older one is smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RoundId {
    /// Its count.
    pub number: u32,
    /// Who holds it.
    pub auctioneer: RobotId,
    /// Drawn when its software started, so that a robot that lost its memory does not give the same number twice.
    pub boot: u16,
}

/// A robot's bids for one piece of work: for each alternative, for each part, the reward it expects; nothing if it cannot.
pub type Bids = Vec<Vec<Option<f64>>>;

/// What a robot is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engaged {
    /// By which auction.
    pub round: RoundId,
    /// To which piece of work.
    pub piece: Piece,
}

/// How an engagement ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// The engagement.
    pub engaged: Engaged,
    /// The reward that its part brought; nothing if it is not done.
    pub reward: Option<f64>,
}

/// How a part ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    /// It is done, with this reward: its utility less the time it took. [s]
    Done(f64),
    /// It ended before that.
    Failed {
        /// Why.
        why: String,
        /// True if it was an error in the work, not a matter of robots or messages.
        error: bool,
    },
}

/// A coalition that a broker found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The alternative it would do.
    pub alternative: u8,
    /// Who does which part.
    pub members: Vec<RobotId>,
    /// What each of them bids for its part.
    pub bids: Vec<f64>,
    /// What the coalition is worth.
    pub value: f64,
}

/// A piece of work and who gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Award {
    /// What.
    pub piece: Piece,
    /// In which way.
    pub alternative: u8,
    /// Who does which part, with the reward that each pledges to reach.
    pub members: Vec<(RobotId, f64)>,
}

/// What a robot says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alive {
    /// Place in the queue of auctioneers: the lower, the sooner.
    pub priority: i32,
    /// What it can, as bits of the vocabulary.
    pub capabilities: Vec<u64>,
    /// What it is bound to.
    pub engaged: Option<Engaged>,
    /// What it was bound to not long ago.
    pub past: Vec<Past>,
    /// What it auctions.
    pub claims: Vec<Piece>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Talk {
    /// "I am here, this is what I can and do." To all, at a rate.
    Alive(Alive),
    /// "This is to do", to the auctioneer.
    Tasks(Vec<Piece>),
    /// "Bid for these." With the robots that are asked if each is to evaluate its share of coalitions.
    Announce {
        /// The auction.
        round: RoundId,
        /// What is to do.
        pieces: Vec<Piece>,
        /// Who is asked, in the order of the shares.
        shared_by: Vec<RobotId>,
    },
    /// "What would you bid for the parts of this?", from broker to broker.
    Request {
        /// The auction.
        round: RoundId,
        /// The piece of work.
        piece: Piece,
    },
    /// The answer.
    Reply {
        /// The auction.
        round: RoundId,
        /// The bids.
        bids: Bids,
    },
    /// A robot's bids, for each piece in the order of the announcement.
    Bid {
        /// The auction.
        round: RoundId,
        /// The bids.
        bids: Vec<Bids>,
    },
    /// The best coalition of a broker's share.
    Coalition {
        /// The auction.
        round: RoundId,
        /// The coalition, if there is any.
        best: Option<Offer>,
        /// What the broker was bid, by the robots of the announcement; nothing from those that it did not hear.
        bids: Vec<Option<Bids>>,
    },
    /// "This is who gets what."
    Assign {
        /// The auction.
        round: RoundId,
        /// All awards of the auction.
        awards: Vec<Award>,
    },
    /// "I take it", or not.
    Confirm {
        /// What was awarded.
        engaged: Engaged,
        /// Whether it still can.
        accepted: bool,
    },
    /// How a part ended, to the auctioneer and to partners; or from the auctioneer: "let it go".
    Status {
        /// What was awarded.
        engaged: Engaged,
        /// The part.
        part: TaskId,
        /// How it ended.
        ending: Ending,
    },
}

/// The phases of an auction, as table 3.1 counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Announcements.
    pub announce: u64,
    /// Requests between brokers.
    pub request: u64,
    /// Replies to them.
    pub reply: u64,
    /// Bids.
    pub bid: u64,
    /// Assignments.
    pub assign: u64,
    /// Confirmations.
    pub acknowledge: u64,
}

impl Tally {
    /// Counts a message.
    pub(super) fn count(&mut self, talk: &Talk) {
        match talk {
            Talk::Announce { .. } => self.announce += 1,
            Talk::Request { .. } => self.request += 1,
            Talk::Reply { .. } => self.reply += 1,
            Talk::Bid { .. } | Talk::Coalition { .. } => self.bid += 1,
            Talk::Assign { .. } => self.assign += 1,
            Talk::Confirm { .. } => self.acknowledge += 1,
            Talk::Alive(_) | Talk::Tasks(_) | Talk::Status { .. } => {}
        }
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.announce + self.request + self.reply + self.bid + self.assign + self.acknowledge
    }
}

impl Talk {
    /// The message as a radio message's content.
    pub(super) fn body(&self) -> Body {
        // Serialising plain data into a growing vector cannot fail.
        Body::Coordination(postcard::to_stdvec(self).unwrap_or_default())
    }

    /// What a radio message says; nothing if it is not from this coordinator, or damaged.
    pub fn of(body: &Body) -> Option<Talk> {
        let Body::Coordination(bytes) = body else { return None };
        match postcard::take_from_bytes(bytes) {
            Ok((talk, [])) => Some(talk),
            _ => None,
        }
    }
}
