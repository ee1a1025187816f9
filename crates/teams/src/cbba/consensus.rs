//! Phase 2, conflict resolution: the response to one claim in another robot's message. This is table 1 of Choi, Brunet and
//! How, line by line.

use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The holder of a piece of work and its bid: z and y of one piece. A piece without a claim is unassigned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// z: who wins it.
    pub winner: RobotId,
    /// y: the winning bid, more than 0.
    pub bid: f32,
    /// True once the winner works on it.
    pub under_way: bool,
}

impl Claim {
    /// True if this claim wins against another: the higher bid, and of equal ones that of the lower robot number.
    pub fn beats(&self, other: &Claim) -> bool {
        let (mine, theirs) = (self.bid, other.bid);
        mine > theirs || (mine == theirs && self.winner < other.winner)
    }
}

/// The receiver's action on its own belief about a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It takes over the sender's.
    Update,
    /// Resets its own: the piece is unassigned.
    Reset,
    /// It keeps its own.
    Leave,
}

/// The believed winner of a piece, seen from sender and receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Sender,
    Receiver,
    /// A third robot.
    Third(RobotId),
    Nobody,
}

/// The rule for the receiver `i` of a message from `k` that claims `theirs` (y_kj, z_kj) for a piece about which it believes
/// `mine` (y_ij, z_ij). `newer(m)` compares the age of the sender's and the receiver's information about a third robot:
/// `Greater` for s_km > s_im.
pub fn action(
    (i, mine): (RobotId, Option<Claim>),
    (k, theirs): (RobotId, Option<Claim>),
    newer: impl Fn(RobotId) -> Ordering,
) -> Action {
    use Action::{Leave, Reset, Update};
    use Who::{Nobody, Receiver, Sender, Third};

    let who = |claim: Option<Claim>| match claim {
        None => Nobody,
        Some(claim) if claim.winner == k => Sender,
        Some(claim) if claim.winner == i => Receiver,
        Some(claim) => Third(claim.winner),
    };
    // y_kj > y_ij, with equal bids told apart by robot number.
    let higher = theirs.is_some_and(|theirs| mine.is_none_or(|mine| theirs.beats(&mine)));
    let fresh = |m: RobotId| newer(m) == Ordering::Greater;
    let stale = |m: RobotId| newer(m) == Ordering::Less;
    let if_so = |holds: bool, action: Action| if holds { action } else { Leave };

    // (the sender's claim, the receiver's belief)
    match (who(theirs), who(mine)) {
        (Sender, Receiver) => if_so(higher, Update),
        (Sender, Sender) => Update,
        (Sender, Third(m)) => if_so(fresh(m) || higher, Update),
        (Sender, Nobody) => Update,

        (Receiver, Receiver) => Leave,
        (Receiver, Sender) => Reset,
        (Receiver, Third(m)) => if_so(fresh(m), Reset),
        (Receiver, Nobody) => Leave,

        (Third(m), Receiver) => if_so(fresh(m) && higher, Update),
        (Third(m), Sender) => if_so(fresh(m), Update).or(Reset),
        (Third(m), Third(n)) if m == n => if_so(fresh(m), Update),
        (Third(m), Third(n)) if fresh(m) => if_so(fresh(n) || higher, Update),
        (Third(m), Third(n)) => if_so(fresh(n) && stale(m), Reset),
        (Third(m), Nobody) => if_so(fresh(m), Update),

        (Nobody, Receiver) => Leave,
        (Nobody, Sender) => Update,
        (Nobody, Third(m)) => if_so(fresh(m), Update),
        (Nobody, Nobody) => Leave,
    }
}

