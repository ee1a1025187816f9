//! An area appears.

use super::super::about::{About, Subject};
use super::super::{Attempt, Complaint, Disturb, Inventory, Scene};
use crewlab_onboard::geometry::vec2;
use crewlab_world::{Area, Outline, stocks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A round area appears.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaAdded {
    /// Its name.
    pub name: String,
    /// Its purpose, such as `spill`.
    pub kind: String,
    /// Its centre.
    #[schemars(extend("x-unit" = "m"))]
    pub place: [f64; 2],
    /// Its radius.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
    /// Amounts in it by name, such as `dust: 3`; their meaning depends on the mission.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0.0}, "x-amounts" = true))]
    pub stocks: BTreeMap<String, f64>,
}

impl Disturb for AreaAdded {
    const ABOUT: About = About::new(
        Subject::Area,
        "an area, such as a spill, appears; it may have `stocks`, as objects do",
        "{at: 5 min, area-added: {name: third spill, kind: spill, place: [6 m, 2 m], radius: 0.8 m}}",
    );

    fn check(&self, _inventory: &Inventory) -> Result<(), Complaint> {
        if self.name.is_empty() { Err(Complaint::new("name", "an area needs a name")) } else { Ok(()) }
    }

    fn adds(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn apply(&self, scene: &mut Scene) -> Attempt {
        let outline = Outline::Circle { center: vec2(self.place[0], self.place[1]), radius: self.radius };
        let mut area = Area::new(&self.name, &self.kind, outline);
        area.properties.stocks = stocks(&self.stocks);
        scene.add_area(area);
        Attempt::done(format!("area {} appears", self.name))
    }
}
