//! Waste that no robot can pick up.

use crate::{Hindrance, RunningRobot};
use crewlab_onboard::Vec2;
use crewlab_world::{Body, Item, World};
use std::f64::consts::TAU;

/// Number of directions from which an item is approached.
const DIRECTIONS: usize = 36;
/// Distance that robots keep to obstacles. [m]
const CLEARANCE: f64 = 0.06;
/// Number of distances from each direction.
const DISTANCES: usize = 6;

/// Why none of these robots can pick up an item that lies on the floor; `None` if one can stand where it sees it and
/// reaches it, or if there is no robot. Whether there is a way to that place is not checked.
pub fn hindrance(item: &Item, world: &World, team: &[RunningRobot]) -> Option<Hindrance> {
    let at = item.position;
    let arm = |robot: &RunningRobot| {
        let sheet = robot.datasheet;
        let gripper = sheet.effector("gripper")?;
        Some((sheet.radius, sheet.radius + sheet.effectors[usize::from(gripper.0)].range))
    };
    let stands = |(radius, reach)| places(at, reach).filter(move |place| is_free(*place, radius, world));
    let mut free = team.iter().filter_map(arm).flat_map(stands).peekable();
    let fits = free.peek().is_some();
    if team.is_empty() || free.any(|place| world.in_sight(place, at)) {
        return None;
    }
    let why = if fits { "it is hidden under an obstacle" } else { "no robot fits next to it" };
    let words = format!("no robot can pick up the waste at ({:.2} m, {:.2} m): {why}", at.x, at.y);
    Some(Hindrance { place: at, words, why })
}

/// Places within reach of an item.
fn places(item: Vec2, reach: f64) -> impl Iterator<Item = Vec2> {
    (0..DIRECTIONS * DISTANCES).map(move |i| {
        let angle = TAU * (i % DIRECTIONS) as f64 / DIRECTIONS as f64;
        let share = (i / DIRECTIONS + 1) as f64 / DISTANCES as f64;
        item + Vec2::unit(angle) * (0.999 * share * reach)
    })
}

/// True if a robot could stand at a place: robots that work may leave it, dead ones do not.
fn is_free(place: Vec2, radius: f64, world: &World) -> bool {
    let dead = |body: &&Body| body.present && body.down();
    let radius = radius + CLEARANCE;
    world.bounds.margin(place) > radius
        && world.objects().iter().filter(|o| o.impassable()).all(|o| o.outline.distance(place) > radius)
        && world.bodies.iter().filter(dead).all(|b| b.pose.position.distance(place) > radius + b.radius)
}
