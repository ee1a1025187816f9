//! Capabilities: a robot's equipment, its reliability, and the requirements of a piece of work.

use crate::hardware::{Datasheet, SensorId};
use crate::percept::{Percept, Reading};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The requirements of an action: any Boolean function of capabilities (definition 3.11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Constraint {
    /// A capability: the name of a sensor, an effector or a further capability of the robot type.
    Has(String),
    /// All of these. Met if empty.
    All(Vec<Constraint>),
    /// At least one of these. Never met if empty.
    Any(Vec<Constraint>),
    /// Anything but this: a robot with a cue in its hand cannot carry a cup.
    Not(Box<Constraint>),
}

/// The means by which a robot meets a constraint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Means<'c> {
    /// The capabilities it uses, possibly with duplicates.
    pub used: Vec<&'c str>,
    /// The probability P(χ) that none of them fails (3.11, 3.12).
    pub reliability: f64,
    /// What they cost beyond the estimate of the action. [s]
    pub extra: f64,
}

/// What a robot knows about one of its capabilities that works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// κ: the probability that it does not fail.
    pub reliability: f64,
    /// Its cost beyond the estimate of the action, c(a, κ) - c(a). [s]
    pub extra: f64,
}

impl Constraint {
    /// All of these capabilities.
    pub fn all(names: &[&str]) -> Constraint {
        Constraint::All(names.iter().map(|name| Constraint::Has((*name).into())).collect())
    }

    /// At least one of these capabilities.
    pub fn any(names: &[&str]) -> Constraint {
        Constraint::Any(names.iter().map(|name| Constraint::Has((*name).into())).collect())
    }

    /// This and the other one.
    pub fn and(self, other: Constraint) -> Constraint {
        match (self, other) {
            (Constraint::All(both), Constraint::All(more)) => {
                more.into_iter().fold(Constraint::All(both), Constraint::and)
            }
            (Constraint::All(both), other) if both.contains(&other) => Constraint::All(both),
            (Constraint::All(mut both), other) => {
                both.push(other);
                Constraint::All(both)
            }
            (one, other) => Constraint::All(vec![one]).and(other),
        }
    }

    /// Everything but this.
    pub fn negated(self) -> Constraint {
        Constraint::Not(Box::new(self))
    }

    /// True if a set of capabilities meets it.
    pub fn met(&self, present: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Constraint::Has(name) => present(name),
            Constraint::All(parts) => parts.iter().all(|part| part.met(present)),
            Constraint::Any(parts) => parts.iter().any(|part| part.met(present)),
            Constraint::Not(part) => !part.met(present),
        }
    }

    /// False if no member of a group can meet it, given whether any member has a capability and whether any lacks it. True does
    /// not mean that one member meets it.
    pub fn within_reach(&self, has: &dyn Fn(&str) -> bool, lacks: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Constraint::Has(name) => has(name),
            Constraint::All(parts) => parts.iter().all(|part| part.within_reach(has, lacks)),
            Constraint::Any(parts) => parts.iter().any(|part| part.within_reach(has, lacks)),
            Constraint::Not(part) => part.out_of_reach(has, lacks),
        }
    }

    /// False if every member of a group meets it, as far as that can be told.
    fn out_of_reach(&self, has: &dyn Fn(&str) -> bool, lacks: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Constraint::Has(name) => lacks(name),
            Constraint::All(parts) => parts.iter().any(|part| part.out_of_reach(has, lacks)),
            Constraint::Any(parts) => parts.iter().all(|part| part.out_of_reach(has, lacks)),
            Constraint::Not(part) => part.within_reach(has, lacks),
        }
    }

    /// The means to meet it: all of all-of; of any-of the one with the lowest cost, failures considered,
    /// arg min c(a, κ) + (1 - κ) c_fail(a). `None` if it is not met. `of` rates the capabilities that work, `fail` is c_fail(a),
    /// the cost of a failure. [s]
    pub fn means(&self, of: &dyn Fn(&str) -> Option<Rating>, fail: f64) -> Option<Means<'_>> {
        let sure = Means { reliability: 1.0, ..Means::default() };
        match self {
            Constraint::Has(name) => {
                let Rating { reliability, extra } = of(name)?;
                Some(Means { used: vec![name], reliability, extra })
            }
            Constraint::All(parts) => parts.iter().try_fold(sure, |mut all, part| {
                let means = part.means(of, fail)?;
                all.used.extend(means.used);
                let (reliability, extra) = (all.reliability * means.reliability, all.extra + means.extra);
                Some(Means { used: all.used, reliability, extra })
            }),
            Constraint::Any(parts) => {
                let cost = |means: &Means| means.extra + (1.0 - means.reliability) * fail;
                let ways = parts.iter().filter_map(|part| part.means(of, fail));
                // Of equal ones the first.
                ways.reduce(|best, next| if cost(&next) < cost(&best) { next } else { best })
            }
            Constraint::Not(part) => (!part.met(&|name| of(name).is_some())).then_some(sure),
        }
    }

    /// All names in it, in order, possibly with duplicates.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Constraint::Has(name) => vec![name],
            Constraint::All(parts) | Constraint::Any(parts) => {
                parts.iter().flat_map(Constraint::names).collect()
            }
            Constraint::Not(part) => part.names(),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let join = |f: &mut fmt::Formatter, parts: &[Constraint], with: &str| {
            for (place, part) in parts.iter().enumerate() {
                let before = if place == 0 { "" } else { with };
                match part {
                    Constraint::Any(inner) if inner.len() > 1 => write!(f, "{before}({part})")?,
                    _ => write!(f, "{before}{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Constraint::Has(name) => write!(f, "{name}"),
            Constraint::All(parts) if parts.is_empty() => write!(f, "nothing"),
            Constraint::Any(parts) if parts.is_empty() => write!(f, "something that nobody has"),
            Constraint::All(parts) => join(f, parts, ", "),
            Constraint::Any(parts) => join(f, parts, " or "),
            Constraint::Not(part) => match &**part {
                Constraint::All(inner) | Constraint::Any(inner) if inner.len() > 1 => {
                    write!(f, "not ({part})")
                }
                part => write!(f, "not {part}"),
            },
        }
    }
}

/// The record of one capability: successes and failures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Capability {
    name: String,
    completed: f64,
    failed: f64,
}

