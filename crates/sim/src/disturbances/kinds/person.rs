//! A person walks about.

use super::super::about::{About, Breaking, Subject};
use super::super::stress::{Ground, Spot, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_world::{Object, Script, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Number of points of the path, which then repeats.
const POINTS: usize = 40;
/// Number of attempts to find the next point.
const TRIES: usize = 200;
/// A person's height. [m]
const HEIGHT: f64 = 1.7;

/// A person walks from one random place to the next, around furniture, and waits while a robot is in the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Person {
    /// Where the person comes in; anywhere free without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub place: Option<[f64; 2]>,
    /// How fast the person walks.
    #[serde(default = "walking")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m/s"))]
    pub speed: f64,
    /// How much room the person takes.
    #[serde(default = "quarter")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
}

fn walking() -> f64 {
    0.8
}

fn quarter() -> f64 {
    0.25
}

impl Disturb for Person {
    const ABOUT: About = About {
        breaking: Breaking::by_name("a person enters in the middle of the floor and walks about"),
        ..About::new(
            Subject::Object,
            "a person walks about, around furniture",
            "{at: 1 min, for: 5 min, person: {speed: 0.8 m/s}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let outside =
            |world: &crewlab_world::World, [x, y]: [f64; 2]| world.bounds.margin(vec2(x, y)) < self.radius;
        match (inventory.world, self.place) {
            (Some(world), Some(place)) if outside(world, place) => {
                Err(Complaint::new("place", "this place is not inside the world"))
            }
            _ => Ok(()),
        }
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let walks = |spot: &Spot| {
            let words = format!("a person comes in {} and walks about", spot.words());
            Stressor::new("", 1, Whom::Place(spot.clone()), json!({"place": spot.entry()}), words)
        };
        ground.spots.first().map(walks).into_iter().collect()
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let shape = Shape::Circle { radius: self.radius };
        let start = self.place.map(|[x, y]| vec2(x, y)).or_else(|| scene.free_place(&shape));
        let Some(start) = start else { return Attempt::NotYet("there is no room for a person".into()) };
        let pose = Pose { position: start, heading: 0.0 };
        super::or_wait!(scene.no_robot_at(&shape, &pose, true));
        let mut points = Vec::new();
        let mut from = start;
        for _ in 0..POINTS {
            let Some(next) = self.stroll(from, scene) else { break };
            points.push(next);
            from = next;
        }
        // Back the same way, so that the segment from the last point to the first is free too.
        let back: Vec<Vec2> = points.iter().rev().skip(1).copied().chain([start]).collect();
        points.extend(back);
        let mut person = Object::obstacle("person", shape, pose);
        person.height = HEIGHT;
        person.script = Some(Script { points, speed: self.speed, repeat: true, next: 0 });
        scene.add_object(person);
        Attempt::done("a person walks about")
    }
}

impl Person {
    /// A place that can be reached in a straight line past the furniture.
    fn stroll(&self, from: Vec2, scene: &mut Scene) -> Option<Vec2> {
        let bounds = scene.state.world.bounds;
        let room = bounds.size() - vec2(2.0 * self.radius, 2.0 * self.radius);
        if room.x <= 0.0 || room.y <= 0.0 {
            return None;
        }
        let low = bounds.min + vec2(self.radius, self.radius);
        (0..TRIES).find_map(|_| {
            let to = low + vec2(room.x * scene.random.unit(), room.y * scene.random.unit());
            let steps = (from.distance(to) / (self.radius / 2.0)).ceil().clamp(1.0, 1e4) as u32;
            let clear = (0..=steps).all(|n| {
                let at = from + (to - from) * (f64::from(n) / f64::from(steps));
                let mut walls = scene.state.world.objects().iter().filter(|object| object.impassable());
                walls.all(|object| object.script.is_some() || object.outline.distance(at) > self.radius)
            });
            clear.then_some(to)
        })
    }
}
