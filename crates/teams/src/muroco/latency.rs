//! How long answers take, learned from auctions: a configured time-out may be shorter than the radio's delay.

use super::talk::RoundId;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// Largest number of announcements whose answers are measured.
const MOST: usize = 8;
/// Time-outs allow for answers that take this much longer than the fastest one.
const MARGIN: f64 = 1.5;

/// What is known of the time from an announcement to its answers. Late answers count, too: they show that the time-out was
/// too short. The fastest answer counts, because lost messages are asked for again and say nothing about the radio's delay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// The latest announcements, and the time of their fastest answer. [s]
    asked: Vec<(RoundId, Time, Option<f64>)>,
    /// The time of the fastest answer to the latest announcement that was answered. [s]
    fastest: f64,
}

impl Latency {
    /// An auction is announced.
    pub fn ask(&mut self, round: RoundId, now: Time) {
        if self.asked.len() >= MOST {
            self.asked.remove(0);
        }
        self.asked.push((round, now, None));
    }

    /// Another robot's first answer.
    pub fn answer(&mut self, round: RoundId, now: Time) {
        let Some((_, asked, fastest)) = self.asked.iter_mut().find(|(known, ..)| *known == round) else {
            return;
        };
        // A clock that was set back measures nothing.
        if fastest.is_none() && *asked <= now {
            let took = now.since(*asked);
            *fastest = Some(took);
            self.fastest = took;
        }
    }

    /// How long to wait for answers. [s]
    pub fn patience(&self, wanted: f64) -> f64 {
        wanted.max(MARGIN * self.fastest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::RobotId;

    fn round(number: u32) -> RoundId {
        RoundId { number, auctioneer: RobotId(0), boot: 0 }
    }

    #[test]
    fn patience_grows_with_late_answers_and_shrinks_again() {
        let at = Time::from_seconds;
        let mut latency = Latency::default();
        assert_eq!(latency.patience(1.0), 1.0);
        latency.ask(round(1), at(10.0));
        latency.ask(round(2), at(12.0));
        latency.answer(round(1), at(14.0));
        assert_eq!(latency.patience(1.0), 6.0);
        latency.answer(round(1), at(19.0));
        assert_eq!(latency.patience(1.0), 6.0, "only the fastest answer counts");
        latency.ask(round(3), at(20.0));
        latency.answer(round(3), at(20.2));
        assert_eq!(latency.patience(1.0), 1.0);
    }

    #[test]
    fn unknown_rounds_and_clocks_that_were_set_back_teach_nothing() {
        let at = Time::from_seconds;
        let mut latency = Latency::default();
        latency.ask(round(1), at(10.0));
        latency.answer(round(7), at(90.0));
        latency.answer(round(1), at(2.0));
        assert_eq!(latency.patience(1.0), 1.0);
        (0..1_000).for_each(|number| latency.ask(round(number), at(11.0)));
        assert_eq!(latency.asked.len(), MOST);
    }
}
