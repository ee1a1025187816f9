//! Survival analysis: times to an event that is not always observed. A run stopped at its time limit is censored.

use serde::{Deserialize, Serialize};

use crate::{Interval, distribution};

/// The duration of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetime {
    /// Time to the event or to censoring; finite and not negative.
    pub time: f64,
    /// True if the event was observed. Otherwise the run was stopped (censored) and would have lasted longer.
    pub observed: bool,
}

/// One step of the curve, valid until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurvivalStep {
    /// Time of the event.
    pub time: f64,
    /// Number at risk: neither done nor censored before.
    pub at_risk: usize,
    /// Number of events at this time.
    pub events: usize,
    /// Share without the event so far.
    pub survival: f64,
    /// Standard error by Greenwood's formula; `None` once nothing survives.
    pub standard_error: Option<f64>,
    /// 95 % interval by the log-log transformation, which stays within 0 to 1; `None` once nothing survives.
    pub interval: Option<Interval>,
}

/// The Kaplan-Meier estimate of the survival curve (1958).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KaplanMeier {
    steps: Vec<SurvivalStep>,
    /// Times of all lifetimes, in ascending order.
    ends: Vec<f64>,
}

impl KaplanMeier {
    /// The curve of these lifetimes; `None` if there are none, or if a time is negative or not finite. A run censored at the time of
    /// an event still counts as at risk.
    pub fn of(lifetimes: &[Lifetime]) -> Option<KaplanMeier> {
        let sorted = in_order(lifetimes)?;
        let z = distribution::normal_critical(0.95)?;
        let mut steps = Vec::new();
        let (mut survival, mut greenwood, mut gone) = (1.0, 0.0, 0);
        for group in sorted.chunk_by(|one, two| one.time == two.time) {
            let at_risk = sorted.len() - gone;
            let events = group.iter().filter(|lifetime| lifetime.observed).count();
            gone += group.len();
            if events == 0 {
                continue;
            }
            let (d, n) = (events as f64, at_risk as f64);
            survival *= (n - d) / n;
            greenwood += d / (n * (n - d));
            let alive = events < at_risk;
            steps.push(SurvivalStep {
                time: group[0].time,
                at_risk,
                events,
                survival,
                standard_error: alive.then(|| survival * greenwood.sqrt()),
                interval: alive.then(|| log_log(survival, greenwood, z)),
            });
        }
        Some(KaplanMeier { steps, ends: sorted.iter().map(|lifetime| lifetime.time).collect() })
    }

    /// The steps in order of time; empty if no event was observed.
    pub fn steps(&self) -> &[SurvivalStep] {
        &self.steps
    }

    /// Number of lifetimes.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The step valid at a time; `None` before the first step, when all survive.
    pub fn step_at(&self, time: f64) -> Option<&SurvivalStep> {
        self.steps[..self.steps.partition_point(|step| step.time <= time)].last()
    }

    /// The survival at a time. After the last lifetime the curve is constant.
    pub fn at(&self, time: f64) -> f64 {
        self.step_at(time).map_or(1.0, |step| step.survival)
    }

    /// The number at risk just before a time.
    pub fn at_risk(&self, time: f64) -> usize {
        self.ends.len() - self.ends.partition_point(|end| *end < time)
    }

    /// The median survival time; `None` if more than half survive to the end of the curve. For an even number of uncensored
    /// lifetimes it is the earlier of the two middle ones.
    pub fn median(&self) -> Option<f64> {
        // A product of fractions that should be one half may miss it by a rounding error.
        self.steps.iter().find(|step| step.survival <= 0.5 + 1e-12).map(|step| step.time)
    }
}

/// The lifetimes in order of time; `None` if there are none, or if a time is negative or not finite.
fn in_order(lifetimes: &[Lifetime]) -> Option<Vec<Lifetime>> {
    if lifetimes.is_empty()
        || !lifetimes.iter().all(|lifetime| lifetime.time >= 0.0 && lifetime.time.is_finite())
    {
        return None;
    }
    let mut sorted = lifetimes.to_vec();
    sorted.sort_by(|one, two| one.time.total_cmp(&two.time));
    Some(sorted)
}

/// Normal interval on the scale of log(-log(survival)), transformed back.
fn log_log(survival: f64, greenwood: f64, z: f64) -> Interval {
    let logarithm = libm::log(survival);
    let half_width = z * greenwood.sqrt() / logarithm.abs();
    let end = |shift: f64| libm::exp(logarithm * libm::exp(shift));
    Interval { low: end(half_width), high: end(-half_width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(time: f64) -> Lifetime {
        Lifetime { time, observed: true }
    }

    fn stopped(time: f64) -> Lifetime {
        Lifetime { time, observed: false }
    }

    #[test]
    fn censored_runs_make_no_step() {
        let curve = KaplanMeier::of(&[done(1.0), stopped(2.0), done(3.0), stopped(4.0)]).unwrap();
        let known: Vec<_> = curve.steps().iter().map(|s| (s.time, s.at_risk, s.events, s.survival)).collect();
        assert_eq!(known, [(1.0, 4, 1, 0.75), (3.0, 2, 1, 0.375)]);
        assert_eq!((curve.at(0.5), curve.at(1.0), curve.at(99.0)), (1.0, 0.75, 0.375));
        assert_eq!(curve.median(), Some(3.0));
        assert_eq!([0.0, 1.0, 1.5, 3.5, 5.0].map(|time| curve.at_risk(time)), [4, 4, 3, 1, 0]);
    }

    #[test]
    fn the_last_event_ends_the_curve_at_zero_without_an_interval() {
        let curve = KaplanMeier::of(&[done(1.0), done(2.0)]).unwrap();
        let last = curve.steps().last().unwrap();
        assert_eq!((last.survival, last.standard_error, last.interval), (0.0, None, None));
        assert_eq!(curve.median(), Some(1.0));
    }

    #[test]
    fn no_event_gives_no_steps_and_invalid_times_give_none() {
        let curve = KaplanMeier::of(&[stopped(5.0)]).unwrap();
        assert_eq!((curve.steps().len(), curve.median()), (0, None));
        for odd in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(KaplanMeier::of(&[done(odd)]), None);
        }
        assert_eq!(KaplanMeier::of(&[]), None);
    }
}
