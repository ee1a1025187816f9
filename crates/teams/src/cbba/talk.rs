//! CBBA's messages: all claims that a robot knows and the age of its information about everybody, in as many parts as the
//! radio's largest message requires.

use super::consensus::Claim;
use super::ledger::Ledger;
use crewlab_onboard::{Piece, RobotId};
use serde::{Deserialize, Serialize};

/// The first number in every message, which no other coordinator's messages begin with.
const MARK: u16 = 0xCBBA;

/// Most bytes of a message besides claims and stamps: envelope, mark, stamp, part, range and lengths.
const FRAME: usize = 64;
/// Most bytes of one claim.
const CLAIM: usize = 3 + 5 + 3 + 4 + 1;
/// Most bytes of one stamp.
const STAMP: usize = 3 + 10;
/// Largest number of parts.
const MOST_PARTS: usize = 32;

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClaimsMessage {
    mark: u16,
    /// The sender's stamp, greater with every message but the same in all parts of one.
    pub stamp: u64,
    /// Index of this part, and the number of parts.
    pub part: (u8, u8),
    /// The range of pieces that this part covers, end excluded: the sender believes that nobody holds those that it does not
    /// list.
    pub range: (Option<Piece>, Option<Piece>),
    /// Who holds what.
    pub claims: Vec<(Piece, Claim)>,
    /// The age of the sender's information about the others.
    pub stamps: Vec<(RobotId, u64)>,
}

impl ClaimsMessage {
    /// Decodes a message; `None` if it is not one, or invalid.
    pub(crate) fn decode(bytes: &[u8]) -> Option<ClaimsMessage> {
        let Ok((talk, [])) = postcard::take_from_bytes::<ClaimsMessage>(bytes) else { return None };
        let ordered = talk.claims.is_sorted_by_key(|(piece, _)| *piece)
            && talk.stamps.is_sorted_by_key(|(robot, _)| *robot);
        let within = talk.claims.iter().all(|(piece, _)| talk.covers(*piece));
        let bids = talk.claims.iter().all(|(_, claim)| claim.bid.is_finite() && claim.bid > 0.0);
        let parts = talk.part.0 < talk.part.1 && usize::from(talk.part.1) <= MOST_PARTS;
        (talk.mark == MARK && ordered && within && bids && parts).then_some(talk)
    }

