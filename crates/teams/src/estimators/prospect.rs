//! A piece of work as an estimator sees it: the robot's plan for it.

use super::Evidence;

/// One action of a plan that is left to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedStep {
    /// Its expected time if nothing fails. [s]
    pub time: f64,
    /// The probability P(χ_a) that no capability used for it fails.
    pub success: f64,
}

/// A piece of work that a robot could do in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// Its utility. [s]
    pub utility: f64,
    /// The actions that are left, in order.
    pub steps: Vec<PlannedStep>,
    /// What the robot observes.
    pub evidence: Evidence,
    /// ς: the share of cases in which the cost shall not exceed a quantile.
    pub reliability: f64,
}

impl Prospect {
    /// The planned time of all that is left. [s]
    pub fn planned(&self) -> f64 {
        self.steps.iter().map(|step| step.time).sum()
    }

    /// The time of all that is left, with repetitions after failures:
    /// ĉ(a_n) = c(a_n) + (1 - P(χ_an)) Σ_{l ≤ n} (l/n) c(a_l) (3.13). [s]
    pub fn with_failures(&self) -> f64 {
        let (mut weighted, mut total) = (0.0, 0.0);
        for (place, step) in self.steps.iter().enumerate() {
            let n = (place + 1) as f64;
            weighted += n * step.time;
            total += step.time + (1.0 - step.success) * weighted / n;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_repeats_the_actions_up_to_it() {
        let step = |time, success| PlannedStep { time, success };
        let prospect = Prospect {
            utility: 600.0,
            steps: vec![step(30.0, 1.0), step(10.0, 0.8)],
            evidence: Evidence::default(),
            reliability: 0.75,
        };
        assert_eq!(prospect.planned(), 40.0);
        // A failed grasp costs (30 + 2 * 10) / 2 = 25 s on average, in one of five cases.
        assert!((prospect.with_failures() - 45.0).abs() < 1e-12);
        let sure = Prospect { steps: vec![step(30.0, 1.0)], ..prospect };
        assert_eq!(sure.with_failures(), sure.planned());
    }
}
