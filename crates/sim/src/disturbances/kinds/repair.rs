//! A robot is repaired.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene, Target, among};
use super::or_wait;
use crate::faults::Part;
use crate::model::Member;
use crewlab_onboard::RobotId;
use crewlab_world::aspect::ENERGY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Parts that every robot has, besides its sensors and effectors.
pub const REPAIRABLE: [(&str, Part); 5] = [
    ("drive", Part::Drive),
    ("radio", Part::Radio),
    ("clock", Part::Clock),
    ("battery", Part::Battery),
    ("stop", Part::Stop),
];

/// Repairs faults, whatever caused them and however long they were meant to last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Repair {
    /// The robot.
    pub robot: Target,
    /// The part: `drive`, `radio`, `clock`, `battery`, `stop` (whatever stops it), or the name of a sensor or effector. Default:
    /// everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

/// A part of a robot by its name; `None` if it has no such part.
fn part(member: &Member, name: &str) -> Option<Part> {
    let usual = REPAIRABLE.iter().find(|(known, _)| *known == name).map(|(_, part)| *part);
    let sheet = &member.identity.datasheet;
    usual
        .or_else(|| sheet.sensors.iter().position(|sensor| sensor.name == name).map(Part::Sensor))
        .or_else(|| sheet.effectors.iter().position(|effector| effector.name == name).map(Part::Effector))
}

impl Disturb for Repair {
    const ABOUT: About = About::new(
        Subject::Robot,
        "repairs everything on a robot or one `part`: `drive`, `radio`, `clock`, `battery`, `stop` (whatever stops it), or a sensor or effector by name; an empty battery is replaced",
        "{at: 5 min, repair: {robot: blue, part: gripper}}",
    );

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        self.robot.check("robot", inventory)?;
        let Some(name) = &self.part else { return Ok(()) };
        if inventory.meant(&self.robot).any(|member| part(member, name).is_some()) {
            return Ok(());
        }
        let sheets = inventory.meant(&self.robot).map(|member| &member.identity.datasheet);
        let devices = sheets.flat_map(|sheet| {
            let sensors = sheet.sensors.iter().map(|sensor| sensor.name.as_str());
            sensors.chain(sheet.effectors.iter().map(|effector| effector.name.as_str()))
        });
        let known: BTreeSet<&str> = REPAIRABLE.iter().map(|(name, _)| *name).chain(devices).collect();
        among("part", "part", name, &known.into_iter().collect::<Vec<_>>()).map(|_| ())
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let robots = or_wait!(self.robot.resolve(scene));
        let mut mended = 0;
        for &robot in &robots {
            let meant = self.part.as_deref().map(|name| part(&scene.model.team[robot], name));
            // A robot without such a part has nothing to repair.
            let Some(meant) = meant.map_or(Some(None), |part| part.map(Some)) else { continue };
            mended += scene.mend(robot, meant).len();
            if meant.is_none_or(|part| part == Part::Battery) {
                mended += usize::from(exchange_battery(scene, robot));
            }
        }
        let what = self.part.as_deref().unwrap_or("everything");
        let end = if mended == 0 { ", but nothing was broken" } else { "" };
        scene.done_to(&robots, |names| format!("{what} of {names} is repaired{end}"))
    }
}

/// Replaces an empty battery by a full one.
fn exchange_battery(scene: &mut Scene, robot: RobotId) -> bool {
    let body = &mut scene.state.world.bodies[robot];
    let empty = body.exhausted();
    for energy in body.aspects.iter_mut().filter(|aspect| empty && aspect.name == ENERGY) {
        energy.value = energy.max;
    }
    empty
}