    /// The bytes on the air.
    pub(crate) fn encode(&self) -> Vec<u8> {
        // Serialising plain data into a growing vector cannot fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// True if this part covers a piece.
    pub(crate) fn covers(&self, piece: Piece) -> bool {
        let (first, end) = self.range;
        first.is_none_or(|first| piece >= first) && end.is_none_or(|end| piece < end)
    }

    /// The sender's belief about a piece that the part covers.
    pub(crate) fn claim(&self, piece: Piece) -> Option<Claim> {
        self.claims.binary_search_by_key(&piece, |(p, _)| *p).ok().map(|place| self.claims[place].1)
    }

    /// The stamp of the sender's information about a robot; 0 if it has none.
    pub(crate) fn stamp_of(&self, robot: RobotId) -> u64 {
        self.stamps.binary_search_by_key(&robot, |(r, _)| *r).map_or(0, |place| self.stamps[place].1)
    }
}

/// All parts of a message, none larger than the radio accepts if possible.
pub(crate) fn parts(ledger: &Ledger, stamp: u64, largest_message: usize) -> Vec<ClaimsMessage> {
    let space = largest_message.saturating_sub(FRAME);
    let stamps = stamps(ledger, space / 2 / STAMP);
    let per_part = ((space - space.min(stamps.len() * STAMP)) / CLAIM).max(1);
    let claims = ledger.claims();
    let slices: Vec<&[(Piece, Claim)]> =
        if claims.is_empty() { vec![claims] } else { claims.chunks(per_part).take(MOST_PARTS).collect() };
    let count = slices.len() as u8;
    let first = |part: usize| claims.get(part.saturating_mul(per_part)).map(|(piece, _)| *piece);
    let talk = |(part, slice): (usize, &&[(Piece, Claim)])| ClaimsMessage {
        mark: MARK,
        stamp,
        part: (part as u8, count),
        range: (first(part).filter(|_| part > 0), first(part + 1)),
        claims: slice.to_vec(),
        stamps: stamps.clone(),
    };
    slices.iter().enumerate().map(talk).collect()
}

/// The stamps of those heard most recently, by number. A robot that is left out counts as never heard of, which makes the
/// listeners more careful, never wrong.
fn stamps(ledger: &Ledger, most: usize) -> Vec<(RobotId, u64)> {
    let mut mates = ledger.mates().to_vec();
    if mates.len() > most {
        mates.sort_by_key(|mate| std::cmp::Reverse(mate.heard));
        mates.truncate(most);
        mates.sort_by_key(|mate| mate.robot);
    }
    mates.iter().map(|mate| (mate.robot, mate.stamp)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Body, Message, TaskId, Time};

    fn piece(subject: u32) -> Piece {
        Piece { task: TaskId(u16::MAX), subject: u32::MAX - 1_000 + subject }
    }

    fn ledger(claims: u32, mates: u16) -> Ledger {
        let mut ledger = Ledger::default();
        for number in 0..claims {
            ledger.set(piece(number), Some(Claim { winner: RobotId(u16::MAX), bid: 1.0, under_way: true }));
        }
        for number in 0..mates {
            ledger.hear(RobotId(u16::MAX - number), u64::MAX, Time(u64::from(number)));
        }
        ledger
    }

    fn size(talk: &ClaimsMessage) -> usize {
        let body = Body::Coordination(talk.encode());
        Message { from: RobotId(u16::MAX), number: u32::MAX, lamport: u64::MAX, body }.encode().len()
    }

    #[test]
    fn every_part_fits_and_together_they_say_everything() {
        for (claims, mates, limit) in [(0, 0, 100), (1, 1, 200), (300, 40, 2304), (30, 60, 400), (30, 3, 150)]
        {
            let ledger = ledger(claims, mates);
            let parts = parts(&ledger, u64::MAX, limit);
            assert!(parts.iter().all(|talk| size(talk) <= limit), "{claims} {mates} {limit}");
            assert!(parts.iter().all(|talk| ClaimsMessage::decode(&talk.encode()).as_ref() == Some(talk)));
            let said: Vec<_> = parts.iter().flat_map(|talk| talk.claims.clone()).collect();
            assert_eq!(said, ledger.claims());
            // Every piece, listed or not, is covered by exactly one part.
            for number in 0..310 {
                assert_eq!(parts.iter().filter(|talk| talk.covers(piece(number))).count(), 1);
            }
        }
    }

    #[test]
    fn without_a_limit_there_is_one_part() {
        assert_eq!(parts(&ledger(300, 40), 1, usize::MAX).len(), 1);
    }

    #[test]
    fn foreign_bytes_are_refused() {
        let talk = parts(&ledger(2, 2), 7, usize::MAX).remove(0);
        let bytes = talk.encode();
        for cut in 0..bytes.len() {
            assert_eq!(ClaimsMessage::decode(&bytes[..cut]), None);
        }
        assert_eq!(ClaimsMessage::decode(b"something else"), None);
        for bid in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let mut odd = talk.clone();
            odd.claims[0].1.bid = bid;
            assert_eq!(ClaimsMessage::decode(&odd.encode()), None, "{bid}");
        }
        let mut odd = talk.clone();
        odd.claims.reverse();
        assert_eq!(ClaimsMessage::decode(&odd.encode()), None);
        let odd = ClaimsMessage { mark: 1, ..talk };
        assert_eq!(ClaimsMessage::decode(&odd.encode()), None);
    }
}
