//! The last trials of one robot at one task.

use serde::{Deserialize, Serialize};

/// Bounds of times, so that no rate derived from them is zero, infinite or not a number. [s]
pub(super) const SHORTEST: f64 = 1e-3;
pub(super) const LONGEST: f64 = 1e9;

/// A time within the bounds. [s]
pub(super) fn sound(time: f64) -> f64 {
    if time.is_nan() { LONGEST } else { time.clamp(SHORTEST, LONGEST) }
}

/// The times of the last trials, the oldest first. [s]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trials(Vec<f64>);

impl Trials {
    /// The last `most` of these times.
    pub fn of(times: &[f64], most: usize) -> Trials {
        let mut trials = Trials::default();
        times.iter().for_each(|time| trials.add(*time, most));
        trials
    }

    /// Adds a time; if there are more than `most`, the oldest is dropped.
    pub fn add(&mut self, time: f64, most: usize) {
        self.0.push(sound(time));
        let surplus = self.0.len().saturating_sub(most.max(1));
        self.0.drain(..surplus);
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.0
    }

    /// Their mean; `None` if there are none. [s]
    pub fn mean(&self) -> Option<f64> {
        let count = self.0.len();
        (count > 0).then(|| self.0.iter().sum::<f64>() / count as f64)
    }

    /// task_time: the mean and one standard deviation; `None` if nothing is known. [s]
    pub fn task_time(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.0.iter().map(|time| (time - mean) * (time - mean)).sum();
        Some(sound(mean + (squares / self.0.len() as f64).sqrt()))
    }
}
