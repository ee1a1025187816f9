//! Properties of robots' bodies that disturbances override. Faults are in [`crate::faults`].

use super::super::scene::Scene;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Pose, Vec2};
use serde::{Deserialize, Serialize};

/// A property of a robot with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum RobotSetting {
    /// Whether it is in the world.
    Present(bool),
    /// Where it is.
    Pose(Pose),
}

impl RobotSetting {
    pub(super) fn swap(&self, robot: RobotId, scene: &mut Scene) -> Result<Option<RobotSetting>, String> {
        let Some(body) = scene.state.world.bodies.get(robot.index()) else { return Ok(None) };
        let (present, place) = (body.present, body.pose);
        Ok(Some(match *self {
            RobotSetting::Present(wanted) => {
                if wanted {
                    scene.bring(robot, None)?
                } else {
                    send_away(robot, scene)
                }
                RobotSetting::Present(present)
            }
            RobotSetting::Pose(pose) => {
                carry(robot, pose, scene)?;
                RobotSetting::Pose(place)
            }
        }))
    }
}

/// Takes a robot out of the world; the item it held stays behind.
fn send_away(robot: RobotId, scene: &mut Scene) {
    scene.state.world.drop_in_front(robot);
    let body = &mut scene.state.world.bodies[robot];
    (body.present, body.contact) = (false, None);
}

/// Puts a robot somewhere else, with the item it holds. An absent one will come back at that place.
fn carry(robot: RobotId, pose: Pose, scene: &mut Scene) -> Result<(), String> {
    let world = &mut scene.state.world;
    let body = &world.bodies[robot];
    if body.present && world.overlap(&body.outline_at(&pose), Some(robot)).is_some() {
        return Err("something is where it must go".into());
    }
    let body = &mut world.bodies[robot];
    (body.pose, body.facing) = (pose, Vec2::unit(pose.heading));
    (body.contact, body.offer) = (None, None);
    if let Some(item) = body.holding {
        world.items[item as usize].position = pose.position;
    }
    Ok(())
}
