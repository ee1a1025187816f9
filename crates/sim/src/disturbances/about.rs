//! What a kind of disturbance says about itself: the one place from which lists, forms, documents and `crewlab break` take it.

use super::{Complaint, Inventory};
use serde::Serialize;

/// What a kind of disturbance says about itself.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// What it is done to.
    pub subject: Subject,
    /// What it does, in one line.
    pub summary: &'static str,
    /// An example, as an entry of a scenario's `disturbances`.
    pub example: &'static str,
    /// What a scenario must have, so that it can have an effect.
    pub needs: &'static [Need],
    /// How a person does it to one robot, if forms offer that.
    pub by_hand: Option<ByHand>,
    /// How `crewlab break` tries it, if it does.
    pub breaking: Option<Breaking>,
    /// False for what forms do not list, because another part of the page does it.
    pub listed: bool,
}

impl About {
    /// A kind that needs nothing, is listed, and is neither done to a robot by hand nor tried by `crewlab break`.
    pub const fn new(subject: Subject, summary: &'static str, example: &'static str) -> About {
        About { subject, summary, example, needs: &[], by_hand: None, breaking: None, listed: true }
    }

    /// What it does and what it needs, in one line.
    pub fn words(&self) -> String {
        match self.needs {
            [] => self.summary.into(),
            needs => {
                let needs: Vec<&str> = needs.iter().map(|need| need.words()).collect();
                format!("{}; needs {}", self.summary, needs.join(" and "))
            }
        }
    }
}

/// What a disturbance is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A robot.
    Robot,
    /// The whole team.
    Team,
    /// An object.
    Object,
    /// An item.
    Item,
    /// An area.
    Area,
    /// The ground.
    Ground,
    /// Links between robots.
    Link,
    /// The air.
    Air,
    /// A task.
    Task,
    /// A question.
    Question,
}

impl Subject {
    /// The group in menus and lists.
    pub fn group(self) -> &'static str {
        match self {
            Subject::Robot | Subject::Team => "Robots",
            Subject::Object => "Objects",
            Subject::Item => "Items",
            Subject::Area | Subject::Ground => "Areas and ground",
            Subject::Link | Subject::Air => "Radio",
            Subject::Task | Subject::Question => "Operator",
        }
    }
}

/// What a scenario must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// A radio with a signal that can be disturbed.
    PhysicalRadio,
    /// A robot with a battery.
    Battery,
}

impl Need {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Need::PhysicalRadio => "a physical radio",
            Need::Battery => "robots with the aspect `energy`",
        }
    }

    pub(super) fn check(self, inventory: &Inventory) -> Result<(), Complaint> {
        match self {
            Need::PhysicalRadio if !inventory.physical => {
                let message = "this has no effect on the ideal radio: choose a physical one, such as `radio: wifi-indoor`";
                Err(Complaint::new("", message))
            }
            Need::Battery if !inventory.team.iter().any(|member| member.has_battery()) => {
                Err(inventory.no_battery(""))
            }
            _ => Ok(()),
        }
    }
}

/// How a person does it to one robot. The entry is the robot alone, or a map with the robot and the keys that are given here.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByHand {
    /// The part of the robot that it concerns, as the form calls it.
    pub part: &'static str,
    /// True if it is done to a sensor or an effector, which the key of this name then holds.
    pub device: Option<Device>,
    /// The ways in which it is done.
    pub ways: &'static [Way],
}

impl ByHand {
    /// What is done to the robot as a whole.
    pub const fn whole(ways: &'static [Way]) -> Option<ByHand> {
        Some(ByHand { part: "Whole robot", device: None, ways })
    }
}

/// Which devices of a robot can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// One of its sensors; all of them if none is named.
    Sensor,
    /// One of its effectors, but not the drive.
    Effector,
}

/// A way in which something is done.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Way {
    /// In words.
    pub label: &'static str,
    /// What the key `fault` holds.
    pub fault: Option<&'static str>,
    /// How badly.
    pub dial: Option<Dial>,
}

impl Way {
    /// A way that has no degrees.
    pub const fn plain(label: &'static str, fault: Option<&'static str>) -> Way {
        Way { label, fault, dial: None }
    }
}

/// A number that says how badly.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dial {
    /// The key that holds it.
    pub key: &'static str,
    /// In words.
    pub label: &'static str,
    /// The unit that people give it in: `%`, or nothing. A share of 50 % is 0.5 in the entry.
    pub unit: &'static str,
    /// What it is unless somebody says otherwise.
    pub value: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// From one value to the next.
    pub step: f64,
}

impl Dial {
    /// A share in per cent, under the key `severity`.
    pub const fn share(label: &'static str, value: f64, min: f64) -> Dial {
        Dial { key: "severity", label, unit: "%", value, min, max: 100.0, step: 5.0 }
    }
}

/// How `crewlab break` tries a kind.
#[derive(Clone, Copy, Debug)]
pub struct Breaking {
    /// True if it is tried unless kinds are named: what breaks on robots and between them.
    pub by_default: bool,
    /// What is tried, at its worst.
    pub tried: &'static str,
}

impl Breaking {
    /// Tried unless kinds are named.
    pub const fn by_default(tried: &'static str) -> Option<Breaking> {
        Some(Breaking { by_default: true, tried })
    }

    /// Tried only if it is named.
    pub const fn by_name(tried: &'static str) -> Option<Breaking> {
        Some(Breaking { by_default: false, tried })
    }
}
