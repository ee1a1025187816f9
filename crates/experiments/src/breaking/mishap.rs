//! One disturbance of a hunt, such as `{at: 40 s, trap: blue}`, and schedules of them.

use super::flow::flow;
use crewlab_lab::sim::disturbances::stress::{Rung, Stressor};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::sync::Arc;

/// One disturbance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mishap {
    /// The stressor: what happens, and its target.
    pub stressor: Arc<Stressor>,
    /// Severity: an index into the stressor's rungs.
    pub rung: usize,
    /// Its time. [s]
    pub at: f64,
    /// Its duration; `None` if it is permanent. [s]
    pub lasts: Option<f64>,
}

/// Total order; nothing here is ever NaN.
fn numbers(one: f64, other: f64) -> Ordering {
    one.total_cmp(&other)
}

impl Mishap {
    /// A stressor at its worst, at the start of the run.
    pub fn worst(stressor: &Arc<Stressor>) -> Mishap {
        let (rung, lasts) = (stressor.rungs.len().saturating_sub(1), stressor.lasts);
        Mishap { stressor: stressor.clone(), rung, at: 0.0, lasts }
    }

    fn degree(&self) -> Option<&Rung> {
        self.stressor.rungs.get(self.rung)
    }

    /// The level, for stressors that have levels.
    pub fn level(&self) -> Option<u32> {
        self.degree().and_then(|rung| rung.level)
    }

    /// Its severity times the number of robots affected.
    pub fn severity(&self) -> u32 {
        let robots = u32::try_from(self.stressor.whom.count()).unwrap_or(u32::MAX);
        self.stressor.severity.saturating_mul(robots)
    }

    /// True if the other affects the same part of the same robot.
    pub fn same_subject(&self, other: &Mishap) -> bool {
        Arc::ptr_eq(&self.stressor, &other.stressor) || self.stressor == other.stressor
    }

    /// As an entry of a scenario's `disturbances`.
    pub fn entry(&self) -> Value {
        let mut entry = serde_json::Map::new();
        entry.insert("at".into(), json!(seconds(self.at)));
        if let Some(lasts) = self.lasts {
            entry.insert("for".into(), json!(seconds(lasts)));
        }
        let what = self.degree().map(|rung| rung.entry.clone()).unwrap_or_default();
        entry.insert(self.stressor.kind.into(), what);
        Value::Object(entry)
    }

    /// A description: `blue is walled in at 40 s, for good`.
    pub fn words(&self) -> String {
        let lasts = self.lasts.map_or("for good".into(), |lasts| format!("for {}", seconds(lasts)));
        let what = self.degree().map_or("", |rung| rung.words.as_str());
        format!("{what} at {}, {lasts}", seconds(self.at))
    }

    /// Its position among those at the same time: milder ones first, then in the order of the registry.
    fn order(&self) -> impl Ord + '_ {
        let Stressor { severity, place, variant, whom, .. } = &*self.stressor;
        (*severity, *place, variant, whom, self.rung)
    }
}

/// A time as text: `40 s`.
pub(super) fn seconds(time: f64) -> String {
    format!("{time} s")
}

/// The disturbances of one run, in the order of their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    mishaps: Vec<Mishap>,
}

impl Schedule {
    /// A schedule of these disturbances, given in any order.
    pub fn new(mut mishaps: Vec<Mishap>) -> Schedule {
        mishaps.sort_by(|a, b| numbers(a.at, b.at).then_with(|| a.order().cmp(&b.order())));
        Schedule { mishaps }
    }

    /// The disturbances.
    pub fn mishaps(&self) -> &[Mishap] {
        &self.mishaps
    }

    /// The schedule with one disturbance replaced.
    pub fn with(&self, place: usize, mishap: Mishap) -> Schedule {
        let mut mishaps = self.mishaps.clone();
        if let Some(there) = mishaps.get_mut(place) {
            *there = mishap;
        }
        Schedule::new(mishaps)
    }

    /// The schedule without one disturbance.
    pub fn without(&self, place: usize) -> Schedule {
        let mut mishaps = self.mishaps.clone();
        if place < mishaps.len() {
            mishaps.remove(place);
        }
        Schedule { mishaps }
    }

    /// The schedule with one more disturbance.
    pub fn and(&self, mishap: &Mishap) -> Schedule {
        Schedule::new(self.mishaps.iter().chain([mishap]).cloned().collect())
    }