/// Number of uses that a robot type's reliability counts as, so that a first failure does not rule a capability out.
const EXPERIENCE: f64 = 4.0;

/// A robot's equipment, with the reliability κ = completed / (completed + failed) of each capability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// The capabilities of a robot with this equipment, with the reliability of its type.
    pub fn new(datasheet: &Datasheet) -> Capabilities {
        let fresh = |(name, reliability): (&str, f64)| Capability {
            name: name.into(),
            completed: EXPERIENCE * reliability,
            failed: EXPERIENCE * (1.0 - reliability),
        };
        Capabilities(datasheet.capabilities().map(fresh).collect())
    }

    /// The reliability of a capability: 0 if the robot does not have it.
    pub fn reliability(&self, name: &str) -> f64 {
        let found = self.0.iter().find(|capability| capability.name == name);
        found.map_or(0.0, |c| c.completed / (c.completed + c.failed))
    }

    /// Records how a use of a capability ended.
    pub fn used(&mut self, name: &str, well: bool) {
        if let Some(capability) = self.0.iter_mut().find(|capability| capability.name == name) {
            *(if well { &mut capability.completed } else { &mut capability.failed }) += 1.0;
        }
    }

    /// True if a robot has a capability and it works now, as far as the robot can tell.
    pub fn working(datasheet: &Datasheet, percept: &Percept, name: &str) -> bool {
        Device::of(datasheet, name).is_some_and(|device| device.works(percept))
    }
}

/// What provides a capability on one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Device {
    /// A tool, or the drive.
    Effector,
    /// A sensor.
    Sensor(SensorId),
    /// Not a device.
    Further,
}

impl Device {
    /// What provides the capability of this name on a robot with this equipment.
    pub fn of(datasheet: &Datasheet, name: &str) -> Option<Device> {
        if datasheet.effector(name).is_some() {
            return Some(Device::Effector);
        }
        let sensor = datasheet.sensor(name).map(Device::Sensor);
        sensor.or_else(|| datasheet.has(name).then_some(Device::Further))
    }

    /// True if it works now, as far as the robot can tell: drive and tools do not while the emergency stop is pressed, nor does a
    /// sensor that was read and gave nothing.
    pub fn works(self, percept: &Percept) -> bool {
        match self {
            Device::Effector => !percept.stopped,
            Device::Sensor(SensorId(place)) => percept
                .senses
                .get(usize::from(place))
                .is_none_or(|sense| sense.tried.is_none() || sense.reading != Reading::Missing),
            Device::Further => true,
        }
    }
}

