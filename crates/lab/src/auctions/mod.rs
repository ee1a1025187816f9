//! Auctions: bids, winners, and outcomes. Everything is derived from the coordinators' events, so any coordinator that auctions is
//! supported:
//!
//! | event | about | fields | numbers |
//! | --- | --- | --- | --- |
//! | `issued`, `completed`, `withdrawn` | a piece of work | task, subject | `utility` (issued), `reward` (completed) |
//! | `auction`, `no-sale` | one piece in one round | task, subject, bids | `round`, `value`, `price` (of the piece or of each robot), `gap` |
//! | `activated`, `done`, `rejected`, `duplicate` | told by a robot that won | task, subject | |
//! | `re-announced`, `given-up` | a piece that was taken back | task, subject, reason | |

mod bids;
mod market;
mod table;

pub use market::{Market, MarketSummary};
pub use table::{read, write};

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// One auction of one piece of work: a row of auctions.csv.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Auction {
    /// When it was decided. [s]
    pub time_s: f64,
    /// The auctioneer.
    pub auctioneer: String,
    /// The auctioneer's number of the round.
    pub round: Option<u64>,
    /// The task.
    pub task: String,
    /// The piece of it; 0 if it is not divided.
    pub subject: u32,
    /// All bids, the best first; the coordinator's own words if it does not report them one by one.
    pub bids: String,
    /// The winners; empty if there are none.
    pub winners: String,
    /// The alternative: `alone` or the name of a plan; empty without winners.
    pub plan: String,
    /// The value of the award. [s]
    pub value: Option<f64>,
    /// The opportunity cost of the winners for the rest of the team, if known. [s]
    pub price: Option<f64>,
    /// The certified relative gap to the best allocation, if known.
    pub gap: Option<f64>,
    /// True if the piece was awarded before and came back.
    pub again: bool,
    /// Why it came back.
    pub again_why: String,
    /// Its outcome.
    pub outcome: AuctionOutcome,
    /// The time of the outcome; `None` for auctions unfinished at the end. [s]
    pub ended_s: Option<f64>,
    /// The reason.
    pub outcome_why: String,
    /// The coordinator's explanation.
    pub why: String,
}

/// The outcome of an auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuctionOutcome {
    /// Nobody took it.
    NoSale,
    /// It was awarded; there was no further report.
    Awarded,
    /// The winners are working on it.
    UnderWay,
    /// The winners have done it.
    Completed,
    /// A winner rejected it.
    Rejected,
    /// It was taken back and will be auctioned again.
    OpenAgain,
    /// It failed too often, or nobody can do it.
    GivenUp,
    /// It is not wanted any more.
    Withdrawn,
}

impl AuctionOutcome {
    /// Its name in tables.
    fn name(self) -> String {
        self.to_string().replace(' ', "-")
    }

    /// True if the outcome may still change.
    fn pending(self) -> bool {
        matches!(self, AuctionOutcome::Awarded | AuctionOutcome::UnderWay)
    }
}

impl fmt::Display for AuctionOutcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            AuctionOutcome::NoSale => "no sale",
            AuctionOutcome::Awarded => "awarded",
            AuctionOutcome::UnderWay => "under way",
            AuctionOutcome::Completed => "completed",
            AuctionOutcome::Rejected => "rejected",
            AuctionOutcome::OpenAgain => "open again",
            AuctionOutcome::GivenUp => "given up",
            AuctionOutcome::Withdrawn => "withdrawn",
        })
    }
}

/// Filters repetitions: an auction without a taker after another one of the same piece of work.
#[derive(Clone, Debug, Default)]
pub struct Telling {
    unsold: BTreeSet<(String, u32)>,
    /// Number of auctions left out.
    pub left_out: usize,
}

impl Telling {
    /// True if the next auction is not a repetition.
    pub fn tells(&mut self, auction: &Auction) -> bool {
        let piece = (auction.task.clone(), auction.subject);
        let tells = if auction.outcome == AuctionOutcome::NoSale {
            self.unsold.insert(piece)
        } else {
            self.unsold.remove(&piece);
            true
        };
        self.left_out += usize::from(!tells);
        tells
    }
}

impl Auction {
    /// The name of the piece of work.
    pub fn title(&self) -> String {
        if self.subject == 0 { self.task.clone() } else { format!("{} {}", self.task, self.subject) }
    }

    /// All bids in words.
    pub fn bidding(&self) -> &str {
        if self.bids.is_empty() { "nobody bid" } else { &self.bids }
    }

    /// A description of the winners, the alternative and the value.
    pub fn award(&self) -> String {
        if self.winners.is_empty() {
            return "nobody".into();
        }
        let mut words = self.winners.clone();
        if !self.plan.is_empty() && self.plan != "alone" {
            words += &format!(" as {}", self.plan);
        }
        words += &self.value.map_or(String::new(), |value| format!(" for {value:.1}"));
        let price = self.price.map(|price| format!("price {price:.1}"));
        let gap = self
            .gap
            .filter(|gap| *gap > 0.0)
            .map(|gap| format!("at most {:.2} % below the best", gap * 100.0));
        let notes: Vec<String> = price.into_iter().chain(gap).collect();
        if notes.is_empty() { words } else { format!("{words} ({})", notes.join(", ")) }
    }

    /// A description of the outcome.
    pub fn end(&self) -> String {
        let at = self.ended_s.map_or(String::new(), |at| format!(" at {at:.1} s"));
        let why = match self.outcome {
            _ if self.outcome_why.is_empty() => String::new(),
            AuctionOutcome::Completed => String::new(),
            outcome if outcome.pending() => format!(" when {}", self.outcome_why),
            _ => format!(": {}", self.outcome_why),
        };
        format!("{}{at}{why}", self.outcome)
    }

    /// The auction in a few lines for people.
    pub fn readable(&self) -> String {
        let round = self.round.map_or(String::new(), |round| format!(", round {round}"));
        let again = if self.again { " again" } else { "" };
        let mut text = format!(
            "  {:>9}  {}: auctioned{again} by {}{round}\n",
            format!("{:.1} s", self.time_s),
            self.title(),
            self.auctioneer
        );
        let mut line = |name: &str, words: &str| {
            if !words.is_empty() {
                text += &format!("             {name:<8} {words}\n");
            }
        };
        line("because", &self.again_why);
        line("bids", self.bidding());
        line("won by", &self.award());
        line("outcome", &self.end());
        text
    }
}
