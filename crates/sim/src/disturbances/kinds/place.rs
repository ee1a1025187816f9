//! Where items appear.

use super::super::{Complaint, Inventory, Scene};
use crewlab_onboard::geometry::{Vec2, vec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A disc on the floor: an area, or a place with a radius.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Place {
    /// In this area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// Around this point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub place: Option<[f64; 2]>,
    /// How far from the point.
    #[serde(default = "half_a_metre")]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub radius: f64,
}

fn half_a_metre() -> f64 {
    0.5
}

impl Place {
    pub(super) fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
        match (&self.area, self.place) {
            (Some(_), Some(_)) => Err(Complaint::new("place", "`area` and `place` exclude each other")),
            (Some(area), None) => inventory.area("area", area),
            (None, Some([x, y])) => {
                let inside = inventory.world.is_none_or(|world| world.bounds.margin(vec2(x, y)) >= 0.0);
                if inside { Ok(()) } else { Err(Complaint::new("place", "this place is outside the world")) }
            }
            (None, None) => {
                Err(Complaint::new("", "give the place with `area` or with `place` and `radius`"))
            }
        }
    }

    /// Centre and radius.
    pub(super) fn disc(&self, scene: &Scene) -> Result<(Vec2, f64), String> {
        match (&self.area, self.place) {
            (Some(area), _) => {
                let index = scene.area(area)?;
                Ok(scene.state.world.areas[index].outline.bounding_circle())
            }
            (None, Some([x, y])) => Ok((vec2(x, y), self.radius)),
            (None, None) => Err("no place was given".into()),
        }
    }
}
