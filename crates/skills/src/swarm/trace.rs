//! The trace of a robot: where it was, every few seconds. The places around it need not be looked at again for a while.

use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A vanishing trace: a queue of marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Trace {
    /// Places and times, the oldest first. [m]
    marks: VecDeque<([f32; 2], Time)>,
}

impl Trace {
    /// Adds a mark if the last one is `every` seconds old; drops the oldest beyond `most`.
    pub(super) fn note(&mut self, place: [f32; 2], now: Time, every: f64, most: usize) {
        // A mark in the future is from before the clock was set back.
        let due = self.marks.back().is_none_or(|(_, at)| *at > now || now.since(*at) + 1e-6 >= every);
        if due && most > 0 {
            while self.marks.len() >= most {
                self.marks.pop_front();
            }
            self.marks.push_back((place, now));
        }
    }

    /// The places with their freshness, from 1 (just now) to 0 (`lasts` seconds ago). [m]
    pub(super) fn fresh(&self, now: Time, lasts: f64) -> impl Iterator<Item = ([f32; 2], f32)> {
        let freshness = move |at: Time| (1.0 - if at > now { 0.0 } else { now.since(at) } / lasts) as f32;
        self.marks.iter().map(move |(place, at)| (*place, freshness(*at))).filter(|(_, share)| *share > 0.0)
    }

    /// The number of marks.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.marks.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_dropped_in_their_order_and_fade() {
        let mut trace = Trace::default();
        for second in 0..=400 {
            trace.note([second as f32, 0.0], Time::from_seconds(f64::from(second)), 10.0, 18);
        }
        assert_eq!(trace.len(), 18);
        let fresh: Vec<_> = trace.fresh(Time::from_seconds(400.0), 180.0).collect();
        assert_eq!((fresh[0].0, fresh[17].0), ([230.0, 0.0], [400.0, 0.0]));
        assert!(fresh[17].1 == 1.0 && fresh.is_sorted_by(|a, b| a.1 < b.1));
        assert_eq!(trace.fresh(Time::from_seconds(1000.0), 180.0).count(), 0, "all have faded");
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_stop_the_trace() {
        let mut trace = Trace::default();
        trace.note([0.0, 0.0], Time::from_seconds(100.0), 10.0, 18);
        trace.note([1.0, 0.0], Time::from_seconds(5.0), 10.0, 18);
        assert_eq!(trace.len(), 2);
        assert!(trace.fresh(Time::from_seconds(5.0), 180.0).all(|(_, share)| share == 1.0));
    }
}
