//! MuRoCo's messages.

use crewlab_onboard::{Body, Piece, RobotId, TaskId};
use serde::{Deserialize, Serialize};

/// An auction's number. Auctioneers continue from the highest number they heard, so an older auction has a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RoundId {
    /// Its count.
    pub number: u32,
    /// Its auctioneer.
    pub auctioneer: RobotId,
    /// Drawn when its software started, so that a robot that lost its memory does not reuse a number.
    pub boot: u16,
}

/// A robot's bid for one part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The expected reward ρ̂. [s]
    pub reward: f64,
    /// The reward that is reached in given shares of cases ([`crate::estimators::SHARES`]), the largest first; empty if the
    /// estimator knows only one number. [s]
    pub quantiles: Vec<f64>,
}

/// A robot's bids for one piece of work: for each alternative, for each part; `None` if it cannot do it.
pub type Bids = Vec<Vec<Option<Quote>>>;

/// A robot's engagement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engaged {
    /// The auction that awarded it.
    pub round: RoundId,
    /// The piece of work.
    pub piece: Piece,
}

/// How an engagement ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// The engagement.
    pub engaged: Engaged,
    /// The reward of its part; `None` if it is not done.
    pub reward: Option<f64>,
}

/// How a part ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    /// It is done, with this reward: its utility minus the time it took. [s]
    Done(f64),
    /// It ended early.
    Failed {
        /// The reason.
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
    /// The robot of each part.
    pub members: Vec<RobotId>,
    /// Their bids.
    pub bids: Vec<f64>,
    /// The coalition's value.
    pub value: f64,
}

/// An award: a piece of work and its robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Award {
    /// The piece of work.
    pub piece: Piece,
    /// The alternative.
    pub alternative: u8,
    /// The robot of each part, with its pledged reward.
    pub members: Vec<(RobotId, f64)>,
}

/// A robot's status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alive {
    /// Place in the queue of auctioneers: the lower, the sooner.
    pub priority: i32,
    /// Its capabilities, as bits of the vocabulary.
    pub capabilities: Vec<u64>,
    /// Its engagement.
    pub engaged: Option<Engaged>,
    /// Its recent engagements.
    pub past: Vec<Past>,
    /// The work that it auctions.
    pub claims: Vec<Piece>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MarketMessage {
    /// "I am here; these are my capabilities and my engagement." To all, at a rate.
    Alive(Alive),
    /// "This has to be done", to the auctioneer.
    Tasks(Vec<Piece>),
    /// "Bid for these." Lists the robots asked if each evaluates its share of coalitions.
    Announce {
        /// The auction.
        round: RoundId,
        /// The work.
        pieces: Vec<Piece>,
        /// The robots asked, in the order of their shares.
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
        /// The bids that the broker received, by the robots of the announcement; `None` for those that did not answer.
        bids: Vec<Option<Bids>>,
    },
    /// "These are the awards."
    Assign {
        /// The auction.
        round: RoundId,
        /// All awards of the auction.
        awards: Vec<Award>,
    },
    /// "I accept", or "I do not".
    Confirm {
        /// The award.
        engaged: Engaged,
        /// Whether the robot accepts.
        accepted: bool,
    },
    /// The end of a part, to the auctioneer and to partners; or from the auctioneer: "drop it".
    Status {
        /// The award.
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
    pub(super) fn count(&mut self, talk: &MarketMessage) {
        match talk {
            MarketMessage::Announce { .. } => self.announce += 1,
            MarketMessage::Request { .. } => self.request += 1,
            MarketMessage::Reply { .. } => self.reply += 1,
            MarketMessage::Bid { .. } | MarketMessage::Coalition { .. } => self.bid += 1,
            MarketMessage::Assign { .. } => self.assign += 1,
            MarketMessage::Confirm { .. } => self.acknowledge += 1,
            MarketMessage::Alive(_) | MarketMessage::Tasks(_) | MarketMessage::Status { .. } => {}
        }
    }

    /// The total.
    pub fn total(&self) -> u64 {
        self.announce + self.request + self.reply + self.bid + self.assign + self.acknowledge
    }
}

impl MarketMessage {
    /// Encodes the message.
    pub(super) fn body(&self) -> Body {
        // Serialising plain data into a growing vector cannot fail.
        Body::Coordination(postcard::to_stdvec(self).unwrap_or_default())
    }

    /// Decodes a message; `None` if it is from another coordinator, or damaged.
    pub fn of(body: &Body) -> Option<MarketMessage> {
        let Body::Coordination(bytes) = body else { return None };
        match postcard::take_from_bytes(bytes) {
            Ok((talk, [])) => Some(talk),
            _ => None,
        }
    }
}
