//! What goes wrong on purpose. Each kind is one file in [`kinds`] and one line in the registry below; *when* it
//! happens ([`When`]), to *whom* ([`Target`]) and how it is undone ([`Undo`]) is the same for all.

pub mod condition;
pub mod kinds;
mod plain;
mod scene;
mod schedule;
mod spec;
mod target;
mod when;

pub use condition::{Condition, ConditionError};
pub use scene::{AreaChange, Done, Outcome, Scene, Undo};
pub use schedule::Schedule;
pub use spec::{DisturbanceSpec, Timing};
pub use target::Target;
pub use when::When;

use crate::model::{Member, Model};
use crate::state::State;
use crewlab_missions::AnyMission;
use crewlab_onboard::TaskSpec;
use crewlab_onboard::geometry::vec2;
use crewlab_radio::AnyRadio;
use crewlab_world::World;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A kind of disturbance. Its fields are its parameters, as in the scenario.
pub trait Disturb: Clone + Serialize + DeserializeOwned + JsonSchema {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// An example, as an entry of a scenario's `disturbances`.
    const EXAMPLE: &'static str;

    /// Complains about what can never work.
    fn check(&self, cast: &Cast) -> Result<(), Complaint>;

    /// Does it.
    fn apply(&self, scene: &mut Scene) -> Outcome;

    /// How long it lasts if the scenario does not say; for good if `None`. [s]
    fn lasts(&self) -> Option<f64> {
        None
    }

    /// The name of an object or area that it adds, so that other disturbances can speak of it.
    fn adds(&self) -> Option<&str> {
        None
    }
}

/// What is wrong with a disturbance, and at which of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The key, such as `at` or `sensor.robot`; empty for the disturbance as a whole.
    pub key: String,
    /// What is wrong and what is accepted.
    pub message: String,
    /// A name that nobody has, and the names that there are.
    pub unknown: Option<(String, Vec<String>)>,
}

impl Complaint {
    /// A complaint about a key.
    pub fn new(key: &'static str, message: impl Into<String>) -> Complaint {
        Complaint { key: key.into(), message: message.into(), unknown: None }
    }

    /// The same complaint about a key below another.
    fn within(self, key: &str) -> Complaint {
        let key = if self.key.is_empty() { key.to_string() } else { format!("{key}.{}", self.key) };
        Complaint { key, ..self }
    }
}

/// Who and what takes part in a run: what disturbances can name.
#[derive(Clone, Default)]
pub struct Cast<'a> {
    /// Names of the robots.
    pub robots: Vec<&'a str>,
    /// Names of the tasks.
    pub tasks: Vec<&'a str>,
    /// The robots.
    pub team: &'a [Member],
    /// The world at the start.
    pub world: Option<&'a World>,
    /// True if the mission's robots have leaders.
    pub leaders: bool,
    /// The mission's kinds of items.
    pub items: &'a [&'a str],
    /// Names of objects and areas that other disturbances add.
    pub later: Vec<&'a str>,
    /// True if the radio is a physical one: there is a signal that can be disturbed.
    pub physical: bool,
    /// How many items there are; unknown if more may come.
    pub item_count: Option<usize>,
    /// What stays the same over the run, once it is known.
    pub model: Option<&'a Model>,
}

fn among(key: &'static str, what: &str, name: &str, known: &[&str]) -> Result<usize, Complaint> {
    known.iter().position(|one| *one == name).ok_or_else(|| {
        let names = known.iter().filter(|name| !name.is_empty()).map(|name| name.to_string()).collect();
        let unknown = Some((name.to_string(), names));
        Complaint { unknown, ..Complaint::new(key, format!("there is no {what} `{name}`")) }
    })
}

/// Complains if a device is not among those that robots have.
fn device<'a>(
    key: &'static str,
    what: &str,
    name: &str,
    devices: impl Iterator<Item = &'a str>,
) -> Result<(), Complaint> {
    let known: BTreeSet<&str> = devices.collect();
    among(key, what, name, &known.into_iter().collect::<Vec<_>>()).map(|_| ())
}

