//! CBBA's events: why a bundle changed and what the robot works on.

use super::bidder::Bidder;
use super::bundle::BundleEntry;
use super::consensus::Claim;
use crewlab_onboard::{Choice, Event, EventKind, Outcome, Output, Piece, Reason, RobotId, Situation, Skills};

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
                Some((_, silent)) => Event::new(EventKind::TakenOver).by(*silent),
                None => Event::new(EventKind::Bid),
            };
            let event = event.piece(offer.piece).with("bid", f64::from(entry.bid));
            let event = event.with("worth", offer.worth).with("cost", offer.cost);
            out.explain(event.with("place", (place + 1) as f64));
        }
        let freed = std::mem::take(&mut self.freed);
        let nobodys = |piece: &Piece| self.ledger.claim(*piece).is_none_or(|claim| claim.winner != me);
        self.freed = freed.into_iter().filter(|(piece, _)| nobodys(piece)).collect();
        let gone = before.iter().filter(|piece| self.bundle.entry(**piece).is_none());
        for piece in gone.filter(|piece| self.ledger.claim(**piece).is_none()) {
            let reason =
                if self.possible(*piece) { Reason::PlannedAfterLost } else { Reason::NoLongerApplicable };
            out.explain(Event::new(EventKind::Released).piece(*piece).reason(reason));
        }
    }
}

/// Reports a piece of the bundle that another robot has won, or whose winner is unknown.
pub(super) fn lost(entry: &BundleEntry, claim: Option<Claim>) -> Event {
    let event = match claim {
        Some(claim) => {
            let event = Event::new(EventKind::Outbid).by(claim.winner);
            event.with("bid", f64::from(entry.bid)).with("theirs", f64::from(claim.bid))
        }
        None => {
            let event = Event::new(EventKind::Reset).reason(Reason::Disagreement);
            event.with("bid", f64::from(entry.bid))
        }
    };
    event.piece(entry.piece)
}

/// The end of the piece in progress.
pub(super) fn ended(outcome: Outcome) -> Event {
    let event = Event::new(EventKind::Ended);
    match outcome {
        Outcome::Done => event.reason(Reason::Done),
        Outcome::Failed(why) => event.saying(why),
        Outcome::Ongoing => event.reason(Reason::NoLongerApplicable),
        Outcome::Unwanted => event.reason(Reason::Unwanted),
    }
}

/// The beginning of work.
pub(super) fn activated(
    choice: Choice,
    bid: Option<f32>,
    situation: &Situation,
    skills: &dyn Skills,
) -> Event {
    let reason = match bid {
        Some(_) => Reason::FirstOfPath,
        None => Reason::CheapestShared,
    };
    let event = Event::new(EventKind::Activated).reason(reason).subject(choice.subject);
    let event = event.about(choice.behaviour, situation.me.behaviour(choice.behaviour).task);
    let event = event.with("cost", skills.cost(choice, situation));
    match bid {
        Some(bid) => event.with("bid", f64::from(bid)),
        None => event,
    }
}
