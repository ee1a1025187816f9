//! The rules of L-ALLIANCE that turn task times into rates, as pure functions.

use super::trials::sound;
use serde::{Deserialize, Serialize};

/// Who should do a task, as one robot sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Category {
    /// 1: the robot is the best of those present.
    Best,
    /// 2: somebody present is better.
    Other,
}

impl Category {
    /// Category 1 if nobody known to be present is faster. [s]
    pub fn of(own: f64, others: impl IntoIterator<Item = f64>) -> Category {
        if others.into_iter().all(|other| own <= other) { Category::Best } else { Category::Other }
    }

    /// Its number.
    pub fn number(self) -> u8 {
        match self {
            Category::Best => 1,
            Category::Other => 2,
        }
    }
}

/// The range of task times, and the range of delays that they are mapped to. [s]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest task time.
    pub low: f64,
    /// The largest task time.
    pub high: f64,
    /// The shortest delay before a free task is taken.
    pub min_delay: f64,
    /// The longest delay before a free task is taken.
    pub max_delay: f64,
}

impl Spread {
    /// The range of these times.
    pub fn of(times: impl IntoIterator<Item = f64>, min_delay: f64, max_delay: f64) -> Spread {
        let (low, high) = times
            .into_iter()
            .map(sound)
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), time| (low.min(time), high.max(time)));
        let min_delay = sound(min_delay);
        Spread { low: low.min(high), high, min_delay, max_delay: sound(max_delay).max(min_delay) }
    }

    /// Delay per task time; 0 if all task times are equal.
    pub fn scale(&self) -> f64 {
        let range = self.high - self.low;
        if range > 0.0 { (self.max_delay - self.min_delay) / range } else { 0.0 }
    }

    /// The delay until a free task is taken: the longest tasks first in category 1, the shortest first in category 2. [s]
    pub fn delay(&self, category: Category, time: f64) -> f64 {
        let share = (time - self.low) * self.scale();
        let delay = match category {
            Category::Best => self.max_delay - share,
            Category::Other => self.min_delay + share,
        };
        delay.clamp(self.min_delay, self.max_delay)
    }
}

/// The rate at which motivation reaches the threshold in a given time. [1/s]
pub fn rate(threshold: f64, time: f64) -> f64 {
    threshold / sound(time)
}
