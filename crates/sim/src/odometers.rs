//! The odometers of all robots that have one. Motions that robots drive are counted; being carried is not.

use crate::model::Member;
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{RobotId, Stream};
use crewlab_world::{Odometer, World};
use serde::{Deserialize, Serialize};

/// The odometers by robot; empty if nobody has one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odometers(Vec<Option<Odometer>>);

impl Odometers {
    /// Those of a team, each set to the pose at which its robot is put.
    pub fn new(team: &[Member], world: &World) -> Odometers {
        let odometer = |(member, body): (&Member, &crewlab_world::Body)| {
            let noise = member.hardware.sensors.iter().find_map(|sensor| sensor.odometry());
            noise.map(|noise| Odometer::new(noise.clone(), body.pose))
        };
        let all: Vec<Option<Odometer>> = team.iter().zip(&world.bodies).map(odometer).collect();
        Odometers(if all.iter().all(Option::is_none) { Vec::new() } else { all })
    }

    /// A robot's odometer.
    pub fn of(&self, robot: RobotId) -> Option<&Odometer> {
        self.0.get(robot.index()).and_then(Option::as_ref)
    }

    /// Fills `poses` with where all robots are now; leaves it empty if nobody has an odometer.
    pub fn before(&self, world: &World, poses: &mut Vec<Pose>) {
        poses.clear();
        poses.extend(world.bodies.iter().take(self.0.len()).map(|body| body.pose));
    }

    /// Counts what robots have driven since [`before`](Odometers::before).
    pub fn count(&mut self, before: &[Pose], world: &World, random: impl Fn(RobotId) -> Stream) {
        for (robot, odometer) in RobotId::enumerate(self.0.iter_mut()) {
            if let (Some(odometer), Some(from)) = (odometer, before.get(robot.index())) {
                odometer.roll(from, &world.bodies[robot].pose, &mut random(robot));
            }
        }
    }

    /// People put a robot somewhere and set its odometer.
    pub fn set(&mut self, robot: RobotId, pose: Pose) {
        if let Some(Some(odometer)) = self.0.get_mut(robot.index()) {
            odometer.set(pose);
        }
    }
}
