//! A dumper: empties an object of a stock, garbage by default, into the robot's bin.

use super::{Effector, Grasp, Source};
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a dumper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dumper {
    /// The stock that it removes.
    pub stock: String,
}

impl Default for Dumper {
    fn default() -> Self {
        Dumper { stock: "garbage".into() }
    }
}

impl Effector for Dumper {
    const SUMMARY: &'static str = "takes all of a stock (`stock`: garbage) from the nearest object in reach that has some; reports how much is on board";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.3, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let at = grasp.world.bodies[grasp.me].pose.position;
        let objects = grasp.world.objects();
        let distance = |place: &usize| objects[*place].outline.distance(at);
        let full = |place: &usize| objects[*place].properties.amount(&self.stock) > 0.0;
        let nearest = grasp.objects_in_reach().into_iter().filter(full);
        let Some(place) = nearest.min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
        let taken = grasp.take(&self.stock, Source::Object(place), None);
        *grasp.world.bodies[grasp.me].load.amount_mut(&self.stock) += taken;
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        world.bodies[me].load.amount(&self.stock)
    }
}
