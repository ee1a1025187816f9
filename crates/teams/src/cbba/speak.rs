//! Messages to team-mates: claims when they change and at the broadcast rate, and heartbeats for tasks that others depend
//! on.

use super::bidder::Bidder;
use super::ledger::{believed, milliseconds};
use super::talk;
use crewlab_onboard::{Body, Output, Piece, RobotId, Situation, Time};
use serde::{Deserialize, Serialize};

/// A contested claim is repeated sooner, but at most this many times as often as the broadcast rate.
const HASTE: f64 = 4.0;

/// The last messages and their times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mouth {
    /// The stamp of the last message.
    stamp: u64,
    /// When the last message was sent, by the time since boot.
    said: Option<Time>,
    /// Pieces, winners and the robot's own bids as last sent.
    words: Vec<(Piece, RobotId, u32)>,
    /// When the robot last had anything to send, by the time since boot.
    eventful: Option<Time>,
    /// True if somebody disagrees about a piece that the robot holds.
    pub contested: bool,
}

impl Mouth {
    /// Somebody knows a later stamp of this robot: from before a reboot, or damaged. Continues from there.
    pub(super) fn catch_up(&mut self, stamp: u64, now: Time) {
        if believed(stamp, now) {
            self.stamp = self.stamp.max(stamp);
        }
    }
}

impl Bidder {
    /// Sends the due messages.
    pub(super) fn speak(&mut self, situation: &Situation, out: &mut Output) {
        if let Some(choice) = self.active {
            let piece = situation.piece(choice);
            if situation.accompanied(piece.task) {
                self.voice.work(piece.task, piece.subject, self.params.broadcast_rate, situation, out);
            }
        }
        let words = self.words(situation);
        if !words.is_empty() {
            self.mouth.eventful = Some(self.uptime);
        }
        if words != self.mouth.words || self.due(situation) {
            self.tell_claims(words, situation, out);
        }
    }

    /// What others must know at once: who holds what, and the robot's own bids, but not the rising bid for the piece in progress
    /// or the bids of others.
    fn words(&self, situation: &Situation) -> Vec<(Piece, RobotId, u32)> {
        let (me, in_progress) = (situation.me.id, self.in_progress(situation));
        let claims = self.ledger.claims().iter();
        let words = claims.map(|(piece, claim)| {
            let own = claim.winner == me && in_progress != Some(*piece);
            (*piece, claim.winner, if own { claim.bid.to_bits() } else { 0 })
        });
        words.collect()
    }

    /// True if it is time to repeat the last message. A robot without claims repeats that for as long as it takes to be considered
    /// dead, for those who did not hear it.
    pub(super) fn due(&self, situation: &Situation) -> bool {
        let allowed = self.params.time_allowed_till_ceased;
        let eventful = self.mouth.eventful.is_some_and(|at| self.uptime.within(at, allowed));
        let haste = if self.mouth.contested { HASTE } else { 1.0 };
        // Half a tick of slack, so that a period that is a whole number of ticks is met exactly.
        let since = |said: Time| self.uptime.since(said) + situation.dt / 2.0;
        let late = |said| since(said) * self.params.broadcast_rate * haste >= 1.0;
        eventful && self.mouth.said.is_none_or(late)
    }

    fn tell_claims(&mut self, words: Vec<(Piece, RobotId, u32)>, situation: &Situation, out: &mut Output) {
        let mouth = &mut self.mouth;
        mouth.stamp = mouth.stamp.saturating_add(1).max(milliseconds(situation.now));
        for talk in talk::parts(&self.ledger, mouth.stamp, out.largest_message) {
            out.say(Body::Coordination(talk.encode()));
        }
        (mouth.words, mouth.said, mouth.contested) = (words, Some(self.uptime), false);
    }
}
