//! When a disturbance happens.

use super::condition::Condition;
use crewlab_onboard::{Cause, Stream, StreamKind, Time};
use serde::{Deserialize, Serialize};

/// When a disturbance happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum When {
    /// At a time.
    At(Time),
    /// At a random time between two.
    Between(Time, Time),
    /// Repeatedly.
    Every {
        /// The first time.
        from: Time,
        /// Time from one to the next. [s]
        period: f64,
        /// Not after this.
        until: Time,
    },
    /// When a condition becomes true.
    Condition(Condition),
    /// At random, with this mean rate per second.
    Chance {
        /// Not before this.
        from: Time,
        /// Mean rate. [1/s]
        rate: f64,
        /// Not after this.
        until: Time,
    },
    /// When it is called by this name from outside.
    Call(String),
}

/// The random stream for the time of an occurrence; its effect uses another.
pub(super) fn timing(seed: u64, disturbance: usize, occurrence: u32) -> Stream {
    Stream::new(seed, StreamKind::Disturbances, disturbance as u32, 2 * u64::from(occurrence))
}

/// The random stream for the effect of an occurrence.
pub(super) fn effect(seed: u64, disturbance: usize, occurrence: u32) -> Stream {
    Stream::new(seed, StreamKind::Disturbances, disturbance as u32, 2 * u64::from(occurrence) + 1)
}

fn later(time: Time, seconds: f64) -> Time {
    time.after(Time::from_seconds(seconds).0)
}

impl When {
    /// The first moment, for those that depend on time alone.
    pub(super) fn first(&self, random: &mut Stream) -> Option<Time> {
        match self {
            When::At(time) => Some(*time),
            When::Between(from, until) => Some(later(*from, random.unit() * until.since(*from))),
            When::Every { from, until, .. } => Some(*from).filter(|from| from <= until),
            When::Chance { from, rate, until } => {
                Some(later(*from, random.exponential(*rate))).filter(|next| next <= until)
            }
            When::Condition(_) | When::Call(_) => None,
        }
    }

    /// The moment after `last`, for those that repeat.
    pub(super) fn next(&self, last: Time, random: &mut Stream) -> Option<Time> {
        match self {
            When::Every { period, until, .. } => Some(later(last, *period)).filter(|next| next <= until),
            When::Chance { rate, until, .. } => {
                Some(later(last, random.exponential(*rate))).filter(|next| next <= until)
            }
            _ => None,
        }
    }

    /// The cause of the occurrence after `before` others.
    pub(super) fn cause(&self, before: u32) -> Cause {
        match self {
            When::At(_) => Cause::Planned,
            When::Between(..) => Cause::PlannedWithin,
            When::Every { .. } => Cause::Repeated(before + 1),
            When::Condition(condition) => Cause::Condition(condition.text().to_string()),
            When::Chance { .. } => Cause::Chance(before + 1),
            When::Call(name) => Cause::Called(name.clone()),
        }
    }
}
