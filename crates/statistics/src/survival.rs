//! Times until something happens, when it does not always happen: a run that was stopped at its time limit lasted at least so long.

use serde::{Deserialize, Serialize};

use crate::{Interval, distribution};

/// How long one run lasted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetime {
    /// Until it was done, or until it was stopped; finite and not negative.
    pub time: f64,
    /// Whether it was done. Otherwise it was stopped (censored), and would have lasted longer.
    pub observed: bool,
}

/// What is known from one time on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// When something happened.
    pub time: f64,
    /// To how many it could have happened: those neither done nor stopped before.
    pub at_risk: usize,
    /// To how many it happened.
    pub events: usize,
    /// The share to which it has not happened yet.
    pub survival: f64,
    /// Its standard error by Greenwood's formula; `None` once nothing survives.
    pub standard_error: Option<f64>,
    /// Its 95 % interval by the log-log transformation, which stays between 0 and 1; `None` once nothing survives.
    pub interval: Option<Interval>,
}

/// The share that survives over time (Kaplan and Meier, 1958).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KaplanMeier {
    steps: Vec<Step>,
    /// Of all lifetimes, in ascending order.
    ends: Vec<f64>,
}

impl KaplanMeier {
    /// The curve of these lifetimes; `None` if there are none, or if a time is negative or not finite. Who is stopped at the moment
    /// of an event was still at risk.
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
            steps.push(Step {
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

    /// The steps, in the order of time; none if nothing ever happened.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many lifetimes there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// What is known at a time; `None` before the first step, when all survive.
    pub fn step_at(&self, time: f64) -> Option<&Step> {
        self.steps[..self.steps.partition_point(|step| step.time <= time)].last()
    }

    /// The share that survives beyond a time. After the last lifetime the curve is held.
    pub fn at(&self, time: f64) -> f64 {
        self.step_at(time).map_or(1.0, |step| step.survival)
    }

    /// How many are neither done nor stopped just before a time.
    pub fn at_risk(&self, time: f64) -> usize {
        self.ends.len() - self.ends.partition_point(|end| *end < time)
    }

    /// The first time at which no more than half survive; `None` if more than half survive all that was seen. Of an even number
    /// of lifetimes without any that was stopped it is the earlier of the two in the middle.
    pub fn median(&self) -> Option<f64> {
        // A product of fractions that should be one half may miss it by a rounding error.
        self.steps.iter().find(|step| step.survival <= 0.5 + 1e-12).map(|step| step.time)
    }
}

/// The lifetimes by time; `None` if there are none, or if a time is negative or not finite.
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

/// Normal on the scale of log(-log(survival)), and taken back from there.
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
    fn who_is_stopped_leaves_without_a_step() {
        let curve = KaplanMeier::of(&[done(1.0), stopped(2.0), done(3.0), stopped(4.0)]).unwrap();
        let known: Vec<_> = curve.steps().iter().map(|s| (s.time, s.at_risk, s.events, s.survival)).collect();
        assert_eq!(known, [(1.0, 4, 1, 0.75), (3.0, 2, 1, 0.375)]);
        assert_eq!((curve.at(0.5), curve.at(1.0), curve.at(99.0)), (1.0, 0.75, 0.375));
        assert_eq!(curve.median(), Some(3.0));
        assert_eq!([0.0, 1.0, 1.5, 3.5, 5.0].map(|time| curve.at_risk(time)), [4, 4, 3, 1, 0]);
    }

    #[test]
    fn the_last_one_takes_the_curve_to_zero_and_its_interval_along() {
        let curve = KaplanMeier::of(&[done(1.0), done(2.0)]).unwrap();
        let last = curve.steps().last().unwrap();
        assert_eq!((last.survival, last.standard_error, last.interval), (0.0, None, None));
        assert_eq!(curve.median(), Some(1.0));
    }

    #[test]
    fn nothing_happening_is_an_answer_and_nonsense_is_none() {
        let curve = KaplanMeier::of(&[stopped(5.0)]).unwrap();
        assert_eq!((curve.steps().len(), curve.median()), (0, None));
        for odd in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(KaplanMeier::of(&[done(odd)]), None);
        }
        assert_eq!(KaplanMeier::of(&[]), None);
    }
}
