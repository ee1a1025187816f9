//! Costs that a scenario adds to those of the objectives: what robots know beforehand of the field, and what they are to keep away from
//! or close to.

use crewlab_control::planning::costs::{
    Cost, FormulaCost, Linear, Place, Polygon, Quadratic, Rational, Sector, Social, Wall,
};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_skills::swarm::{Anchor, ScenarioCost};
use crewlab_world::Bounds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cost of places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CostSpec {
    /// Factor of the cost.
    #[schemars(range(min = -1_000.0, max = 1_000.0))]
    pub weight: f64,
    /// The place that distances are measured from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Distances are measured from each of these robots, where it is predicted to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Around>,
    /// Falls evenly with the distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linear: Option<Falling>,
    /// Falls with the square of the distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quadratic: Option<Falling>,
    /// Falls with one over the distance and acts everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rational: Option<Hyperbola>,
    /// Least at a distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub social: Option<Hollow>,
    /// A formula over x, y and the distance d, such as `max(0, 25 - d)` or `0.1 * abs(y - 100)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// Falls with the square of the distance, in some directions from `at` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector: Option<Beam>,
    /// Falls with the square of the distance from a segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<Segment>,
    /// The same inside a polygon; falls with the square of the distance from it outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polygon: Option<Zone>,
}

/// Robots that a cost is measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Around {
    /// Every guidance vehicle.
    Vehicles,
    /// Every other robot that is not one.
    TeamMates,
}

/// A cost that falls to nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Falling {
    /// Cost at the place itself; below zero it attracts.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub cost: f64,
    /// Distance from which on there is none.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
}

/// A cost that falls with one over the distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Hyperbola {
    /// Cost at a distance of 1 m.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub factor: f64,
    /// Highest cost, of the same sign.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub cap: f64,
}

/// A cost that is least at a distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Hollow {
    /// Cost at that distance.
    #[schemars(range(min = -10_000.0), extend("exclusiveMaximum" = 0.0))]
    pub least: f64,
    /// Highest cost, at close range.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub most: f64,
    /// The distance.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub distance: f64,
}

/// A cost in some directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Beam {
    /// Cost at the place itself.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub cost: f64,
    /// Distance from which on there is none.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
    /// Its direction.
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: f64,
    /// Its angle, from one side to the other.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "rad"))]
    pub width: f64,
}

/// A cost along a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Segment {
    /// One end.
    #[schemars(extend("x-unit" = "m"))]
    pub from: [f64; 2],
    /// The other end.
    #[schemars(extend("x-unit" = "m"))]
    pub to: [f64; 2],
    /// Cost on it.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub cost: f64,
    /// Distance from which on there is none.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
}

/// A cost of an area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Zone {
    /// Its corners, in their order.
    #[schemars(length(min = 3, max = 100), extend("x-unit" = "m"))]
    pub corners: Vec<[f64; 2]>,
    /// Cost inside.
    #[schemars(range(min = -10_000.0, max = 10_000.0))]
    pub cost: f64,
    /// Distance from which on there is none outside.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
}

impl Default for CostSpec {
    fn default() -> Self {
        CostSpec {
            weight: 1.0,
            at: None,
            around: None,
            linear: None,
            quadratic: None,
            rational: None,
            social: None,
            formula: None,
            sector: None,
            wall: None,
            polygon: None,
        }
    }
}

/// The kinds of costs, as keys.
const SHAPES: &str = "linear, quadratic, rational, social, formula, sector, wall or polygon";
/// A formula is tried at this many steps along each side of the field.
const STEPS: u32 = 8;
/// Exponents of the social cost.
const STEEP: f32 = 2.0;
const FLAT: f32 = 1.0;

fn point([x, y]: [f64; 2]) -> [f32; 2] {
    [x as f32, y as f32]
}