impl<'a> Cast<'a> {
    /// Those who take part in a run that is under way.
    pub fn of(model: &'a Model, state: &'a State) -> Cast<'a> {
        let planned = state.schedule.disturbances().iter().map(|disturbance| &disturbance.what);
        let cast = Cast::new(&model.mission, &model.tasks, &model.team, &state.world, planned);
        Cast { model: Some(model), ..cast.on_the(&state.radio) }
    }

    /// The same with this radio.
    pub fn on_the(self, radio: &AnyRadio) -> Cast<'a> {
        Cast { physical: radio.as_physical().is_some(), ..self }
    }

    /// Those who take part in a run on the ideal radio, with the disturbances that are planned for it.
    pub fn new(
        mission: &AnyMission,
        tasks: &'a [TaskSpec],
        team: &'a [Member],
        world: &'a World,
        planned: impl Iterator<Item = &'a AnyDisturbance> + Clone,
    ) -> Cast<'a> {
        let more = planned.clone().any(|what| matches!(what, AnyDisturbance::ItemsAdded(_)));
        Cast {
            robots: team.iter().map(|member| member.identity.name.as_str()).collect(),
            tasks: tasks.iter().map(|task| task.name.as_str()).collect(),
            team,
            world: Some(world),
            leaders: mission.leaders(),
            items: mission.items(),
            later: planned.filter_map(AnyDisturbance::adds).collect(),
            physical: false,
            item_count: (!more).then_some(world.items.len()),
            model: None,
        }
    }

    /// Complains if the radio is an ideal one, which hears everything whatever is on the air.
    pub fn physical_radio(&self) -> Result<(), Complaint> {
        if self.physical {
            return Ok(());
        }
        let message =
            "this has no effect on the ideal radio: choose a physical one, such as `radio: wifi-indoor`";
        Err(Complaint::new("", message))
    }

    /// A robot's number.
    pub fn robot(&self, key: &'static str, name: &str) -> Result<usize, Complaint> {
        among(key, "robot", name, &self.robots)
    }

    /// The robots that a target may mean.
    pub fn meant(&self, target: &Target) -> impl Iterator<Item = &'a Member> + '_ {
        let named = match target {
            Target::Word(word) => self.robots.iter().position(|name| name == word),
            Target::Doing { .. } => None,
        };
        let team = self.team.iter().enumerate();
        team.filter(move |(index, _)| named.is_none_or(|named| named == *index)).map(|(_, member)| member)
    }

    /// Complains if the mission has no items of this kind.
    pub fn item(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        among(key, "item", name, self.items).map(|_| ())
    }

    /// Complains if there can be no item of this number.
    pub fn item_number(&self, key: &'static str, number: u32) -> Result<(), Complaint> {
        match self.item_count {
            Some(0) => Err(Complaint::new(key, "there are no items")),
            Some(count) if number as usize >= count => {
                let message = format!("there is no item {number}: their numbers go from 0 to {}", count - 1);
                Err(Complaint::new(key, message))
            }
            _ => Ok(()),
        }
    }

    /// Complains if a robot cannot be put at a place because that is outside the world.
    pub fn inside(&self, key: &'static str, place: [f64; 2]) -> Result<(), Complaint> {
        let margin = self.world.map(|world| world.bounds.margin(vec2(place[0], place[1])));
        if margin.is_some_and(|margin| margin.is_nan() || margin < 0.0) {
            return Err(Complaint::new(key, "this place is outside the world"));
        }
        Ok(())
    }

    /// A task's number.
    pub fn task(&self, key: &'static str, name: &str) -> Result<usize, Complaint> {
        among(key, "task", name, &self.tasks)
    }

    /// Complains if no object of this name is there or will come.
    pub fn object(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let there = self.world.into_iter().flat_map(|world| world.objects().iter().map(|o| o.name.as_str()));
        let known: Vec<&str> = there.chain(self.later.iter().copied()).collect();
        among(key, "object", name, &known).map(|_| ())
    }

    /// Complains if no jammer of this name is there or will come.
    pub fn jammer(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let objects = self.world.map_or(&[][..], |world| world.objects());
        let jammers = objects.iter().filter(|object| object.jammer.is_some()).map(|o| o.name.as_str());
        let known: Vec<&str> = jammers.chain(self.later.iter().copied()).collect();
        if objects.iter().any(|object| object.name == name) && !known.contains(&name) {
            let message = format!("`{name}` is no jammer: give the object `jammer: {{on: false}}`");
            return Err(Complaint::new(key, message));
        }
        among(key, "jammer", name, &known).map(|_| ())
    }

    /// Complains if no area of this name is there or will come.
    pub fn area(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let there = self.world.into_iter().flat_map(|world| world.areas.iter().map(|area| &*area.name));
        let known: Vec<&str> = there.chain(self.later.iter().copied()).collect();
        among(key, "area", name, &known).map(|_| ())
    }

    /// Complains if none of those meant has a sensor of this name.
    pub fn sensor(&self, key: &'static str, name: &str, whose: &Target) -> Result<(), Complaint> {
        let sensors = self.meant(whose).flat_map(|member| &member.identity.datasheet.sensors);
        device(key, "sensor", name, sensors.map(|sensor| sensor.name.as_str()))
    }

    /// Complains if none of those meant has an effector of this name.
    pub fn effector(&self, key: &'static str, name: &str, whose: &Target) -> Result<(), Complaint> {
        let effectors = self.meant(whose).flat_map(|member| &member.identity.datasheet.effectors);
        device(key, "effector", name, effectors.map(|effector| effector.name.as_str()))
    }
}

