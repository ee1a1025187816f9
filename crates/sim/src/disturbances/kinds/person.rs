//! A person walks about.

use super::super::about::{About, Breaking, Subject};
use super::super::stress::{Ground, Spot, Stressor, Whom};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use super::or_wait;
use crewlab_onboard::geometry::vec2;
use crewlab_world::{PathSpec, PersonSpec, Shape, WanderSpec, description};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A person comes in and walks around. Other disturbances can move and remove the person by name, like any object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Person {
    /// The person's name.
    #[serde(default = "description::person")]
    pub name: String,
    /// Where the person comes in. Default: any free place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub place: Option<[f64; 2]>,
    /// Walking speed.
    #[serde(default = "description::walking_speed")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m/s"))]
    pub speed: f64,
    /// Radius of the space that the person takes.
    #[serde(default = "description::quarter_metre")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
    /// Waypoints that the person walks along repeatedly. Default: from one random place to the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-unit" = "m"))]
    pub points: Vec<[f64; 2]>,
    /// Two opposite corners of the rectangle in which a person without waypoints walks. Default: the whole world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub within: Option<[[f64; 2]; 2]>,
    /// True if the person waits while a robot is in the way; otherwise the robot is pushed along as far as there is room.
    #[serde(default = "yes")]
    pub yields: bool,
}

fn yes() -> bool {
    true
}

impl Person {
    /// The person as scenarios describe one, at this place.
    fn at(&self, place: [f64; 2]) -> PersonSpec {
        let (speed, yields) = (self.speed, self.yields);
        let path = PathSpec { points: self.points.clone(), speed, repeat: true, yields };
        let wander = WanderSpec { speed, within: self.within, yields };
        let walks = !self.points.is_empty();
        PersonSpec {
            name: self.name.clone(),
            at: place,
            radius: self.radius,
            height: description::person_height(),
            path: walks.then_some(path),
            wander: (!walks).then_some(wander),
        }
    }
}

impl Disturb for Person {
    const ABOUT: About = About {
        breaking: Breaking::by_name("a person enters in the middle of the floor and walks about"),
        ..About::new(
            Subject::Object,
            "a person comes in and walks about, around furniture or along a path",
            "{at: 1 min, for: 5 min, person: {speed: 0.8 m/s}}",
        )
    };

    fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        let outside =
            |world: &crewlab_world::World, [x, y]: [f64; 2]| world.bounds.margin(vec2(x, y)) < self.radius;
        if !self.points.is_empty() && self.within.is_some() {
            return Err(Complaint::new("within", "`points` and `within` exclude each other"));
        }
        match (inventory.world, self.place) {
            (Some(world), Some(place)) if outside(world, place) => {
                Err(Complaint::new("place", "this place is not inside the world"))
            }
            _ => Ok(()),
        }
    }

    fn adds(&self) -> Option<&str> {
        Some(&self.name)
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
        let start = self.place.or_else(|| scene.free_place(&shape).map(|place| [place.x, place.y]));
        let Some(start) = start else { return Attempt::NotYet("there is no room for a person".into()) };
        let person = or_wait!(self.at(start).build());
        or_wait!(scene.room_for(&person, &person.pose, None));
        scene.add_walker(person);
        Attempt::done(format!("a person walks about: {}", self.name))
    }
}
