//! A gripper for one item: picks it up, holds it out to another robot, puts it down or gives it to a person.

use super::{Effector, Grasp};
use crate::area::Area;
use crate::quality::Quality;
use crate::world::{World, WorldEvent};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Action, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Largest distance between the place that a gripper reaches for and the item that it closes on. [m]
const OPENING: f64 = 0.25;

/// The state of an area once a person there has received an item, unless a scenario names another.
pub(super) const SERVED: &str = "served";

/// Parameters of a gripper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Gripper {
    /// The aspect of items by which it grips them, such as `handle`: a direction that must point towards the robot. Default: it
    /// grips items from any side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grips_by: Option<String>,
    /// The state of an area once a person there has received an item.
    pub served: String,
}

impl Default for Gripper {
    fn default() -> Self {
        Gripper { grips_by: None, served: SERVED.into() }
    }
}

/// An item that a hand can close on.
enum Find {
    /// An item that lies there.
    Lying(usize),
    /// An item that another robot holds out.
    Offered(RobotId, u32),
}

impl Gripper {
    /// Takes the item nearest to a place, or to the robot if none is given.
    fn grab(&self, aim: Option<Vec2>, grasp: &mut Grasp) {
        let body = &grasp.world.bodies[grasp.me];
        if body.holding.is_some() {
            return;
        }
        let (pose, reach) = (body.pose, body.radius + grasp.quality.range);
        let in_reach = |position: Vec2| {
            let distance = pose.position.distance(position);
            let front = distance <= body.radius || pose.bearing(position).abs() <= grasp.quality.fov / 2.0;
            let off = aim.map_or(distance, |aim| aim.distance(position));
            (distance <= reach && front && aim.is_none_or(|_| off <= OPENING)).then_some(off)
        };
        let items = grasp.world.items.iter().enumerate().filter(|(_, item)| item.lies());
        let lying = items
            .filter(|(_, item)| {
                self.grips_by.as_ref().is_none_or(|aspect| item.points_to(aspect, pose.position))
            })
            .filter_map(|(i, item)| in_reach(item.position).map(|distance| (Find::Lying(i), distance)));
        // A giver may be processed after the taker in a tick, so the last tick's offer counts too.
        let fresh = |time| grasp.now.since(time) <= grasp.dt + 1e-6;
        let others =
            RobotId::enumerate(&grasp.world.bodies).filter(|(id, other)| *id != grasp.me && other.present);
        let offered = others.filter_map(|(id, other)| {
            let ((at, time), item) = other.offer.zip(other.holding)?;
            in_reach(at).filter(|_| fresh(time)).map(|distance| (Find::Offered(id, item), distance))
        });
        let nearest = lying.chain(offered).min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((Find::Lying(item), _)) => {
                grasp.hold(item as u32);
                grasp.events.push(WorldEvent::Picked { body: grasp.me, item: item as u32 });
            }
            Some((Find::Offered(from, item), _)) => {
                let giver = &mut grasp.world.bodies[from];
                (giver.holding, giver.offer) = (None, None);
                grasp.hold(item);
                grasp.events.push(WorldEvent::HandedOver { from, to: grasp.me, item });
            }
            None => {}
        }
    }

    fn release(&self, grasp: &mut Grasp) {
        let Some(item) = grasp.world.release(grasp.me) else { return };
        let kind = grasp.world.items[item as usize].kind.clone();
        let asks =
            |area: &Area| area.wants.as_ref() == Some(&kind) && !area.properties.states.has(&self.served);
        let Some(index) = grasp.world.area_ahead(grasp.me, grasp.quality.fov, asks) else {
            grasp.events.push(WorldEvent::Dropped { body: grasp.me, item });
            return;
        };
        let body = grasp.me;
        let area = &mut grasp.world.areas[index];
        area.properties.states.set(&self.served, Some(body), None);
        area.given = true;
        let given = &mut grasp.world.items[item as usize];
        (given.keeper, given.position) = (Some(index as u32), area.outline.bounding_circle().0);
        grasp.events.push(WorldEvent::Given { body, area: index as u32, item });
    }

    /// Holds the item out with a stretched arm.
    fn offer(grasp: &mut Grasp) {
        let body = &mut grasp.world.bodies[grasp.me];
        if body.holding.is_some() {
            let arm = body.facing * (body.radius + grasp.quality.range);
            body.offer = Some((body.pose.position + arm, grasp.now));
        }
    }
}

impl Effector for Gripper {
    const SUMMARY: &'static str = "picks up the nearest item in reach, carries and drops it, gives it to a robot or a person; reports 1 while loaded";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.15, PI)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        match action {
            Action::Grab => self.grab(None, grasp),
            Action::GrabAt { ahead, left } => {
                let body = &grasp.world.bodies[grasp.me];
                let relative = vec2(f64::from(ahead), f64::from(left)) * 1e-3;
                let aim = body.pose.position + relative.rotated(body.facing);
                self.grab(Some(aim), grasp);
            }
            Action::Release => self.release(grasp),
            Action::Offer => Gripper::offer(grasp),
            _ => {}
        }
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        f64::from(u8::from(world.bodies[me].holding.is_some()))
    }
}
