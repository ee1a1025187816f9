//! When a robot brings its map home: when it holds much that the base does not know and cannot tell it.

use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// What the base lacks is not worth a way below this. [m²]
const LEAST: f64 = 1.0;
/// A robot in contact need not wait for the last of it: when only this share of the limit is left, it goes on.
const ENOUGH: f64 = 0.2;
/// How long a robot waits in contact or at the base until the base knows enough. [s]
const WAIT: f64 = 20.0;
/// How long it does not try again if none came. [s]
const PAUSE: f64 = 120.0;

/// What a robot knows about its duty to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Debt {
    /// What the base lacks. [m²]
    pub(super) area: f64,
    /// True if messages reach the base.
    pub(super) contact: bool,
    /// True if there is nothing else to do.
    pub(super) idle: bool,
    /// True if the robot is as near to the base as it gets.
    pub(super) home: bool,
}

/// The decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Report {
    /// True while the robot is on its way, or tells.
    pub(super) due: bool,
    /// Since when it waits.
    waits: Option<Time>,
    /// It does not try again before this.
    not_before: Time,
}

impl Report {
    /// Decides anew. A robot that holds more than `limit` goes home. [m²]
    pub(super) fn decide(&mut self, debt: Debt, limit: f64, now: Time) {
        // In contact or at home, there is nothing to do but wait.
        let stands = debt.home || debt.contact;
        self.waits = self.waits.filter(|_| stands);
        if !self.due {
            let much = debt.area > limit || (debt.idle && debt.area > LEAST);
            // In contact, messages do it.
            self.due = much && !debt.contact && now >= self.not_before;
        } else if debt.area <= LEAST || (debt.contact && debt.area < ENOUGH * limit) {
            self.due = false;
        } else if stands {
            let since = *self.waits.get_or_insert(now);
            if !now.within(since, WAIT) {
                (self.due, self.waits) = (false, None);
                self.not_before = Time::from_seconds(now.seconds() + PAUSE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    const MUCH: Debt = Debt { area: 80.0, contact: false, idle: false, home: false };

    #[test]
    fn a_robot_reports_when_it_holds_much_and_cannot_tell() {
        let mut report = Report::default();
        report.decide(Debt { area: 40.0, ..MUCH }, 50.0, at(0.0));
        assert!(!report.due);
        report.decide(Debt { contact: true, ..MUCH }, 50.0, at(1.0));
        assert!(!report.due, "messages do it");
        report.decide(MUCH, 50.0, at(2.0));
        assert!(report.due);
        report.decide(Debt { area: 30.0, contact: true, ..MUCH }, 50.0, at(3.0));
        assert!(report.due, "it tells all of it");
        report.decide(Debt { area: 5.0, contact: true, ..MUCH }, 50.0, at(4.0));
        assert!(!report.due);
    }

    #[test]
    fn what_is_left_is_reported_in_the_end() {
        let mut report = Report::default();
        report.decide(Debt { area: 3.0, idle: true, ..MUCH }, 50.0, at(0.0));
        assert!(report.due);
        report.decide(Debt { area: 0.5, idle: true, ..MUCH }, 50.0, at(1.0));
        assert!(!report.due);
    }

    #[test]
    fn a_robot_does_not_wait_for_ever_at_a_base_that_does_not_answer() {
        let mut report = Report::default();
        let home = Debt { home: true, ..MUCH };
        let due: Vec<bool> = (0..200)
            .map(|second| {
                report.decide(home, 50.0, at(f64::from(second)));
                report.due
            })
            .collect();
        assert!(due[15] && !due[30] && !due[100] && due[160]);
    }
}
