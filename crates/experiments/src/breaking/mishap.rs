//! One disturbance of a hunt, such as `{at: 40 s, trap: blue}`, and schedules of them.

use super::flow::flow;
use super::ladder::LEVELS;
use super::said;
pub use super::what::{ALL, BY_ITSELF, KINDS, MishapKind};
pub use super::whom::MishapTarget;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// One disturbance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mishap {
    /// Its kind.
    pub what: MishapKind,
    /// Its target.
    pub whom: MishapTarget,
    /// Its time. [s]
    pub at: f64,
    /// Its duration; `None` for good. [s]
    pub lasts: Option<f64>,
    /// Its severity, if the kind has levels: a share in per cent, or as documented at [`MishapKind`].
    pub level: Option<u32>,
}

/// Total order; nothing here is ever NaN.
fn numbers(one: f64, other: f64) -> Ordering {
    one.total_cmp(&other)
}

impl Mishap {
    /// Its severity times the number of robots affected.
    pub fn severity(&self) -> u32 {
        let robots = u32::try_from(self.whom.count()).unwrap_or(u32::MAX);
        self.what.severity().saturating_mul(robots)
    }

    /// True if the other affects the same part of the same robot.
    pub fn same_subject(&self, other: &Mishap) -> bool {
        self.what == other.what && self.whom == other.whom
    }

    /// Lower levels, the lowest first.
    pub fn lower(&self) -> Vec<u32> {
        let Some(level) = self.level else { return Vec::new() };
        match self.whom {
            // For items the level is their number.
            MishapTarget::Items { .. } => (1..level).collect(),
            _ => LEVELS.into_iter().filter(|lower| *lower < level).collect(),
        }
    }

    /// As an entry of a scenario's `disturbances`.
    pub fn entry(&self) -> Value {
        let mut entry = serde_json::Map::new();
        entry.insert("at".into(), json!(seconds(self.at)));
        if let Some(lasts) = self.lasts {
            entry.insert("for".into(), json!(seconds(lasts)));
        }
        entry.insert(self.what.kind().into(), said::entry(self));
        Value::Object(entry)
    }

    /// A description: `blue is walled in at 40 s, for good`.
    pub fn words(&self) -> String {
        let lasts = self.lasts.map_or("for good".into(), |lasts| format!("for {}", seconds(lasts)));
        format!("{} at {}, {lasts}", said::words(self), seconds(self.at))
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
        let key = |mishap: &Mishap| (mishap.what.clone(), mishap.whom.clone(), mishap.level);
        mishaps.sort_by(|a, b| numbers(a.at, b.at).then_with(|| key(a).cmp(&key(b))));
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
        let level = |s: &Schedule| s.mishaps.iter().filter_map(|m| m.level).map(u64::from).sum::<u64>();
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
mod tests {
    use super::*;

    fn mishap(what: MishapKind) -> Mishap {
        Mishap { what, whom: MishapTarget::Robot("blue".into()), at: 40.0, lasts: None, level: None }
    }

    #[test]
    fn entries_are_those_of_scenarios() {
        let trap = mishap(MishapKind::Trap);
        assert_eq!(flow(&trap.entry()), "{at: 40 s, trap: blue}");
        let slow = Mishap { level: Some(90), lasts: Some(2.5), ..mishap(MishapKind::DriveSlower) };
        assert_eq!(
            flow(&slow.entry()),
            "{at: 40 s, for: 2.5 s, drive: {robot: blue, fault: slower, severity: 90 %}}"
        );
        for what in [
            MishapKind::Stop,
            MishapKind::Crash,
            MishapKind::Partition,
            MishapKind::SensorDead("compass".into()),
        ] {
            let line = flow(&mishap(what).entry());
            crewlab_scenario::read_disturbance(&line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        }
    }

    /// Each schedule is smaller than the next one.
    #[test]
    fn smaller_is_fewer_then_milder_then_lower_then_shorter_then_later() {
        let slow = |level| Mishap { level: Some(level), ..mishap(MishapKind::DriveSlower) };
        let short = |lasts| Mishap { lasts: Some(lasts), ..slow(50) };
        let order = [
            vec![],
            vec![slow(40)],
            vec![short(10.0)],
            vec![short(20.0)],
            vec![Mishap { at: 50.0, ..slow(50) }],
            vec![slow(50)],
            vec![mishap(MishapKind::RadioDeaf)],
            vec![mishap(MishapKind::Stop)],
            vec![Mishap { whom: MishapTarget::All(7), ..mishap(MishapKind::RadioLossy) }],
            vec![slow(40), slow(40)],
            vec![slow(40), mishap(MishapKind::Stop)],
        ]
        .map(Schedule::new);
        for (place, one) in order.iter().enumerate() {
            for (other_place, other) in order.iter().enumerate() {
                assert_eq!(one.smaller(other), place.cmp(&other_place), "{one:?} {other:?}");
            }
        }
    }
}