impl Action {
    /// This action, or another in place of leaving.
    fn or(self, other: Action) -> Action {
        if self == Action::Leave { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::Action::{Leave, Reset, Update};
    use super::*;

    const I: RobotId = RobotId(5);
    const K: RobotId = RobotId(3);
    const M: RobotId = RobotId(1);
    const N: RobotId = RobotId(9);

    fn claim(winner: RobotId, bid: f32) -> Option<Claim> {
        Some(Claim { winner, bid, under_way: false })
    }

    /// One line: the sender's claim, the receiver's belief, the relative age of the sender's information about m and n.
    fn check(theirs: Option<Claim>, mine: Option<Claim>, m: i8, n: i8, expected: Action) {
        let newer = |robot| match robot {
            M => m.cmp(&0),
            N => n.cmp(&0),
            other => panic!("the table does not ask about {other:?}"),
        };
        let found = action((I, mine), (K, theirs), newer);
        assert_eq!(found, expected, "{theirs:?} to {mine:?}, m {m}, n {n}");
    }

    #[test]
    fn line_1_sender_says_sender_and_receiver_believes_receiver() {
        check(claim(K, 2.0), claim(I, 1.0), 0, 0, Update);
        check(claim(K, 1.0), claim(I, 2.0), 0, 0, Leave);
        check(claim(K, 1.0), claim(I, 1.0), 0, 0, Update);
        // Of equal bids the lower number wins: the same with the roles changed.
        let newer = |_| Ordering::Equal;
        assert_eq!(action((K, claim(K, 1.0)), (I, claim(I, 1.0)), newer), Leave);
    }

    #[test]
    fn line_2_sender_says_sender_and_receiver_believes_sender() {
        check(claim(K, 1.0), claim(K, 2.0), 0, 0, Update);
        check(claim(K, 2.0), claim(K, 1.0), 0, 0, Update);
    }

    #[test]
    fn line_3_sender_says_sender_and_receiver_believes_a_third() {
        check(claim(K, 1.0), claim(M, 2.0), 1, 0, Update);
        check(claim(K, 2.0), claim(M, 1.0), -1, 0, Update);
        check(claim(K, 1.0), claim(M, 2.0), 0, 0, Leave);
        check(claim(K, 1.0), claim(M, 2.0), -1, 0, Leave);
    }

    #[test]
    fn line_4_sender_says_sender_and_receiver_believes_nobody() {
        check(claim(K, 1.0), None, 0, 0, Update);
    }

    #[test]
    fn line_5_sender_says_receiver_and_receiver_believes_receiver() {
        check(claim(I, 9.0), claim(I, 1.0), 0, 0, Leave);
    }

    #[test]
    fn line_6_sender_says_receiver_and_receiver_believes_sender() {
        check(claim(I, 1.0), claim(K, 2.0), 0, 0, Reset);
    }

    #[test]
    fn line_7_sender_says_receiver_and_receiver_believes_a_third() {
        check(claim(I, 1.0), claim(M, 2.0), 1, 0, Reset);
        check(claim(I, 3.0), claim(M, 2.0), 0, 0, Leave);
        check(claim(I, 3.0), claim(M, 2.0), -1, 0, Leave);
    }

    #[test]
    fn line_8_sender_says_receiver_and_receiver_believes_nobody() {
        check(claim(I, 1.0), None, 0, 0, Leave);
    }

    #[test]
    fn line_9_sender_says_a_third_and_receiver_believes_receiver() {
        check(claim(M, 2.0), claim(I, 1.0), 1, 0, Update);
        check(claim(M, 1.0), claim(I, 2.0), 1, 0, Leave);
        check(claim(M, 2.0), claim(I, 1.0), 0, 0, Leave);
    }

    #[test]
    fn line_10_sender_says_a_third_and_receiver_believes_sender() {
        check(claim(M, 1.0), claim(K, 2.0), 1, 0, Update);
        check(claim(M, 3.0), claim(K, 2.0), 0, 0, Reset);
        check(claim(M, 3.0), claim(K, 2.0), -1, 0, Reset);
    }

    #[test]
    fn line_11_both_believe_the_same_third() {
        check(claim(M, 1.0), claim(M, 2.0), 1, 0, Update);
        check(claim(M, 3.0), claim(M, 2.0), 0, 0, Leave);
        check(claim(M, 3.0), claim(M, 2.0), -1, 0, Leave);
    }

    #[test]
    fn line_12_sender_says_one_third_and_receiver_believes_another() {
        check(claim(M, 1.0), claim(N, 2.0), 1, 1, Update);
        check(claim(M, 3.0), claim(N, 2.0), 1, -1, Update);
        check(claim(M, 1.0), claim(N, 2.0), 1, 0, Leave);
        check(claim(M, 1.0), claim(N, 2.0), -1, 1, Reset);
        check(claim(M, 3.0), claim(N, 2.0), -1, 1, Reset);
        check(claim(M, 3.0), claim(N, 2.0), 0, 1, Leave);
        check(claim(M, 3.0), claim(N, 2.0), -1, 0, Leave);
    }

    #[test]
    fn line_13_sender_says_a_third_and_receiver_believes_nobody() {
        check(claim(M, 1.0), None, 1, 0, Update);
        check(claim(M, 1.0), None, 0, 0, Leave);
    }

    #[test]
    fn line_14_sender_says_nobody_and_receiver_believes_receiver() {
        check(None, claim(I, 1.0), 0, 0, Leave);
    }

    #[test]
    fn line_15_sender_says_nobody_and_receiver_believes_sender() {
        check(None, claim(K, 1.0), 0, 0, Update);
    }

    #[test]
    fn line_16_sender_says_nobody_and_receiver_believes_a_third() {
        check(None, claim(M, 1.0), 1, 0, Update);
        check(None, claim(M, 1.0), 0, 0, Leave);
    }

    #[test]
    fn line_17_both_believe_nobody() {
        check(None, None, 0, 0, Leave);
    }
}
