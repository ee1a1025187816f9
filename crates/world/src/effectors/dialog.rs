//! Speaks with a person: receives the person's request, or keeps the person company once the request was fulfilled.

use super::{Effector, Grasp};
use crate::area::Area;
use crate::quality::Quality;
use crate::world::{World, WorldEvent};
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Its status once it has kept the person company.
const COMPANY: f64 = -1.0;
/// A person must be in front of the robot. [rad]
const VIEW: f64 = PI / 2.0;
/// The stock of an area that counts the seconds of the current dialog there.
const TALK: &str = "talk";

/// Parameters of a dialog module. A person with a request is an area with the aspect `hears`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialog {
    /// How long a dialog takes.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub duration: f64,
    /// The aspect of an area that holds the request: a number whose meaning the mission defines.
    pub hears: String,
    /// The state once the request was told.
    pub told: String,
    /// The state in which the request is fulfilled: a dialog then only keeps the person company.
    pub after: String,
    /// The state once the robot has kept the person company.
    pub company: String,
}

impl Default for Dialog {
    fn default() -> Self {
        Dialog {
            duration: 5.0,
            hears: "wish".into(),
            told: "ordered".into(),
            after: super::gripper::SERVED.into(),
            company: "attended".into(),
        }
    }
}

impl Dialog {
    fn partner(&self, world: &World, me: RobotId, view: f64) -> Option<usize> {
        world.area_ahead(me, view, |area: &Area| area.properties.value(&self.hears).is_some())
    }
}

impl Effector for Dialog {
    const SUMMARY: &'static str = "speaks with the person in front of the robot; reports 1 + the number that the person tells (`hears`: wish) \
         once that was told, -1 once a person who was served was spoken to";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, VIEW)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let body = grasp.me;
        let Some(index) = self.partner(grasp.world, grasp.me, grasp.quality.fov) else { return };
        let properties = &mut grasp.world.areas[index].properties;
        properties.states.renew(&self.after);
        let talked = properties.stocks.amount_mut(TALK);
        *talked += grasp.dt;
        if *talked < self.duration - 1e-9 {
            return;
        }
        *talked = 0.0;
        let state = if properties.states.has(&self.after) { &self.company } else { &self.told };
        properties.states.set(state, Some(body), None);
        grasp.events.push(WorldEvent::StateSet { body, area: index as u32, state: state.as_str().into() });
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        let Some(index) = self.partner(world, me, VIEW) else { return 0.0 };
        let properties = &world.areas[index].properties;
        if properties.states.has(&self.company) {
            COMPANY
        } else if properties.states.get(&self.told).is_some_and(|told| told.by == Some(me)) {
            1.0 + properties.value(&self.hears).unwrap_or_default()
        } else {
            0.0
        }
    }
}
