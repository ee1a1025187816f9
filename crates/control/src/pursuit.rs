//! Driving by costs instead of to a goal: the robot is wherever it costs least.

use crate::planning::unicycle;
use crate::planning::{CostSet, Horizon};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Goal, Limits, Neighbour, Scan, Situation};
use std::f64::consts::TAU;

/// What a mission wants of a robot, as costs of places and times.
pub trait Wish {
    /// Adds the costs of the next seconds, at the steps of a horizon, in the coordinates of the robot's pose.
    fn costs(&self, horizon: &Horizon, costs: &mut CostSet);
}

/// The input of a controller in a tick in which the robot is driven by costs.
pub struct Pursuit<'a> {
    /// What is wanted.
    pub wish: &'a dyn Wish,
    /// Where the robot thinks it is.
    pub pose: Pose,
    /// What is around it.
    pub scan: Scan<'a>,
    /// Robots nearby that have told where they are, the nearest first.
    pub neighbours: &'a [Neighbour],
    /// Its size and speed limits.
    pub limits: Limits,
    /// Everything else that the robot's software can see.
    pub situation: &'a Situation<'a>,
}

/// A pose in the numbers of planners.
pub(crate) fn planned_pose(pose: &Pose) -> unicycle::Pose {
    unicycle::Pose { x: pose.position.x as f32, y: pose.position.y as f32, heading: pose.heading as f32 }
}

/// Directions in which a controller without a planner looks for a cheaper place.
const DIRECTIONS: usize = 16;
/// Distances at which it looks, as times at full speed. [s]
const AHEAD: [f64; 3] = [1.0, 4.0, 12.0];
/// A place must be cheaper than here by this to be worth the way.
const WORTH: f32 = 0.1;

/// The cheapest place around a robot, as a goal for a controller that does not plan; `None` if no place is cheaper than the robot's own.
pub(crate) fn cheapest(pursuit: &Pursuit) -> Option<Goal> {
    let Pursuit { wish, pose, limits, .. } = pursuit;
    let mut best: Option<(Goal, f32)> = None;
    for ahead in AHEAD {
        let mut costs = CostSet::default();
        wish.costs(&Horizon::equidistant(1, ahead as f32), &mut costs);
        let here = costs.at(0, pose.position.x as f32, pose.position.y as f32);
        let distance = ahead * limits.max_speed;
        for n in 0..DIRECTIONS {
            let bearing = TAU * n as f64 / DIRECTIONS as f64 - TAU / 2.0;
            let place = pose.position + Vec2::unit(pose.heading + bearing) * distance;
            // Farther places are gained later.
            let gain = (here - costs.at(0, place.x as f32, place.y as f32)) / ahead as f32;
            if gain > WORTH && best.is_none_or(|(_, most)| gain > most) {
                best = Some((Goal { bearing, distance }, gain));
            }
        }
    }
    best.map(|(goal, _)| goal)
}