impl CostSpec {
    /// The cost, as robots know it; or what is wrong.
    pub(super) fn build(&self, name: &str) -> Result<ScenarioCost, String> {
        let place = Place::Fixed(self.at.map_or([0.0; 2], point));
        let anchored = self.at.is_some() || self.around.is_some();
        let falling = |shape: &Falling| (shape.cost as f32, shape.radius as f32);
        let mut costs: Vec<(&str, Cost)> = Vec::new();
        if let Some((cost, radius)) = self.linear.as_ref().map(falling) {
            costs.push(("linear", Cost::Linear(Linear::new(cost, radius), place)));
        }
        if let Some((cost, radius)) = self.quadratic.as_ref().map(falling) {
            costs.push(("quadratic", Cost::Quadratic(Quadratic::new(cost, radius), place)));
        }
        if let Some(shape) = &self.rational {
            if shape.factor * shape.cap < 0.0 {
                return Err("`factor` and `cap` of `rational` must have the same sign".into());
            }
            let cost = Rational { factor: shape.factor as f32, cap: shape.cap as f32 };
            costs.push(("rational", Cost::Rational(cost, place)));
        }
        if let Some(shape) = &self.social {
            let (least, most, distance) = (shape.least as f32, shape.most as f32, shape.distance as f32);
            costs.push(("social", Cost::Social(Social::new(least, most, distance, STEEP, FLAT), place)));
        }
        if let Some(text) = &self.formula {
            let cost = FormulaCost::parse(text, anchored).map_err(|error| format!("`formula`: {error}"))?;
            costs.push(("formula", Cost::Formula(cost, place)));
        }
        if let Some(shape) = &self.sector {
            let (heading, half) = (shape.heading as f32, 0.5 * shape.width as f32);
            let centre = self.at.map_or([0.0; 2], point);
            let cost = Sector::new(centre, heading, half, shape.cost as f32, shape.radius as f32);
            costs.push(("sector", Cost::Sector(cost)));
        }
        if let Some(shape) = &self.wall {
            let (cost, radius) = (shape.cost as f32, shape.radius as f32);
            costs.push(("wall", Cost::Wall(Wall::new(point(shape.from), point(shape.to), cost, radius))));
        }
        if let Some(shape) = &self.polygon {
            let corners: Vec<[f32; 2]> = shape.corners.iter().copied().map(point).collect();
            let cost = Polygon::new(&corners, shape.cost as f32, shape.radius as f32);
            costs.push(("polygon", Cost::Polygon(cost)));
        }
        let (kind, cost) = match costs.len() {
            1 => costs.remove(0),
            0 => return Err(format!("a cost needs one of {SHAPES}")),
            _ => {
                let found: Vec<&str> = costs.iter().map(|(kind, _)| *kind).collect();
                return Err(format!("a cost has only one of {SHAPES}; found {}", found.join(" and ")));
            }
        };
        let anchor = match (self.at, self.around, kind) {
            (Some(_), Some(_), _) => return Err("`at` and `around` exclude each other".into()),
            (Some(_), None, "wall" | "polygon") | (None, Some(_), "wall" | "polygon" | "sector") => {
                let key = if self.at.is_some() { "at" } else { "around" };
                return Err(format!("`{key}` does not apply to `{kind}`, which has its own place"));
            }
            (None, None, "wall" | "polygon" | "formula") | (Some(_), None, _) => Anchor::Place,
            (None, None, "sector") => return Err("`sector` needs a place: `at: [x, y]`".into()),
            (None, None, _) => {
                return Err(format!(
                    "`{kind}` needs a place: `at: [x, y]`, or `around: vehicles` or `team-mates`"
                ));
            }
            (None, Some(Around::Vehicles), _) => Anchor::Vehicles,
            (None, Some(Around::TeamMates), _) => Anchor::TeamMates,
        };
        Ok(ScenarioCost { name: name.into(), weight: self.weight as f32, anchor, cost })
    }

    /// A place of the field at which the formula is not a number. [m]
    pub(super) fn undefined(&self, field: &Bounds) -> Option<Vec2> {
        let cost =
            FormulaCost::parse(self.formula.as_ref()?, self.at.is_some() || self.around.is_some()).ok()?;
        // Robots come close to what a cost is around, and to its place.
        let from = self.at.map_or((field.min + field.max) * 0.5, |[x, y]| vec2(x, y));
        let size = field.max - field.min;
        let steps = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
        let grid = steps.clone().flat_map(|x| steps.clone().map(move |y| (x, y)));
        let places = grid.map(|(x, y)| field.min + vec2(size.x * x, size.y * y));
        let number = |place: &Vec2| {
            !cost.value([place.x as f32, place.y as f32], place.distance(from) as f32).is_nan()
        };
        places.chain([from]).find(|place| !number(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<ScenarioCost, String> {
        let spec: CostSpec = serde_json::from_str(text).expect("a cost");
        spec.build("test")
    }

    #[test]
    fn each_kind_is_accepted() {
        for text in [
            r#"{"at": [1, 2], "linear": {"cost": 5, "radius": 3}}"#,
            r#"{"at": [1, 2], "quadratic": {"cost": -5, "radius": 3}, "weight": 2}"#,
            r#"{"at": [1, 2], "rational": {"factor": 60, "cap": 20}}"#,
            r#"{"around": "vehicles", "social": {"least": -10, "most": 20, "distance": 10}}"#,
            r#"{"around": "team-mates", "formula": "max(0, 10 - d)"}"#,
            r#"{"formula": "0.1 * abs(y - 100)"}"#,
            r#"{"at": [1, 2], "sector": {"cost": 5, "radius": 30, "heading": 0, "width": 1}}"#,
            r#"{"wall": {"from": [0, 0], "to": [0, 9], "cost": 5, "radius": 3}}"#,
            r#"{"polygon": {"corners": [[0, 0], [9, 0], [0, 9]], "cost": 5, "radius": 3}}"#,
        ] {
            assert!(spec(text).is_ok(), "{text}: {:?}", spec(text));
        }
    }

    #[test]
    fn mistakes_say_what_is_accepted() {
        for (text, part) in [
            ("{}", "needs one of linear"),
            (r#"{"linear": {"cost": 5, "radius": 3}}"#, "`linear` needs a place"),
            (r#"{"at": [1, 2], "around": "vehicles", "formula": "d"}"#, "exclude each other"),
            (r#"{"formula": "25 - d"}"#, "`around`"),
            (r#"{"formula": "25 - "}"#, "column"),
            (
                r#"{"at": [1, 2], "wall": {"from": [0, 0], "to": [0, 9], "cost": 5, "radius": 3}}"#,
                "`at` does not apply",
            ),
            (r#"{"at": [1, 2], "rational": {"factor": 60, "cap": -20}}"#, "same sign"),
            (
                r#"{"formula": "x", "at": [0, 0], "linear": {"cost": 5, "radius": 3}}"#,
                "found linear and formula",
            ),
        ] {
            let error = spec(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_formula_that_is_not_a_number_somewhere_is_found() {
        let field = Bounds { min: vec2(0.0, 0.0), max: vec2(80.0, 40.0) };
        let undefined = |formula: &str| {
            CostSpec { formula: Some(formula.into()), ..CostSpec::default() }.undefined(&field)
        };
        assert_eq!(undefined("0.1 * abs(y - 100)"), None);
        assert_eq!(undefined("1 / x"), None, "infinite is a number");
        assert_eq!(undefined("0 * x / 0"), Some(field.min));
        assert_eq!(undefined("sqrt(x - 35)").map(|place| place.x), Some(0.0));
    }
}
