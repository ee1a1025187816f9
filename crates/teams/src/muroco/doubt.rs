//! When nobody takes a piece of work in several auctions, the auctioneer asks the operator whether to keep trying. It keeps
//! trying until told otherwise.

use super::alternatives::takes_several;
use super::auctioneer::Auctioneer;
use super::context::TickContext;
use super::ledger::Standing;
use crewlab_onboard::{EventKind, Names, Piece, Reason};

/// The operator's possible answers.
const CHOICES: [&str; 2] = ["keep trying", "give up"];

impl Auctioneer {
    /// Asks whether to keep trying, unless the question is open.
    pub(super) fn ask(&mut self, piece: Piece, context: &mut TickContext) {
        if self.asked.iter().any(|(_, asked)| *asked == piece) {
            return;
        }
        let title = context.title(piece);
        let what = if takes_several(context.situation.tasks, piece.task) {
            format!("no coalition is found for {title}")
        } else {
            format!("nobody bids for {title}")
        };
        let text = format!("{what}: keep trying, or give it up?");
        self.asked.push((context.out.ask(text, &CHOICES, Some(piece.task)), piece));
    }

    /// The operator's answer.
    pub(super) fn answered(&mut self, question: u32, choice: u8, context: &mut TickContext) {
        let Some(place) = self.asked.iter().position(|(number, _)| *number == question) else { return };
        let (_, piece) = self.asked.remove(place);
        let Some(entry) = self.ledger.get_mut(piece) else { return };
        if CHOICES.get(usize::from(choice)) == Some(&"give up") {
            entry.drop();
            context.tell(EventKind::GivenUp, piece).reason = Some(Reason::OperatorGaveUp);
        } else {
            entry.encouraged = entry.encouraged.saturating_add(1);
            entry.unsold = 0;
        }
    }

    /// Withdraws questions that have become obsolete: somebody does the work, nobody wants it any more, or another robot auctions
    /// it.
    pub(super) fn withdraw(&mut self, context: &mut TickContext) {
        let ledger = &self.ledger;
        self.asked.retain(|(question, piece)| {
            let standing = ledger.get(*piece).map(|entry| &entry.standing);
            let pending = matches!(standing, Some(Standing::Open { .. } | Standing::Negotiated));
            if !pending {
                context.out.withdraw(*question);
            }
            pending
        });
    }
}
