//! CBBA's events: why a bundle changed and what the robot works on.

use super::bidder::Bidder;
use super::bundle::BundleEntry;
use super::consensus::Claim;
use crewlab_onboard::{Choice, Event, EventKind, Outcome, Output, Piece, RobotId, Situation, Skills};

impl Bidder {
    /// Reports pieces added to the bundle, and pieces that the robot released although nobody else won them.
    pub(super) fn explain_bundle(&mut self, before: &[Piece], me: RobotId, out: &mut Output) {
        for (place, offer) in self.bundle.path().iter().enumerate() {
            let Some(entry) = self.bundle.entry(offer.piece).filter(|_| !before.contains(&offer.piece))
            else {
                continue;
            };
            let freed = self.freed.iter().find(|(piece, _)| *piece == offer.piece);
            let event = match freed {
                Some((_, silent)) => {
                    Event::new(EventKind::TakenOver, "a silent team-mate had it, and nobody bids more")
                        .by(*silent)
                }
                None => {
                    Event::new(EventKind::Bid, "it adds most to the worth of the path, and nobody bids more")
                }
            };
            let event = about(event, offer.piece).with("bid", f64::from(entry.bid));
            let event = event.with("worth", offer.worth).with("cost", offer.cost);
            out.explain(event.with("place", (place + 1) as f64));
        }
        let freed = std::mem::take(&mut self.freed);
        let nobodys = |piece: &Piece| self.ledger.claim(*piece).is_none_or(|claim| claim.winner != me);
        self.freed = freed.into_iter().filter(|(piece, _)| nobodys(piece)).collect();
        let gone = before.iter().filter(|piece| self.bundle.entry(**piece).is_none());
        for piece in gone.filter(|piece| self.ledger.claim(**piece).is_none()) {
            let why = if self.possible(*piece) {
                "it was planned after a piece that is lost or ended"
            } else {
                "no longer applicable"
            };
            out.explain(about(Event::new(EventKind::Released, why), *piece));
        }
    }
}

/// Reports a piece of the bundle that another robot has won, or whose winner is unknown.
pub(super) fn lost(entry: &BundleEntry, claim: Option<Claim>) -> Event {
    let event = match claim {
        Some(claim) => {
            let event = Event::new(EventKind::Outbid, "a team-mate bids more").by(claim.winner);
            event.with("bid", f64::from(entry.bid)).with("theirs", f64::from(claim.bid))
        }
        None => {
            let event = Event::new(EventKind::Reset, "the team disagrees on who has it: it is bid for again");
            event.with("bid", f64::from(entry.bid))
        }
    };
    about(event, entry.piece)
}

/// The end of the piece in progress.
pub(super) fn ended(outcome: Outcome) -> Event {
    match outcome {
        Outcome::Done => Event::new(EventKind::Ended, "it is done"),
        Outcome::Failed(why) => Event::new(EventKind::Ended, why),
        Outcome::Ongoing => Event::new(EventKind::Ended, "no longer applicable"),
        Outcome::Unwanted => Event::new(EventKind::Ended, "it is not wanted now"),
    }
}

/// The beginning of work.
pub(super) fn activated(
    choice: Choice,
    bid: Option<f32>,
    situation: &Situation,
    skills: &dyn Skills,
) -> Event {
    let why = match bid {
        Some(_) => "the first piece of the path, and nobody bids more",
        None => "the cheapest shared task, as there is nothing to bid for",
    };
    let event = Event::new(EventKind::Activated, why);
    let event = event.about(choice.behaviour, situation.me.behaviour(choice.behaviour).task);
    let event = event.with("cost", skills.cost(choice, situation));
    let event = with_subject(event, choice.subject);
    match bid {
        Some(bid) => event.with("bid", f64::from(bid)),
        None => event,
    }
}

/// About this piece.
pub(super) fn about(mut event: Event, piece: Piece) -> Event {
    event.task = Some(piece.task);
    with_subject(event, piece.subject)
}

fn with_subject(event: Event, subject: u32) -> Event {
    if subject == 0 { event } else { event.with("subject", f64::from(subject)) }
}
