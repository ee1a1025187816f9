//! A garbage dumper: empties a can into the robot's bin.

use super::{Effector, Grasp};
use crate::quality::Quality;
use crate::world::World;
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A dumper has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dumper {}

impl Effector for Dumper {
    const SUMMARY: &'static str =
        "empties the nearest object with garbage in reach; reports the garbage on board";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.3, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let at = grasp.world.bodies[grasp.me].pose.position;
        let distance = |place: &usize| grasp.world.objects()[*place].outline.distance(at);
        let full = grasp.objects_in_reach().into_iter().filter(|&p| grasp.world.objects()[p].garbage > 0.0);
        let Some(place) = full.min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
        let object = grasp.world.object_content_mut(place);
        let taken = std::mem::take(&mut object.garbage);
        grasp.world.bodies[grasp.me].garbage += taken;
        grasp.tell_cleaned(place, taken, 0.0);
    }

    fn feedback(&self, world: &World, me: usize) -> f64 {
        world.bodies[me].garbage
    }
}
