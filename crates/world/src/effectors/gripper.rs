//! A gripper for one item.

use super::{Effector, Grasp};
use crate::quality::Quality;
use crate::world::{World, WorldEvent};
use crewlab_onboard::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A gripper has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Gripper {}

impl Gripper {
    fn grab(grasp: &mut Grasp) {
        let body = &grasp.world.bodies[grasp.me];
        if body.holding.is_some() {
            return;
        }
        let (pose, reach) = (body.pose, body.radius + grasp.quality.range);
        let in_reach = |position| {
            let distance = pose.position.distance(position);
            let front = distance <= body.radius || pose.bearing(position).abs() <= grasp.quality.fov / 2.0;
            (distance <= reach && front).then_some(distance)
        };
        let free = grasp.world.items.iter().enumerate().filter(|(_, item)| item.lies());
        let nearest = free
            .filter_map(|(i, item)| in_reach(item.position).map(|distance| (i, distance)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((item, _)) = nearest {
            grasp.world.items[item].holder = Some(grasp.body_id());
            grasp.world.bodies[grasp.me].holding = Some(item as u32);
            grasp.world.items_changed();
            grasp.events.push(WorldEvent::Picked { body: grasp.body_id(), item: item as u32 });
        }
    }

    fn release(grasp: &mut Grasp) {
        let Some(item) = grasp.world.release(grasp.body_id()) else { return };
        grasp.events.push(WorldEvent::Dropped { body: grasp.body_id(), item });
    }
}

impl Effector for Gripper {
    const SUMMARY: &'static str =
        "picks up the nearest item in reach, carries and drops it; reports 1 while loaded";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.15, PI)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        match action {
            Action::Grab => Gripper::grab(grasp),
            Action::Release => Gripper::release(grasp),
            _ => {}
        }
    }

    fn feedback(&self, world: &World, me: usize) -> f64 {
        f64::from(u8::from(world.bodies[me].holding.is_some()))
    }
}
