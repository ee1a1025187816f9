//! The ground becomes easier or harder to drive on.

use super::super::about::{About, Breaking, Subject};
use super::super::stress::{Ground, Stressor, Whom, up_to};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_world::{IMPASSABLE, Object, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A rectangle of ground changes, or all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Terrain {
    /// Factor on the speed there, above 0.1.
    #[serde(default = "unchanged")]
    #[schemars(extend("exclusiveMinimum" = 0.1, "x-unit" = "1"))]
    pub factor: f64,
    /// Factor on the energy per metre there.
    #[serde(default = "unchanged")]
    #[schemars(range(min = 0.0), extend("x-unit" = "1"))]
    pub energy: f64,
    /// Centre of the rectangle. Default: the whole world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub place: Option<[f64; 2]>,
    /// Its width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub size: Option<[f64; 2]>,
}

fn unchanged() -> f64 {
    1.0
}

impl Disturb for Terrain {
    const ABOUT: About = About {
        breaking: Breaking::by_name("the ground reduces the speed by 85 %, everywhere"),
        ..About::new(
            Subject::Ground,
            "the ground becomes easier or harder to drive on, everywhere or in a rectangle",
            "{at: 2 min, for: 5 min, terrain: {factor: 0.4, place: [6 m, 4 m], size: [3 m, 8 m]}}",
        )
    };

    fn check(&self, _inventory: &Inventory) -> Result<(), Complaint> {
        match (self.place, self.size) {
            (Some(_), None) => Err(Complaint::new("", "a rectangle needs a `size`")),
            (None, Some(_)) => Err(Complaint::new("", "a rectangle needs a `place`")),
            (_, Some([width, height])) if !(width > 0.0 && height > 0.0) => {
                Err(Complaint::new("size", "width and height must be above 0 m"))
            }
            _ if !(self.factor > IMPASSABLE && self.factor.is_finite()) => {
                Err(Complaint::new("factor", "the factor must be above 0.1: otherwise nothing passes"))
            }
            _ if self.factor == 1.0 && self.energy == 1.0 => {
                Err(Complaint::new("", "nothing changes: give `factor` or `energy` other than 1"))
            }
            _ => Ok(()),
        }
    }

    fn stressors(ground: &Ground) -> Vec<Stressor> {
        let heavy = |level: u32| {
            let entry = json!({"factor": f64::from(100 - level.min(89)) / 100.0});
            (entry, format!("the ground takes {level} % of every robot's speed"))
        };
        // From 90 % on the ground would be a wall.
        vec![Stressor::graded("", 1, Whom::All(ground.team), up_to(85), heavy)]
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let bounds = scene.state.world.bounds;
        let (center, size) = match (self.place, self.size) {
            (Some([x, y]), Some([width, height])) => (vec2(x, y), vec2(width, height)),
            _ => ((bounds.min + bounds.max) * 0.5, bounds.size()),
        };
        let pose = Pose { position: center, heading: 0.0 };
        let mut patch = Object::obstacle("changed ground", Shape::rectangle(size.x, size.y), pose);
        (patch.penetrability, patch.energy, patch.height) = (self.factor, self.energy, 0.0);
        scene.add_object(patch);
        let heavier = self.factor < 1.0 || (self.factor == 1.0 && self.energy > 1.0);
        let what = if heavier { "the ground is heavier" } else { "the ground is easier" };
        Attempt::done(what)
    }
}
