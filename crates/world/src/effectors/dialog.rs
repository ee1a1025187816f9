//! Speaks with a person: takes an order, or says a kind word when the person has what they ordered.

use super::{Effector, Grasp};
use crate::quality::Quality;
use crate::world::{World, WorldEvent};
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// What it reports once the person has been spoken to after being served.
const ATTENDED: f64 = -1.0;
/// A person must be in front of the robot. [rad]
const VIEW: f64 = PI / 2.0;

/// Parameters of a dialog module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialog {
    /// How long a dialog takes.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub duration: f64,
}

impl Default for Dialog {
    fn default() -> Self {
        Dialog { duration: 5.0 }
    }
}

impl Effector for Dialog {
    const SUMMARY: &'static str = "speaks with the person in front of the robot; reports 1 + the number of what the person wants \
         once that was said, -1 once a person who was served was spoken to";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, VIEW)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let me = grasp.body_id();
        let ahead = grasp.world.person_ahead(grasp.me, grasp.quality.fov, |_| true);
        let Some(index) = ahead else { return };
        let Some(person) = &mut grasp.world.areas[index].person else { return };
        person.alone = 0.0;
        person.talked += grasp.dt;
        if person.talked < self.duration - 1e-9 {
            return;
        }
        person.talked = 0.0;
        match person.has {
            Some(_) => person.attended = true,
            None => person.ordered = Some(me),
        }
        grasp.events.push(WorldEvent::Spoken { body: me, area: index as u32 });
    }

    fn feedback(&self, world: &World, me: usize) -> f64 {
        let ahead = world.person_ahead(me, VIEW, |_| true);
        let person = ahead.and_then(|index| world.areas[index].person.as_ref());
        match person {
            Some(person) if person.attended => ATTENDED,
            Some(person) if person.ordered.is_some_and(|by| by.0 as usize == me) => {
                1.0 + f64::from(person.says)
            }
            _ => 0.0,
        }
    }
}
