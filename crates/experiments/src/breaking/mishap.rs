//! One thing that goes wrong, such as `{at: 40 s, trap: blue}`, and a schedule of such.

use super::flow::flow;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// What goes wrong. Each kind takes something away from a robot, or from the air between robots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The drive loses a share of its speed: the level.
    DriveSlower,
    /// The radio loses a share of what it sends and receives: the level.
    RadioLossy,
    /// A sensor gives no reading.
    SensorDead(String),
    /// The radio sends, but does not receive.
    RadioDeaf,
    /// The radio receives, but does not send.
    RadioMute,
    /// The software starts again without memory.
    Crash,
    /// The radio neither sends nor receives.
    RadioDead,
    /// The robot is cut off from the rest of the team and from the operator.
    Partition,
    /// An effector does nothing.
    EffectorDead(String),
    /// The drive does not move.
    DriveDead,
    /// The emergency stop is pressed.
    EmergencyStop,
    /// The robot is walled in.
    Trap,
    /// The robot dies.
    Stop,
}

/// The names of kinds, as a scenario's `disturbances` has them and `--kinds` takes them.
pub const KINDS: [&str; 9] =
    ["drive", "radio", "sensor", "crash", "partition", "effector", "emergency-stop", "trap", "stop"];

impl What {
    /// The kind of disturbance it is an instance of: one of [`KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            What::DriveSlower | What::DriveDead => "drive",
            What::RadioLossy | What::RadioDeaf | What::RadioMute | What::RadioDead => "radio",
            What::SensorDead(_) => "sensor",
            What::Crash => "crash",
            What::Partition => "partition",
            What::EffectorDead(_) => "effector",
            What::EmergencyStop => "emergency-stop",
            What::Trap => "trap",
            What::Stop => "stop",
        }
    }

    /// How much it takes away from one robot, from 1 (it is worse at something) to 6 (it is gone).
    pub fn severity(&self) -> u32 {
        match self {
            What::DriveSlower | What::RadioLossy => 1,
            What::SensorDead(_) | What::RadioDeaf | What::RadioMute => 2,
            What::Crash | What::RadioDead | What::Partition | What::EffectorDead(_) => 3,
            What::DriveDead | What::EmergencyStop => 4,
            What::Trap => 5,
            What::Stop => 6,
        }
    }
}

/// Whom it hits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whom {
    /// One robot.
    Robot(String),
    /// All robots of a team of this size.
    All(usize),
}

impl Whom {
    fn count(&self) -> usize {
        match self {
            Whom::Robot(_) => 1,
            Whom::All(count) => *count,
        }
    }

    fn name(&self) -> &str {
        match self {
            Whom::Robot(name) => name,
            Whom::All(_) => "all",
        }
    }
}

/// One thing that goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Mishap {
    /// What.
    pub what: What,
    /// Whom it hits.
    pub whom: Whom,
    /// When. [s]
    pub at: f64,
    /// How long; for good without it. [s]
    pub lasts: Option<f64>,
    /// How badly, for what has degrees: a share in per cent.
    pub level: Option<u32>,
}

/// A total order: nothing here is ever NaN.
fn numbers(one: f64, other: f64) -> Ordering {
    one.total_cmp(&other)
}

impl Mishap {
    /// Its severity times the number of robots that it hits.
    pub fn severity(&self) -> u32 {
        let robots = u32::try_from(self.whom.count()).unwrap_or(u32::MAX);
        self.what.severity().saturating_mul(robots)
    }

    /// True if the other takes the same thing away from the same robot.
    pub fn same_subject(&self, other: &Mishap) -> bool {
        self.what == other.what && self.whom == other.whom
    }

    /// As an entry of a scenario's `disturbances`.
    pub fn entry(&self) -> Value {
        let robot = json!(self.whom.name());
        let share = || format!("{} %", self.level.unwrap_or(50));
        let fault = |fault: &str| json!({"robot": robot, "fault": fault});
        let partly = |fault: &str| json!({"robot": robot, "fault": fault, "severity": share()});
        let said = match &self.what {
            What::DriveSlower => partly("slower"),
            What::RadioLossy => partly("lossy"),
            What::DriveDead | What::RadioDead => fault("dead"),
            What::RadioDeaf => fault("deaf"),
            What::RadioMute => fault("mute"),
            What::SensorDead(sensor) => json!({"robot": robot, "sensor": sensor, "fault": "dead"}),
            What::EffectorDead(effector) => json!({"robot": robot, "effector": effector}),
            What::Partition => json!({"group": [robot]}),
            What::Crash | What::EmergencyStop | What::Trap | What::Stop => robot,
        };
        let mut entry = serde_json::Map::new();
        entry.insert("at".into(), json!(seconds(self.at)));
        if let Some(lasts) = self.lasts {
            entry.insert("for".into(), json!(seconds(lasts)));
        }
        entry.insert(self.what.kind().into(), said);
        Value::Object(entry)
    }