/// A kind of disturbance as `crewlab list` and the schema show it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// An example, as an entry of a scenario's `disturbances`.
    pub example: &'static str,
}

macro_rules! registry {
    ($($name:literal => $variant:ident,)*) => {
        /// Any disturbance, by its key in scenario files.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs)]
        pub enum AnyDisturbance { $(#[serde(rename = $name)] $variant(kinds::$variant),)* }

        /// All kinds of disturbances.
        pub const KINDS: &[Kind] = &[$(Kind {
            name: $name,
            summary: <kinds::$variant as Disturb>::SUMMARY,
            example: <kinds::$variant as Disturb>::EXAMPLE,
        },)*];

        impl AnyDisturbance {
            /// Its name in scenario files.
            pub fn name(&self) -> &'static str {
                match self { $(AnyDisturbance::$variant(_) => $name,)* }
            }

            fn check(&self, cast: &Cast) -> Result<(), Complaint> {
                match self { $(AnyDisturbance::$variant(kind) => kind.check(cast),)* }
            }

            fn apply(&self, scene: &mut Scene) -> Outcome {
                match self { $(AnyDisturbance::$variant(kind) => kind.apply(scene),)* }
            }

            /// The name of an object or area that it adds.
            pub fn adds(&self) -> Option<&str> {
                match self { $(AnyDisturbance::$variant(kind) => kind.adds(),)* }
            }

            fn lasts(&self) -> Option<f64> {
                match self { $(AnyDisturbance::$variant(kind) => kind.lasts(),)* }
            }
        }
    };
}

registry! {
    "sensor" => Sensor,
    "drive" => Drive,
    "effector" => Effector,
    "battery" => Battery,
    "stop" => Stop,
    "emergency-stop" => EmergencyStop,
    "crash" => Crash,
    "radio" => Radio,
    "clock" => Clock,
    "trap" => Trap,
    "robot-added" => RobotAdded,
    "robot-removed" => RobotRemoved,
    "robot-moved" => RobotMoved,
    "take-over" => TakeOver,
    "release" => Release,
    "repair" => Repair,
    "coordinator" => Coordinator,
    "object-added" => ObjectAdded,
    "object-moved" => ObjectMoved,
    "object-removed" => ObjectRemoved,
    "object-changed" => ObjectChanged,
    "person" => Person,
    "items-added" => ItemsAdded,
    "items-removed" => ItemsRemoved,
    "items-moved" => ItemsMoved,
    "item-turned" => ItemTurned,
    "area-added" => AreaAdded,
    "area-moved" => AreaMoved,
    "area-removed" => AreaRemoved,
    "area-changed" => AreaChanged,
    "terrain" => Terrain,
    "jammer" => Jammer,
    "link-cut" => LinkCut,
    "partition" => Partition,
    "noise" => Noise,
    "bandwidth" => Bandwidth,
    "task-added" => TaskAdded,
    "task-cancelled" => TaskCancelled,
    "task-priority" => TaskPriority,
    "answer" => Answer,
}

/// Something that goes wrong, checked and ready to happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// When.
    pub when: When,
    /// How long it lasts; for good if `None`. [s]
    pub lasts: Option<f64>,
    /// How often at most; without limit if `None`.
    pub times: Option<u32>,
    /// What.
    pub what: AnyDisturbance,
}