/// The diversity of a team: the mean over all pairs of the share of capabilities that only one of the two has. 0 for equal robots
/// and for teams of one, 1 if no two share anything.
pub fn heterogeneity(team: &[Vec<&str>]) -> f64 {
    // Large teams have few models, and robots of one model are equal.
    let mut makes: BTreeMap<&[&str], f64> = BTreeMap::new();
    for names in team {
        *makes.entry(names).or_default() += 1.0;
    }
    let pair = |a: &[&str], b: &[&str]| {
        let alone = a.iter().filter(|name| !b.contains(name)).count()
            + b.iter().filter(|name| !a.contains(name)).count();
        if a.is_empty() && b.is_empty() { 0.0 } else { alone as f64 / (a.len() + b.len()) as f64 }
    };
    let makes: Vec<(&[&str], f64)> = makes.into_iter().collect();
    let mut sum = 0.0;
    for (place, (a, count)) in makes.iter().enumerate() {
        for (b, more) in &makes[place + 1..] {
            sum += count * more * pair(a, b);
        }
    }
    let pairs = team.len() as f64 * (team.len() as f64 - 1.0) / 2.0;
    if pairs > 0.0 { sum / pairs } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thesis' example (figure 3.2): fetch a cup of coffee.
    fn fetch() -> Constraint {
        Constraint::all(&["locomotion"])
            .and(Constraint::any(&["camera", "laser"]))
            .and(Constraint::any(&["simple-gripper", "dexterous-gripper"]))
    }

    #[test]
    fn all_of_and_any_of_nest() {
        let met = |set: &[&str]| fetch().met(&|name| set.contains(&name));
        assert!(met(&["locomotion", "laser", "dexterous-gripper"]));
        assert!(!met(&["locomotion", "camera", "laser"]));
        assert!(!met(&["camera", "simple-gripper"]));
        assert!(Constraint::all(&[]).met(&|_| false) && !Constraint::any(&[]).met(&|_| true));
    }

    #[test]
    fn constraints_read_like_a_sentence() {
        let text = "locomotion, (camera or laser), (simple-gripper or dexterous-gripper)";
        assert_eq!(fetch().to_string(), text);
        assert_eq!(Constraint::any(&["one"]).to_string(), "one");
    }

    /// Ratings of a robot with all capabilities of the example; one of its grippers is slow.
    fn rating(name: &str) -> Option<Rating> {
        let (reliability, extra) = match name {
            "locomotion" => (0.9, 0.0),
            "camera" => (0.5, 0.0),
            "laser" => (0.8, 0.0),
            "simple-gripper" => (0.75, 0.0),
            "dexterous-gripper" => (1.0, 10.0),
            _ => return None,
        };
        Some(Rating { reliability, extra })
    }

    #[test]
    fn an_action_is_as_reliable_as_all_its_capabilities_together() {
        let fetch = fetch();
        let means = fetch.means(&rating, 100.0).expect("a way");
        assert!((means.reliability - 0.9 * 0.8).abs() < 1e-12);
        assert_eq!(means.used, ["locomotion", "laser", "dexterous-gripper"]);
    }

    #[test]
    fn the_slow_gripper_is_used_only_where_a_failure_costs_more() {
        let fetch = fetch();
        // 0.25 c_fail against 10 s.
        for (fail, gripper, extra) in [(39.0, "simple-gripper", 0.0), (41.0, "dexterous-gripper", 10.0)] {
            let means = fetch.means(&rating, fail).expect("a way");
            assert_eq!((means.used[2], means.extra), (gripper, extra), "a failure costs {fail} s");
        }
    }

    #[test]
    fn negation_needs_the_absence_of_a_capability() {
        let free = Constraint::all(&["locomotion"]).and(Constraint::all(&["cue-hold"]).negated());
        assert_eq!(free.to_string(), "locomotion, not cue-hold");
        assert!(free.met(&|name| name == "locomotion") && !free.met(&|_| true));
        assert_eq!(free.means(&rating, 1.0).expect("a way").used, ["locomotion"]);
        let busy = |name: &str| rating(if name == "cue-hold" { "laser" } else { name });
        assert_eq!(free.means(&busy, 1.0), None);
        assert_eq!(free.clone().negated().negated().met(&|_| true), free.met(&|_| true));
        assert_eq!(Constraint::any(&["a", "b"]).negated().to_string(), "not (a or b)");
    }

    #[test]
    fn a_group_reaches_whatever_one_of_its_members_meets() {
        let of = |bits: u32, place: u32| bits >> place & 1 == 1;
        let name = |place: u32| Constraint::Has(["a", "b", "c"][place as usize].into());
        let constraints = [
            name(0).and(name(1).negated()),
            Constraint::Any(vec![name(0).negated(), name(1).and(name(2))]).negated(),
            Constraint::Any(vec![name(0).and(name(1)).negated(), name(2)]),
        ];
        let place = |name: &str| u32::from(name.as_bytes()[0] - b'a');
        for constraint in &constraints {
            for (one, other) in (0..8).flat_map(|one| (0..8).map(move |other| (one, other))) {
                let met = |bits: u32| constraint.met(&|name| of(bits, place(name)));
                let has = |name: &str| of(one | other, place(name));
                let lacks = |name: &str| !of(one & other, place(name));
                let reach = constraint.within_reach(&has, &lacks);
                assert!(reach || !(met(one) || met(other)), "{constraint} with {one:b} and {other:b}");
                assert!(reach == met(one) || one != other, "a group of one reaches what it meets");
            }
        }
    }

    #[test]
    fn heterogeneity_is_0_for_equal_and_1_for_disjoint_robots() {
        assert_eq!(heterogeneity(&[vec!["a", "b"], vec!["b", "a"]]), 0.0);
        assert_eq!(heterogeneity(&[vec!["a"], vec!["b"], vec!["c"]]), 1.0);
        assert_eq!(heterogeneity(&[vec!["a"]]), 0.0);
        assert_eq!(heterogeneity(&[vec![], vec![]]), 0.0);
        // Six pairs, four of which have nothing in common.
        assert_eq!(heterogeneity(&[vec!["a"], vec!["b"], vec!["a"], vec!["b"]]), 4.0 / 6.0);
        // {a, b} and {b, c}: two of four.
        assert_eq!(heterogeneity(&[vec!["a", "b"], vec!["b", "c"]]), 0.5);
    }
}