    /// As entries of a scenario's `disturbances`, one line of YAML each.
    pub fn lines(&self) -> Vec<String> {
        self.mishaps.iter().map(|mishap| flow(&mishap.entry())).collect()
    }

    /// A description.
    pub fn words(&self) -> String {
        self.mishaps.iter().map(Mishap::words).collect::<Vec<_>>().join("; ")
    }

    /// Orders schedules by size: fewer disturbances first; then less total severity; then lower total level; then fewer permanent ones
    /// and a shorter total time; then later times; and finally the order of the descriptions, so that no two different schedules are
    /// equal.
    pub fn smaller(&self, other: &Schedule) -> Ordering {
        let severity = |s: &Schedule| s.mishaps.iter().map(|m| u64::from(m.severity())).sum::<u64>();
        let level = |s: &Schedule| s.mishaps.iter().filter_map(Mishap::level).map(u64::from).sum::<u64>();
        let for_good = |s: &Schedule| s.mishaps.iter().filter(|m| m.lasts.is_none()).count();
        let lasting = |s: &Schedule| s.mishaps.iter().filter_map(|m| m.lasts).sum::<f64>();
        let time = |s: &Schedule| s.mishaps.iter().map(|m| m.at).sum::<f64>();
        (self.mishaps.len().cmp(&other.mishaps.len()))
            .then_with(|| severity(self).cmp(&severity(other)))
            .then_with(|| level(self).cmp(&level(other)))
            .then_with(|| for_good(self).cmp(&for_good(other)))
            .then_with(|| numbers(lasting(self), lasting(other)))
            .then_with(|| numbers(time(other), time(self)))
            .then_with(|| self.words().cmp(&other.words()))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crewlab_lab::sim::disturbances::stress::Whom;

    /// A stressor of a robot, with levels from 5 up to 90 if it is `slower`.
    pub fn stressor(kind: &'static str, variant: &str, severity: u32, robot: &str) -> Arc<Stressor> {
        let whom = Whom::Robot(robot.into());
        let words = |level: &str| format!("{robot} {kind} {variant}{level}");
        let stressor = match variant {
            "slower" => Stressor::graded(variant, severity, whom, (1..=18).map(|step| 5 * step), |level| {
                let entry = json!({"robot": robot, "fault": variant, "severity": format!("{level} %")});
                (entry, words(&format!(" {level} %")))
            }),
            "" => Stressor::new(variant, severity, whom, json!(robot), words("")),
            _ => Stressor::new(variant, severity, whom, json!({"robot": robot, "fault": variant}), words("")),
        };
        Arc::new(Stressor { kind, ..stressor })
    }

    fn mishap(kind: &'static str, variant: &str, severity: u32) -> Mishap {
        Mishap { at: 40.0, ..Mishap::worst(&stressor(kind, variant, severity, "blue")) }
    }

    #[test]
    fn entries_are_those_of_scenarios() {
        assert_eq!(flow(&mishap("trap", "", 5).entry()), "{at: 40 s, trap: blue}");
        let slow = Mishap { lasts: Some(2.5), ..mishap("drive", "slower", 1) };
        assert_eq!(
            flow(&slow.entry()),
            "{at: 40 s, for: 2.5 s, drive: {robot: blue, fault: slower, severity: 90 %}}"
        );
    }

    /// Each schedule is smaller than the next one.
    #[test]
    fn smaller_is_fewer_then_milder_then_lower_then_shorter_then_later() {
        let slow = |level: usize| Mishap { rung: level / 5 - 1, ..mishap("drive", "slower", 1) };
        let short = |lasts| Mishap { lasts: Some(lasts), ..slow(50) };
        let mut all = (*mishap("radio", "lossy", 1).stressor).clone();
        all.whom = Whom::All(7);
        let order = [
            vec![],
            vec![slow(40)],
            vec![short(10.0)],
            vec![short(20.0)],
            vec![Mishap { at: 50.0, ..slow(50) }],
            vec![slow(50)],
            vec![mishap("radio", "deaf", 2)],
            vec![mishap("stop", "", 6)],
            vec![Mishap { at: 40.0, ..Mishap::worst(&Arc::new(all)) }],
            vec![slow(40), slow(40)],
            vec![slow(40), mishap("stop", "", 6)],
        ]
        .map(Schedule::new);
        for (place, one) in order.iter().enumerate() {
            for (other_place, other) in order.iter().enumerate() {
                assert_eq!(one.smaller(other), place.cmp(&other_place), "{one:?} {other:?}");
            }
        }
    }
}
