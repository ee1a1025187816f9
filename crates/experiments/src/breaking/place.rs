//! Places in the world where something can be put: few, and always the same ones for the same scenario.

use super::what::CRATE;
use crewlab_lab::scenario::Scenario;
use crewlab_lab::sim::onboard::geometry::{Pose, Vec2, vec2};
use crewlab_lab::sim::world::{Outline, Shape, World};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// So many places, besides the middle of the floor and a robot's start.
const MOST: usize = 3;
/// How far from where it should be a free place is looked for, in which steps and directions. [m]
const FARTHEST: f64 = 1.5;
const STEP: f64 = 0.1;
const DIRECTIONS: u32 = 16;
/// Room for a robot between a crate and what is worked on. [m]
const ROOM: f64 = 0.5;

/// A place, in whole centimetres so that it can be compared and read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// What is there: `top spill`.
    pub near: String,
    /// [cm]
    pub x: i32,
    /// [cm]
    pub y: i32,
    /// True if the mission may need this very place: what is put there for good could defeat anybody.
    pub needed: bool,
}

impl Spot {
    /// As scenarios have it.
    pub fn entry(&self) -> Value {
        let metres = |centimetres: i32| format!("{} m", f64::from(centimetres) / 100.0);
        json!([metres(self.x), metres(self.y)])
    }

    /// In words: `near top spill`.
    pub fn words(&self) -> String {
        format!("near {}", self.near)
    }

    /// The room that a crate takes there.
    pub fn crate_there(&self) -> Outline {
        footprint(vec2(f64::from(self.x) / 100.0, f64::from(self.y) / 100.0))
    }
}

/// Places of a scenario: the middle of the floor, then what the mission is about, then where a robot starts. None of them is on a
/// robot or within a wall.
pub fn spots(scenario: &Scenario) -> Vec<Spot> {
    let (model, state) = &scenario.start;
    let world = &state.world;
    let middle = (world.bounds.min + world.bounds.max) * 0.5;
    let areas = world.present_areas().map(|area| (area.name.to_string(), area.outline.bounding_circle().0));
    let work = world.objects().iter().filter(|object| object.garbage > 0.0 || object.dust > 0.0);
    let work = work.map(|object| (object.name.clone(), object.pose.position));
    let items = world.present_items().map(|item| (format!("the {}", item.kind), item.position));
    let mut wanted = vec![("the middle of the floor".to_string(), middle)];
    for (name, at) in areas.chain(work).chain(items) {
        if wanted.len() <= MOST && !wanted.iter().any(|(other, _)| *other == name) {
            wanted.push((name, at));
        }
    }
    let first = model.team.iter().zip(&world.bodies).find(|(_, body)| body.present);
    let start =
        first.map(|(member, body)| (format!("the start of {}", member.identity.name), body.pose.position));
    let mut spots: Vec<Spot> = Vec::new();
    for (near, at) in wanted.into_iter().chain(start) {
        let Some((x, y)) = free(world, at) else { continue };
        if !spots.iter().any(|other| (other.x, other.y) == (x, y)) {
            let needed = needed(world, vec2(f64::from(x) / 100.0, f64::from(y) / 100.0));
            spots.push(Spot { near, x, y, needed });
        }
    }
    spots
}

/// The nearest place with room for a crate. [cm]
fn free(world: &World, wanted: Vec2) -> Option<(i32, i32)> {
    let rings = (0..=(FARTHEST / STEP) as u32).flat_map(|ring| {
        let directions = if ring == 0 { 1 } else { DIRECTIONS };
        (0..directions).map(move |way| (f64::from(ring) * STEP, f64::from(way) / f64::from(DIRECTIONS)))
    });
    let mut places = rings.map(|(far, way)| wanted + Vec2::unit(way * TAU) * far);
    places.find_map(|place| {
        let (x, y) = ((place.x * 100.0).round(), (place.y * 100.0).round());
        let fits = world.overlap(&footprint(vec2(x / 100.0, y / 100.0)), None).is_none();
        fits.then_some((x as i32, y as i32))
    })
}

fn footprint(at: Vec2) -> Outline {
    let side = f64::from(CRATE) / 100.0;
    Shape::rectangle(side, side).at(&Pose { position: at, heading: 0.0 })
}

/// True if a crate there would lie on an area or an item, or keep robots away from what is worked on.
fn needed(world: &World, at: Vec2) -> bool {
    let there = footprint(at);
    let near = |object: &Outline| {
        let (center, radius) = object.bounding_circle();
        there.overlaps_circle(center, radius + ROOM)
    };
    let work = |object: &crewlab_lab::sim::world::Object| object.garbage > 0.0 || object.dust > 0.0;
    world.areas.iter().any(|area| area.outline.overlaps(&there))
        || world.present_items().any(|item| there.overlaps_circle(item.position, item.radius + ROOM))
        || world.objects().iter().any(|object| work(object) && near(&object.outline))
}
