//! Capabilities: what a robot is equipped for, how far it can be relied on, and what a piece of work asks for.

use crate::hardware::{Datasheet, SensorId};
use crate::percept::{Percept, Reading};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What an action asks of a robot: any nesting of all-of and any-of over capabilities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Constraint {
    /// A capability: the name of a sensor, an effector or a further capability of the robot type.
    Has(String),
    /// All of these. Of nothing: always met.
    All(Vec<Constraint>),
    /// At least one of these. Of nothing: never met.
    Any(Vec<Constraint>),
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

    /// True if a set of capabilities meets it.
    pub fn met(&self, present: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Constraint::Has(name) => present(name),
            Constraint::All(parts) => parts.iter().all(|part| part.met(present)),
            Constraint::Any(parts) => parts.iter().any(|part| part.met(present)),
        }
    }

    /// The probability that nothing used for it fails, given each capability's: the product for all-of, the best
    /// for any-of, since the robot uses the one it can rely on most.
    pub fn reliability(&self, of: &dyn Fn(&str) -> f64) -> f64 {
        match self {
            Constraint::Has(name) => of(name),
            Constraint::All(parts) => parts.iter().map(|part| part.reliability(of)).product(),
            Constraint::Any(parts) => parts.iter().map(|part| part.reliability(of)).fold(0.0, f64::max),
        }
    }

    /// What is used for it: everything of all-of, of any-of what can be relied on most.
    pub fn used(&self, of: &dyn Fn(&str) -> f64) -> Vec<&str> {
        match self {
            Constraint::Has(name) => vec![name],
            Constraint::All(parts) => parts.iter().flat_map(|part| part.used(of)).collect(),
            Constraint::Any(parts) => {
                let better =
                    |a: &&Constraint, b: &&Constraint| a.reliability(of).total_cmp(&b.reliability(of));
                // Of equals the last is the largest: the first is meant.
                parts.iter().rev().max_by(better).map(|part| part.used(of)).unwrap_or_default()
            }
        }
    }

    /// All names in it, in order, some perhaps several times.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Constraint::Has(name) => vec![name],
            Constraint::All(parts) | Constraint::Any(parts) => {
                parts.iter().flat_map(Constraint::names).collect()
            }
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
            Constraint::Any(parts) if parts.is_empty() => write!(f, "what nobody has"),
            Constraint::All(parts) => join(f, parts, ", "),
            Constraint::Any(parts) => join(f, parts, " or "),
        }
    }
}

/// One capability of a robot: how often it served and failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Capability {
    name: String,
    completed: f64,
    failed: f64,
}

/// Uses that a robot type's reliability counts as, so that the first failure is not the end of a capability.
const EXPERIENCE: f64 = 4.0;

/// What a robot is equipped for, with the reliability κ = completed / (completed + failed) of each capability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// Those of a robot with this equipment, with the reliability its type says they have.
    pub fn new(datasheet: &Datasheet) -> Capabilities {
        let fresh = |(name, reliability): (&str, f64)| Capability {
            name: name.into(),
            completed: EXPERIENCE * reliability,
            failed: EXPERIENCE * (1.0 - reliability),
        };
        Capabilities(datasheet.capabilities().map(fresh).collect())
    }

    /// How far a capability can be relied on: 0 if the robot does not have it.
    pub fn reliability(&self, name: &str) -> f64 {
        let found = self.0.iter().find(|capability| capability.name == name);
        found.map_or(0.0, |c| c.completed / (c.completed + c.failed))
    }

    /// Takes note of how a use of a capability ended.
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

/// What is behind a capability on one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Device {
    /// A tool, or the drive.
    Effector,
    /// A sensor.
    Sensor(SensorId),
    /// No device of its own.
    Further,
}

impl Device {
    /// What a robot with this equipment has of this name.
    pub fn of(datasheet: &Datasheet, name: &str) -> Option<Device> {
        if datasheet.effector(name).is_some() {
            return Some(Device::Effector);
        }
        let sensor = datasheet.sensor(name).map(Device::Sensor);
        sensor.or_else(|| datasheet.has(name).then_some(Device::Further))
    }

    /// True if it works now, as far as the robot can tell: drive and tools do not while the emergency stop is pressed, and
    /// a sensor that was read and gave nothing does not.
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

/// How different the robots of a team are: the mean over all pairs of the share of capabilities that only one of the
/// two has. 0 for equal robots and for teams of one, 1 if nobody shares anything.
pub fn heterogeneity(team: &[Vec<&str>]) -> f64 {
    // Large teams are of few makes, and robots of one make do not differ.
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
    fn alternatives_and_musts_nest() {
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

    #[test]
    fn an_action_is_as_reliable_as_all_that_it_uses() {
        let of = |name: &str| match name {
            "locomotion" => 0.9,
            "camera" => 0.5,
            "laser" => 0.8,
            "simple-gripper" => 0.0,
            _ => 1.0,
        };
        assert!((fetch().reliability(&of) - 0.9 * 0.8).abs() < 1e-12);
        assert_eq!(fetch().used(&of), ["locomotion", "laser", "dexterous-gripper"]);
    }

    #[test]
    fn heterogeneity_is_0_for_equals_and_1_for_strangers() {
        assert_eq!(heterogeneity(&[vec!["a", "b"], vec!["b", "a"]]), 0.0);
        assert_eq!(heterogeneity(&[vec!["a"], vec!["b"], vec!["c"]]), 1.0);
        assert_eq!(heterogeneity(&[vec!["a"]]), 0.0);
        assert_eq!(heterogeneity(&[vec![], vec![]]), 0.0);
        // Six pairs, four of them of strangers.
        assert_eq!(heterogeneity(&[vec!["a"], vec!["b"], vec!["a"], vec!["b"]]), 4.0 / 6.0);
        // {a, b} and {b, c}: two of four.
        assert_eq!(heterogeneity(&[vec!["a", "b"], vec!["b", "c"]]), 0.5);
    }
}
