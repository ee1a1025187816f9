//! The self-description of a kind of disturbance: the single source of lists, forms, documents and `crewlab break`.

use super::{Complaint, Inventory};
use serde::Serialize;

/// The self-description of a kind of disturbance.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its subject.
    pub subject: Subject,
    /// A one-line description.
    pub summary: &'static str,
    /// An example, as an entry of a scenario's `disturbances`.
    pub example: &'static str,
    /// The requirements on a scenario for it to have an effect.
    pub needs: &'static [Need],
    /// How forms apply it to one robot, if they offer that.
    pub by_hand: Option<ByHand>,
    /// How `crewlab break` tries it, if it does.
    pub breaking: Option<Breaking>,
    /// False if forms do not list it, because another part of the page does it.
    pub listed: bool,
}

impl About {
    /// A kind without requirements that is listed, but not offered for robots and not tried by `crewlab break`.
    pub const fn new(subject: Subject, summary: &'static str, example: &'static str) -> About {
        About { subject, summary, example, needs: &[], by_hand: None, breaking: None, listed: true }
    }

    /// A one-line description with its requirements.
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

/// The subject of a disturbance.
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
    /// The radio channel.
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

/// A requirement on a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// A radio with a signal that can be disturbed.
    PhysicalRadio,
    /// A robot with a battery.
    Battery,
}

impl Need {
    /// A description.
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

/// How forms apply it to one robot. The entry is the robot alone, or a map with the robot and the keys given here.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByHand {
    /// The affected part of the robot, as shown in the form.
    pub part: &'static str,
    /// The devices to choose from, if it affects a sensor or an effector, which the key of this name then holds.
    pub device: Option<Device>,
    /// Its variants.
    pub ways: &'static [Way],
}

impl ByHand {
    /// It affects the robot as a whole.
    pub const fn whole(ways: &'static [Way]) -> Option<ByHand> {
        Some(ByHand { part: "Whole robot", device: None, ways })
    }
}

/// The devices of a robot to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// One of its sensors; all of them if none is named.
    Sensor,
    /// One of its effectors, but not the drive.
    Effector,
}

/// A variant.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Way {
    /// A description.
    pub label: &'static str,
    /// The value of the key `fault`.
    pub fault: Option<&'static str>,
    /// Its severity.
    pub dial: Option<Dial>,
}

impl Way {
    /// A variant without levels.
    pub const fn plain(label: &'static str, fault: Option<&'static str>) -> Way {
        Way { label, fault, dial: None }
    }
}

/// A number for the severity.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dial {
    /// Its key.
    pub key: &'static str,
    /// A description.
    pub label: &'static str,
    /// Its unit in forms: `%`, or empty. A share of 50 % is 0.5 in the entry.
    pub unit: &'static str,
    /// Its default.
    pub value: f64,
    /// Its minimum.
    pub min: f64,
    /// Its maximum.
    pub max: f64,
    /// Its step.
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
    /// True if it is tried by default: faults of robots and of their communication.
    pub by_default: bool,
    /// The stressors, at their worst.
    pub tried: &'static str,
}

impl Breaking {
    /// Tried by default.
    pub const fn by_default(tried: &'static str) -> Option<Breaking> {
        Some(Breaking { by_default: true, tried })
    }

    /// Tried only by name.
    pub const fn by_name(tried: &'static str) -> Option<Breaking> {
        Some(Breaking { by_default: false, tried })
    }
}
