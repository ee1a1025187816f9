//! Processing of team-mates' messages: the receiver's side of phase 2.

use super::bidder::{Bidder, exclusive};
use super::consensus::{Action, action};
use super::ledger::believed;
use super::talk::ClaimsMessage;
use crewlab_onboard::{Body, Event, EventKind, Message, Output, Piece, RobotId, Situation};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Largest number of senders of multi-part messages that are remembered.
const MOST_SENDERS: usize = 256;

/// The received parts of a multi-part message: sender, stamp, one bit per part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ears(Vec<(RobotId, u64, u32)>);

impl Ears {
    /// Records a part and tells whether the message is complete.
    fn complete(&mut self, from: RobotId, talk: &ClaimsMessage) -> bool {
        let (part, count) = talk.part;
        if count == 1 {
            return true;
        }
        let known = self.0.iter().find(|(robot, stamp, _)| (*robot, *stamp) == (from, talk.stamp));
        let parts = known.map_or(0, |(_, _, parts)| *parts) | 1u32.checked_shl(part.into()).unwrap_or(0);
        self.0.retain(|(robot, ..)| *robot != from);
        if parts.count_ones() == u32::from(count) {
            return true;
        }
        if self.0.len() >= MOST_SENDERS {
            self.0.remove(0);
        }
        self.0.push((from, talk.stamp, parts));
        false
    }
}

impl Bidder {
    /// Phase 2 for all messages. Messages that cannot be decoded are from another coordinator, or damaged.
    pub(super) fn listen(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        for message in inbox {
            let Body::Coordination(bytes) = &message.body else { continue };
            if let Some(talk) =
                ClaimsMessage::decode(bytes).filter(|talk| believed(talk.stamp, situation.now))
            {
                self.take_in(message.from, &talk, situation, out);
            }
        }
    }

    fn take_in(&mut self, from: RobotId, talk: &ClaimsMessage, situation: &Situation, out: &mut Output) {
        self.ledger.greet(from, self.uptime);
        self.mouth.catch_up(talk.stamp_of(situation.me.id), situation.now);
        // A message overtaken by a later one of its sender contains no news.
        if self.ledger.compare(from, talk.stamp) == Ordering::Less {
            return;
        }
        let told = talk.claims.iter().map(|(piece, _)| *piece);
        let known = self.ledger.claims().iter().map(|(piece, _)| *piece);
        let mut pieces: Vec<Piece> = told.chain(known.filter(|piece| talk.covers(*piece))).collect();
        pieces.sort();
        pieces.dedup();
        for piece in pieces.into_iter().filter(|piece| exclusive(*piece, situation)) {
            self.settle(piece, from, talk, situation, out);
        }
        if self.ears.complete(from, talk) {
            let others = talk.stamps.iter().filter(|(robot, _)| *robot != situation.me.id);
            for (robot, stamp) in others.filter(|(_, stamp)| believed(*stamp, situation.now)) {
                self.ledger.hear(*robot, *stamp, self.uptime);
            }
            self.ledger.hear(from, talk.stamp, self.uptime);
        }
    }

    /// One line of the table for one piece.
    fn settle(
        &mut self,
        piece: Piece,
        from: RobotId,
        talk: &ClaimsMessage,
        situation: &Situation,
        out: &mut Output,
    ) {
        let me = situation.me.id;
        let (mine, theirs) = (self.ledger.claim(piece), talk.claim(piece));
        let newer = |robot: RobotId| {
            let stamp = Some(talk.stamp_of(robot)).filter(|stamp| believed(*stamp, situation.now));
            self.ledger.compare(robot, stamp.unwrap_or(0))
        };
        let action = action((me, mine), (from, theirs), newer);
        let is_mine = mine.is_some_and(|claim| claim.winner == me);
        match action {
            Action::Update if mine.is_none() && self.ledger.full() => {}
            Action::Update => self.ledger.set(piece, theirs),
            Action::Reset => self.ledger.set(piece, None),
            Action::Leave => {
                if let Some(theirs) = theirs.filter(|_| is_mine) {
                    if theirs.winner == me {
                        self.confirm(piece, from, out);
                    } else {
                        self.mouth.contested = true;
                    }
                }
            }
        }
    }

    /// A team-mate agrees that the robot has a piece.
    fn confirm(&mut self, piece: Piece, from: RobotId, out: &mut Output) {
        if let Some(entry) = self.bundle.entry_mut(piece).filter(|entry| !entry.confirmed) {
            entry.confirmed = true;
            let event = Event::new(EventKind::Won).by(from).with("bid", f64::from(entry.bid));
            out.explain(event.piece(piece));
        }
    }
}
