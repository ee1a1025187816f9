//! Places in the world where something can be put: few, and deterministic for a scenario.

use crate::model::Model;
use crate::state::State;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_world::{Object, Outline, Shape, World};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Initial width of a crate. [cm]
pub const CRATE: u32 = 90;
/// Number of places, besides the middle of the floor and a robot's start.
const MOST: usize = 3;
/// How far from the wanted place a free one is searched for, and in which steps and directions. [m]
const FARTHEST: f64 = 1.5;
const STEP: f64 = 0.1;
const DIRECTIONS: u32 = 16;
/// Room for a robot between a crate and the objects it works on. [m]
const ROOM: f64 = 0.5;

/// A place, in whole centimetres so that it can be compared and read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The nearest named thing: `top spill`.
    pub near: String,
    /// [cm]
    pub x: i32,
    /// [cm]
    pub y: i32,
    /// True if the mission may need this place: a permanent obstacle there could defeat any team.
    pub needed: bool,
}

impl Spot {
    /// The place where something stands.
    pub(crate) fn at(near: &str, position: Vec2) -> Spot {
        let centimetres = |metres: f64| (metres * 100.0).round() as i32;
        Spot { near: near.into(), x: centimetres(position.x), y: centimetres(position.y), needed: false }
    }

    /// As a scenario value.
    pub fn entry(&self) -> Value {
        let metres = |centimetres: i32| format!("{} m", f64::from(centimetres) / 100.0);
        json!([metres(self.x), metres(self.y)])
    }

    /// A description: `near top spill`.
    pub fn words(&self) -> String {
        format!("near {}", self.near)
    }

    /// The outline of a crate there.
    pub fn crate_there(&self) -> Outline {
        let metres = |centimetres: i32| f64::from(centimetres) / 100.0;
        let pose = Pose { position: vec2(metres(self.x), metres(self.y)), heading: 0.0 };
        Shape::rectangle(metres(CRATE as i32), metres(CRATE as i32)).at(&pose)
    }
}

/// Places of a scenario: the middle of the floor, then the places of the mission, then the start of a robot. None of them is on a
/// robot or inside a wall.
pub fn spots(model: &Model, state: &State) -> Vec<Spot> {
    let world = &state.world;
    let middle = (world.bounds.min + world.bounds.max) * 0.5;
    let areas = world.present_areas().map(|area| (area.name.to_string(), area.outline.bounding_circle().0));
    let work = world.objects().iter().filter(|object| is_work(object));
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
        let Some(mut spot) = free(world, near, at) else { continue };
        if !spots.iter().any(|other| (other.x, other.y) == (spot.x, spot.y)) {
            spot.needed = needed(world, &spot.crate_there());
            spots.push(spot);
        }
    }
    spots
}

/// The nearest place with room for a crate.
fn free(world: &World, near: String, wanted: Vec2) -> Option<Spot> {
    let rings = (0..=(FARTHEST / STEP) as u32).flat_map(|ring| {
        let directions = if ring == 0 { 1 } else { DIRECTIONS };
        (0..directions).map(move |way| (f64::from(ring) * STEP, f64::from(way) / f64::from(DIRECTIONS)))
    });
    let places = rings.map(|(far, way)| wanted + Vec2::unit(way * TAU) * far);
    let mut spots = places.map(|at| Spot::at(&near, at));
    spots.find(|spot| world.overlap(&spot.crate_there(), None).is_none())
}

/// True if a crate there would lie on an area or an item, or keep robots away from the objects they work on.
fn needed(world: &World, there: &Outline) -> bool {
    let near = |object: &Object| {
        let (center, radius) = object.outline.bounding_circle();
        there.overlaps_circle(center, radius + ROOM)
    };
    world.areas.iter().any(|area| area.outline.overlaps(there))
        || world.present_items().any(|item| there.overlaps_circle(item.position, item.radius + ROOM))
        || world.objects().iter().any(|object| is_work(object) && near(object))
}

/// True for objects with a stock that robots can take.
fn is_work(object: &Object) -> bool {
    object.properties.stocks.any()
}
