//! Duplicate detection: a forwarded message may arrive by several routes.

use crate::message::Message;
use crate::robot_id::RobotId;
use serde::{Deserialize, Serialize};

/// How many messages back a sender's messages are distinguished.
const WINDOW: u32 = u64::BITS;

/// The messages heard from one sender, of constant size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Window {
    sender: RobotId,
    /// The highest number heard.
    highest: u32,
    /// Lamport time of that message.
    lamport: u64,
    /// Bit i is set if the number `highest - i` was heard.
    heard: u64,
}

impl Window {
    fn starting_with(message: &Message) -> Window {
        Window { sender: message.from, highest: message.number, lamport: message.lamport, heard: 1 }
    }

    /// Records a message; true if it was heard before.
    fn note(&mut self, message: &Message) -> bool {
        let behind = self.highest.wrapping_sub(message.number);
        // A sender's numbers and times rise together. A number that is far below, or lower at a later time, means that the sender has
        // restarted and counts from the beginning.
        let anew = behind >= WINDOW || message.lamport > self.lamport;
        if message.number > self.highest {
            let ahead = message.number - self.highest;
            self.heard = self.heard.checked_shl(ahead).unwrap_or(0) | 1;
            (self.highest, self.lamport) = (message.number, message.lamport);
            false
        } else if anew {
            *self = Window::starting_with(message);
            false
        } else {
            let bit = 1 << behind;
            let before = self.heard & bit != 0;
            self.heard |= bit;
            before
        }
    }
}

/// The messages heard from all senders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Duplicates(Vec<Window>);

impl Duplicates {
    /// Records a message; true if it was heard before.
    pub(crate) fn note(&mut self, message: &Message) -> bool {
        match self.0.binary_search_by_key(&message.from, |window| window.sender) {
            Ok(place) => self.0[place].note(message),
            Err(place) => {
                self.0.insert(place, Window::starting_with(message));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Body;

    fn message(from: u16, number: u32, lamport: u64) -> Message {
        Message { from: RobotId(from), number, lamport, body: Body::Knowledge(Vec::new()) }
    }

    /// Which of these numbers of one sender, heard one after the other, count as heard before; its time rises with
    /// its number.
    fn repeated(numbers: &[u32]) -> Vec<u32> {
        let mut heard = Duplicates::default();
        let number =
            |number: &u32| heard.note(&message(1, *number, u64::from(*number) + 1)).then_some(*number);
        numbers.iter().filter_map(number).collect()
    }

    #[test]
    fn a_message_counts_once_in_whatever_order_copies_come() {
        assert_eq!(repeated(&[0, 1, 1, 2, 0, 5, 3, 4, 3, 5]), [1, 0, 3, 5]);
        assert_eq!(repeated(&[100, 37, 37, 163, 100]), [37, 100]);
        assert_eq!(repeated(&[7, 1_000_000, 999_999, 999_999]), [999_999]);
    }

    #[test]
    fn senders_are_told_apart() {
        let mut heard = Duplicates::default();
        for from in [3, 1, 2, u16::MAX] {
            assert!(!heard.note(&message(from, 0, 1)));
        }
        assert!(heard.note(&message(2, 0, 1)));
    }

    #[test]
    fn a_sender_that_restarts_is_heard_again() {
        // Far below, whatever its clock shows.
        let mut heard = Duplicates::default();
        assert!(!heard.note(&message(1, 5000, 6000)));
        assert!(!heard.note(&message(1, 0, 1)));
        assert!(heard.note(&message(1, 0, 1)));
        assert!(!heard.note(&message(1, 1, 2)));
        // Not far below, but its clock has synchronised with others.
        let mut heard = Duplicates::default();
        for number in 0..10 {
            assert!(!heard.note(&message(1, number, u64::from(number))));
        }
        assert!(!heard.note(&message(1, 0, 40)));
        assert!(heard.note(&message(1, 0, 40)));
        assert!(!heard.note(&message(1, 1, 41)));
        // No other clock to synchronise with: apparent duplicates are dropped, but not for long.
        assert_eq!(repeated(&[0, 1, 2, 0, 1, 2, 3]), [0, 1, 2]);
    }

    #[test]
    fn a_corrupt_number_does_not_deafen() {
        let mut heard = Duplicates::default();
        assert!(!heard.note(&message(1, 7, 8)));
        assert!(!heard.note(&message(1, u32::MAX, u64::MAX)));
        for number in 8..200 {
            assert!(!heard.note(&message(1, number, u64::from(number))), "{number}");
        }
    }

    #[test]
    fn its_size_is_bounded_by_the_number_of_senders() {
        let mut heard = Duplicates::default();
        for number in 0..10_000 {
            heard.note(&message(1 + (number % 3) as u16, number, u64::from(number)));
        }
        assert_eq!(heard.0.len(), 3);
    }
}
