//! A vacuum: removes a stock, dust by default, from the ground under the robot, and leaves a trace of clean floor.

use super::{Effector, Grasp, Source};
use crate::body::Body;
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a vacuum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Vacuum {
    /// The stock that it removes.
    pub stock: String,
    /// Amount that it removes per second.
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub rate: f64,
}

impl Default for Vacuum {
    fn default() -> Self {
        Vacuum { stock: "dust".into(), rate: 1.0 }
    }
}

impl Effector for Vacuum {
    const SUMMARY: &'static str = "takes a stock (`stock`: dust) off the floor, areas and passable ground within reach; reports how much it has taken so far";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let Body { pose, from, radius, .. } = grasp.world.bodies[grasp.me];
        let reach = radius + grasp.quality.range;
        for floor in grasp.world.floors.iter_mut().filter(|floor| *floor.stock == *self.stock) {
            // All the way that the robot has driven in this tick, however long the tick is.
            floor.take(from, pose.position, reach);
        }
        let objects = grasp.objects_in_reach().into_iter();
        let soft = objects.filter(|&place| !grasp.world.objects()[place].impassable()).map(Source::Object);
        let sources: Vec<Source> = soft.chain(grasp.areas_in_reach().map(Source::Area)).collect();
        for source in sources {
            let taken = grasp.take(&self.stock, source, Some(self.rate * grasp.dt));
            *grasp.world.bodies[grasp.me].load.amount_mut(&self.stock) += taken;
        }
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        world.bodies[me].load.amount(&self.stock)
    }
}
