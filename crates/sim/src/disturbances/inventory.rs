//! The things in a run that disturbances can name, and errors about unknown names.

use super::{AnyDisturbance, Target};
use crate::model::{Member, Model};
use crate::state::State;
use crewlab_missions::AnyMission;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{RobotId, TaskSpec};
use crewlab_radio::AnyRadio;
use crewlab_world::World;
use std::collections::BTreeSet;

/// An error in a disturbance, and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The key, such as `at` or `sensor.robot`; empty for the disturbance as a whole.
    pub key: String,
    /// What is wrong and what is accepted.
    pub message: String,
    /// An unknown name, and the known ones.
    pub unknown: Option<(String, Vec<String>)>,
}

impl Complaint {
    /// An error at a key.
    pub fn new(key: &'static str, message: impl Into<String>) -> Complaint {
        Complaint { key: key.into(), message: message.into(), unknown: None }
    }

    /// The same error at a key below another.
    pub(super) fn within(self, key: &str) -> Complaint {
        let key = if self.key.is_empty() { key.to_string() } else { format!("{key}.{}", self.key) };
        Complaint { key, ..self }
    }
}

/// The things in a run that disturbances can name.
#[derive(Clone, Default)]
pub struct Inventory<'a> {
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
    /// The constants of the run, once they are known.
    pub model: Option<&'a Model>,
}

pub(super) fn among(key: &'static str, what: &str, name: &str, known: &[&str]) -> Result<usize, Complaint> {
    known.iter().position(|one| *one == name).ok_or_else(|| {
        let names = known.iter().filter(|name| !name.is_empty()).map(|name| name.to_string()).collect();
        let unknown = Some((name.to_string(), names));
        Complaint { unknown, ..Complaint::new(key, format!("there is no {what} `{name}`")) }
    })
}

/// Error if a device is not among those that robots have.
fn device<'a>(
    key: &'static str,
    what: &str,
    name: &str,
    devices: impl Iterator<Item = &'a str>,
) -> Result<(), Complaint> {
    let known: BTreeSet<&str> = devices.collect();
    among(key, what, name, &known.into_iter().collect::<Vec<_>>()).map(|_| ())
}

impl<'a> Inventory<'a> {
    /// The inventory of a run in progress.
    pub fn of(model: &'a Model, state: &'a State) -> Inventory<'a> {
        let planned = state.schedule.disturbances().iter().map(|disturbance| &disturbance.what);
        let inventory = Inventory::new(&model.mission, &model.tasks, &model.team, &state.world, planned);
        Inventory { model: Some(model), ..inventory.on_the(&state.radio) }
    }

    /// The same with this radio.
    pub fn on_the(self, radio: &AnyRadio) -> Inventory<'a> {
        Inventory { physical: radio.as_physical().is_some(), ..self }
    }

    /// The inventory of a run on the ideal radio, with the disturbances that are planned for it.
    pub fn new(
        mission: &AnyMission,
        tasks: &'a [TaskSpec],
        team: &'a [Member],
        world: &'a World,
        planned: impl Iterator<Item = &'a AnyDisturbance> + Clone,
    ) -> Inventory<'a> {
        let more = planned.clone().any(|what| matches!(what, AnyDisturbance::ItemsAdded(_)));
        Inventory {
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

    /// The error that the targets have no battery.
    pub(super) fn no_battery(&self, key: &'static str) -> Complaint {
        let message = "there is no battery to drain: give the robot type `aspects: {energy: {value: 1}}`";
        Complaint::new(key, message)
    }

    /// The robot of this name.
    pub fn robot(&self, key: &'static str, name: &str) -> Result<RobotId, Complaint> {
        among(key, "robot", name, &self.robots).map(RobotId::from_index)
    }

    /// The robots that a target may include.
    pub fn meant(&self, target: &Target) -> impl Iterator<Item = &'a Member> + '_ {
        let named = match target {
            Target::Word(word) => self.robots.iter().position(|name| name == word),
            Target::Doing { .. } => None,
        };
        let team = self.team.iter().enumerate();
        team.filter(move |(index, _)| named.is_none_or(|named| named == *index)).map(|(_, member)| member)
    }

    /// Error if the mission has no items of this kind.
    pub fn item(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        among(key, "item", name, self.items).map(|_| ())
    }

    /// Error if there can be no item of this number.
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

    /// Error if a place for a robot is outside the world.
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

    /// Error if no object of this name exists or will be added.
    pub fn object(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let there = self.world.into_iter().flat_map(|world| world.objects().iter().map(|o| o.name.as_str()));
        let known: Vec<&str> = there.chain(self.later.iter().copied()).collect();
        among(key, "object", name, &known).map(|_| ())
    }

    /// Error if no jammer of this name exists or will be added.
    pub fn jammer(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let objects = self.world.map_or(&[][..], |world| world.objects());
        let jammers = objects.iter().filter(|object| object.jammer.is_some()).map(|o| o.name.as_str());
        let known: Vec<&str> = jammers.chain(self.later.iter().copied()).collect();
        if objects.iter().any(|object| object.name == name) && !known.contains(&name) {
            let message = format!("`{name}` is not a jammer: give the object `jammer: {{on: false}}`");
            return Err(Complaint::new(key, message));
        }
        among(key, "jammer", name, &known).map(|_| ())
    }

    /// Error if no area of this name exists or will be added.
    pub fn area(&self, key: &'static str, name: &str) -> Result<(), Complaint> {
        let there = self.world.into_iter().flat_map(|world| world.areas.iter().map(|area| &*area.name));
        let known: Vec<&str> = there.chain(self.later.iter().copied()).collect();
        among(key, "area", name, &known).map(|_| ())
    }

    /// Error if none of the targets has a sensor of this name.
    pub fn sensor(&self, key: &'static str, name: &str, whose: &Target) -> Result<(), Complaint> {
        let sensors = self.meant(whose).flat_map(|member| &member.identity.datasheet.sensors);
        device(key, "sensor", name, sensors.map(|sensor| sensor.name.as_str()))
    }

    /// Error if none of the targets has an effector of this name.
    pub fn effector(&self, key: &'static str, name: &str, whose: &Target) -> Result<(), Complaint> {
        let effectors = self.meant(whose).flat_map(|member| &member.identity.datasheet.effectors);
        device(key, "effector", name, effectors.map(|effector| effector.name.as_str()))
    }
}
