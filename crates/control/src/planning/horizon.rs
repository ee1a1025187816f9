//! The horizon: the times that a plan consists of.

use serde::{Deserialize, Serialize};

/// The steps of a plan. The state costs of a step do not depend on its length, so under exponential steps the near future counts more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Horizon {
    /// When each step begins, and when the last one ends. [s]
    times: Vec<f32>,
}

impl Horizon {
    /// Steps of equal length. [s]
    pub fn equidistant(steps: usize, step: f32) -> Horizon {
        Horizon::exponential(steps, step, 1.0)
    }

    /// Steps that grow by a factor, Δt_i = `first` · `factor`^i. [s]
    pub fn exponential(steps: usize, first: f32, factor: f32) -> Horizon {
        let (mut time, mut step) = (0.0, f64::from(first));
        let mut times = Vec::with_capacity(steps + 1);
        times.push(0.0);
        for _ in 0..steps {
            time += step;
            step *= f64::from(factor);
            times.push(time as f32);
        }
        Horizon { times }
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.times.len().saturating_sub(1)
    }

    /// Length of a step. [s]
    #[inline]
    pub fn step(&self, step: usize) -> f32 {
        self.times[step + 1] - self.times[step]
    }

    /// When a step ends, from the beginning of the plan. [s]
    #[inline]
    pub fn end(&self, step: usize) -> f32 {
        self.times[step + 1]
    }

    /// When all steps end, from the beginning of the plan. [s]
    pub fn ends(&self) -> &[f32] {
        self.times.get(1..).unwrap_or_default()
    }

    /// The middle of a step, from the beginning of the plan. [s]
    #[inline]
    pub fn middle(&self, step: usize) -> f32 {
        0.5 * (self.times[step] + self.times[step + 1])
    }

    /// Length of the whole plan. [s]
    pub fn length(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// The step that is being done at this time; `None` after the end. [s]
    pub fn at(&self, time: f32) -> Option<usize> {
        let after = self.times.partition_point(|begin| *begin <= time);
        (after <= self.steps()).then(|| after.saturating_sub(1)).filter(|_| time < self.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times that SWARM gives for its exponential steps.
    #[test]
    fn the_published_exponential_horizon() {
        let horizon = Horizon::exponential(60, 0.075, 1.055);
        assert!((horizon.length() - 32.5).abs() < 0.05, "{}", horizon.length());
        assert!((horizon.end(39) - 10.2).abs() < 0.05, "{}", horizon.end(39));
        assert!((horizon.step(0) - 0.075).abs() < 1e-7);
        assert!((Horizon::equidistant(680, 0.5).length() - 340.0).abs() < 1e-3);
    }

    #[test]
    fn a_step_is_found_by_its_time() {
        let horizon = Horizon::exponential(60, 0.075, 1.055);
        for step in 0..60 {
            assert_eq!(horizon.at(horizon.middle(step)), Some(step));
        }
        assert_eq!((horizon.at(0.0), horizon.at(-1.0), horizon.at(32.6)), (Some(0), Some(0), None));
        assert_eq!(horizon.at(f32::NAN), None);
        assert_eq!(Horizon::default().at(0.0), None);
    }
}
