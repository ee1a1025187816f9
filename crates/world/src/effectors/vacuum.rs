//! A floor vacuum: takes dust off the ground the robot stands on, and leaves a trace of cleaned floor.

use super::{Effector, Grasp};
use crate::body::Body;
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a vacuum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Vacuum {
    /// Dust taken up per second.
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub rate: f64,
}

impl Default for Vacuum {
    fn default() -> Self {
        Vacuum { rate: 1.0 }
    }
}

impl Effector for Vacuum {
    const SUMMARY: &'static str =
        "cleans the floor and passable ground within reach; reports the dust taken so far";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let Body { pose, radius, .. } = grasp.world.bodies[grasp.me];
        if let Some(floor) = &mut grasp.world.floor {
            floor.clean(pose.position, radius + grasp.quality.range);
        }
        for place in grasp.objects_in_reach() {
            let object = grasp.world.object_content_mut(place);
            if object.impassable() || object.dust <= 0.0 {
                continue;
            }
            let taken = grasp.quality.noisy(self.rate * grasp.dt, grasp.random).clamp(0.0, object.dust);
            let before = object.dust;
            object.dust -= taken;
            let left = object.dust;
            grasp.world.bodies[grasp.me].dust += taken;
            grasp.tell_cleaned(place, before, left);
        }
    }

    fn feedback(&self, world: &World, me: usize) -> f64 {
        world.bodies[me].dust
    }
}