    /// What happens, in words: `blue is walled in at 40 s, for good`.
    pub fn words(&self) -> String {
        let (who, whose) = match &self.whom {
            Whom::Robot(name) => (name.clone(), format!("{name}'s")),
            Whom::All(_) => ("every robot".into(), "every robot's".into()),
        };
        let level = self.level.unwrap_or(50);
        let what = match &self.what {
            What::DriveSlower => format!("{whose} drive loses {level} % of its speed"),
            What::RadioLossy => format!("{whose} radio loses {level} % of what it sends and receives"),
            What::SensorDead(sensor) => format!("{whose} sensor {sensor} is dead"),
            What::RadioDeaf => format!("{whose} radio is deaf"),
            What::RadioMute => format!("{whose} radio is mute"),
            What::Crash => format!("{whose} software crashes"),
            What::RadioDead => format!("{whose} radio is dead"),
            What::Partition => format!("{who} is cut off from the rest"),
            What::EffectorDead(effector) => format!("{whose} {effector} is dead"),
            What::DriveDead => format!("{whose} drive is dead"),
            What::EmergencyStop => format!("{whose} emergency stop is pressed"),
            What::Trap => format!("{who} is walled in"),
            What::Stop => format!("{who} dies"),
        };
        let lasts = self.lasts.map_or("for good".into(), |lasts| format!("for {}", seconds(lasts)));
        format!("{what} at {}, {lasts}", seconds(self.at))
    }
}

/// A time as people write it: `40 s`.
pub(super) fn seconds(time: f64) -> String {
    format!("{time} s")
}

/// Things that go wrong in one run, in the order of their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    mishaps: Vec<Mishap>,
}

impl Schedule {
    /// A schedule of these, in whatever order they are given.
    pub fn new(mut mishaps: Vec<Mishap>) -> Schedule {
        let key = |mishap: &Mishap| (mishap.what.clone(), mishap.whom.clone(), mishap.level);
        mishaps.sort_by(|a, b| numbers(a.at, b.at).then_with(|| key(a).cmp(&key(b))));
        Schedule { mishaps }
    }

    /// What goes wrong.
    pub fn mishaps(&self) -> &[Mishap] {
        &self.mishaps
    }

    /// The same with another thing in place of one.
    pub fn with(&self, place: usize, mishap: Mishap) -> Schedule {
        let mut mishaps = self.mishaps.clone();
        if let Some(there) = mishaps.get_mut(place) {
            *there = mishap;
        }
        Schedule::new(mishaps)
    }

    /// The same without one.
    pub fn without(&self, place: usize) -> Schedule {
        let mut mishaps = self.mishaps.clone();
        if place < mishaps.len() {
            mishaps.remove(place);
        }
        Schedule { mishaps }
    }

    /// The same and one more.
    pub fn and(&self, mishap: &Mishap) -> Schedule {
        Schedule::new(self.mishaps.iter().chain([mishap]).cloned().collect())
    }

    /// As entries of a scenario's `disturbances`, one line of YAML each.
    pub fn lines(&self) -> Vec<String> {
        self.mishaps.iter().map(|mishap| flow(&mishap.entry())).collect()
    }

    /// What happens, in words.
    pub fn words(&self) -> String {
        self.mishaps.iter().map(Mishap::words).collect::<Vec<_>>().join("; ")
    }

    /// What is smaller comes first: fewer disturbances; if equally many, less severity in total; then lower levels in total;
    /// then fewer that are for good and a shorter time in total; then later times; and in the end the order of the words, so
    /// that no two different schedules are equal.
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

    fn mishap(what: What) -> Mishap {
        Mishap { what, whom: Whom::Robot("blue".into()), at: 40.0, lasts: None, level: None }
    }

    #[test]
    fn entries_are_those_of_scenarios() {
        let trap = mishap(What::Trap);
        assert_eq!(flow(&trap.entry()), "{at: 40 s, trap: blue}");
        let slow = Mishap { level: Some(90), lasts: Some(2.5), ..mishap(What::DriveSlower) };
        assert_eq!(
            flow(&slow.entry()),
            "{at: 40 s, for: 2.5 s, drive: {robot: blue, fault: slower, severity: 90 %}}"
        );
        for what in [What::Stop, What::Crash, What::Partition, What::SensorDead("compass".into())] {
            let line = flow(&mishap(what).entry());
            crewlab_lab::scenario::read_disturbance(&line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        }
    }

    /// Each schedule is smaller than the next one.
    #[test]
    fn smaller_is_fewer_then_milder_then_lower_then_shorter_then_later() {
        let slow = |level| Mishap { level: Some(level), ..mishap(What::DriveSlower) };
        let short = |lasts| Mishap { lasts: Some(lasts), ..slow(50) };
        let order = [
            vec![],
            vec![slow(40)],
            vec![short(10.0)],
            vec![short(20.0)],
            vec![Mishap { at: 50.0, ..slow(50) }],
            vec![slow(50)],
            vec![mishap(What::RadioDeaf)],
            vec![mishap(What::Stop)],
            vec![Mishap { whom: Whom::All(7), ..mishap(What::RadioLossy) }],
            vec![slow(40), slow(40)],
            vec![slow(40), mishap(What::Stop)],
        ]
        .map(Schedule::new);
        for (place, one) in order.iter().enumerate() {
            for (other_place, other) in order.iter().enumerate() {
                assert_eq!(one.smaller(other), place.cmp(&other_place), "{one:?} {other:?}");
            }
        }
    }
}
