//! How well a scan agrees with a map where the map is known: the test that a robot is where it believes to be.

use super::map::SlamMap;
use crate::maps::CellState;
use crewlab_onboard::geometry::{Pose, Vec2};

/// A surface within this many cells of a point explains it: odometry may be a little off.
const NEAR: i32 = 2;
/// Fewer points than this say nothing.
const FEWEST: usize = 8;

/// The share of points that lie on surfaces, among those on surfaces and in cells that are known to be free; `None` if they are too
/// few. Points in unknown cells say nothing: the robot sees something new.
pub fn agreement(map: &SlamMap, pose: &Pose, points: &[Vec2]) -> Option<f64> {
    let facing = Vec2::unit(pose.heading);
    let (mut near, mut known) = (0, 0);
    for point in points {
        let cell = map.occupancy.place(pose.position + point.rotated(facing));
        let around = |dx: i32, dy: i32| !map.surfaces.get((cell.0 + dx, cell.1 + dy)).is_empty();
        if (-NEAR..=NEAR).any(|dy| (-NEAR..=NEAR).any(|dx| around(dx, dy))) {
            (near, known) = (near + 1, known + 1);
        } else if map.occupancy.state(cell) == CellState::Free {
            known += 1;
        }
    }
    (known >= FEWEST).then(|| near as f64 / known as f64)
}
