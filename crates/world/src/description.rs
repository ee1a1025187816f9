//! Objects and terrain as scenario files describe them. The comments are the descriptions that editors show.

use crate::aspect::Aspect;
use crate::object::{Emission, Jammer, Object, Script};
use crate::person::PERSON;
use crate::pushing::Pushable;
use crate::shape::{Bounds, Shape};
use crate::stock::Stocks;
use crate::terrain::Terrain;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The shape of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeSpec {
    /// A rectangle: width and height.
    Rectangle(#[schemars(extend("x-unit" = "m"))] [f64; 2]),
    /// A disc: its radius.
    Circle(#[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))] f64),
    /// A convex polygon: its corners relative to `at`.
    Polygon(#[schemars(extend("x-unit" = "m"))] Vec<[f64; 2]>),
    /// A thin wall: its two ends relative to `at`.
    Wall(#[schemars(extend("x-unit" = "m"))] [[f64; 2]; 2]),
}

/// Something that stands or moves in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ObjectSpec {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its shape.
    #[serde(flatten)]
    pub shape: ShapeSpec,
    /// Where its centre is.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub at: [f64; 2],
    /// Its heading, counter-clockwise.
    #[serde(default)]
    #[schemars(extend("x-unit" = "rad"))]
    pub heading: f64,
    /// Penetrability: up to 0.1 nothing passes; below 1 robots are slower; 1 has no effect; above 1 they are faster.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub penetrability: f64,
    /// Penetrability for robots of certain types, such as `truck: 1`, if it differs from that for others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0.0}))]
    pub passable_for: BTreeMap<String, f64>,
    /// Factor on the energy per metre of robots that drive over it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 0.0))]
    pub energy: f64,
    /// Its height; sensors mounted higher do not see it.
    #[serde(default = "two_metres")]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: f64,
    /// Sounds it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<SoundSpec>,
    /// An infrared beacon on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconSpec>,
    /// Amounts on it or in it by name, such as `dust: 3`; their meaning depends on the mission.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0.0}, "x-amounts" = true))]
    pub stocks: BTreeMap<String, f64>,
    /// Heat it gives off at a distance of 1 m.
    #[serde(default)]
    pub heat: f64,
    /// Damping of radio signals that pass through it, per crossing. Default: that of its `material`. For an object that robots
    /// can pass but that damps signals, set `penetrability: 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 200.0), extend("x-unit" = "dB"))]
    pub damping: Option<f64>,
    /// Its material, which determines the default of `damping`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Material>,
    /// A jammer on it, which emits noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jammer: Option<JammerSpec>,
    /// Named scalars that change with its activity.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aspects: BTreeMap<String, AspectSpec>,
    /// A path it moves along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathSpec>,
    /// It wanders from one random place to the next, around obstacles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wander: Option<WanderSpec>,
    /// Robots can push it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pushable: Option<PushableSpec>,
}

/// How an object can be pushed. A push moves it, one beside its centre turns it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PushableSpec {
    /// Force that moves it straight, against its friction on the ground. Robots with a smaller `max-push` can only turn it, or
    /// push it together.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "N"))]
    pub friction: f64,
}

impl Default for PushableSpec {
    fn default() -> Self {
        PushableSpec { friction: 10.0 }
    }
}

/// A person who walks or stands in the world. Sensors see an obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PersonSpec {
    /// The person's name.
    #[serde(default = "person")]
    pub name: String,
    /// Initial position of the person.
    #[schemars(extend("x-unit" = "m"))]
    pub at: [f64; 2],
    /// Radius of the space that the person takes.
    #[serde(default = "quarter_metre")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub radius: f64,
    /// Height of the person.
    #[serde(default = "person_height")]
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: f64,
    /// A path that the person walks along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathSpec>,
    /// The person walks from one random place to the next, around obstacles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wander: Option<WanderSpec>,
}

/// The default name of a person.
pub fn person() -> String {
    "person".into()
}

/// Radius of a person. [m]
pub fn quarter_metre() -> f64 {
    0.25
}

/// Height of a person. [m]
pub fn person_height() -> f64 {
    1.7
}

/// Speed of a person. [m/s]
pub fn walking_speed() -> f64 {
    0.8
}

/// Wandering between random places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct WanderSpec {
    /// Speed.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub speed: f64,
    /// Two opposite corners of the rectangle in which it stays. Default: the whole world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub within: Option<[[f64; 2]; 2]>,
    /// True if it waits while a robot stands in its way; otherwise it pushes the robot along as far as there is room.
    pub yields: bool,
}

impl Default for WanderSpec {
    fn default() -> Self {
        WanderSpec { speed: walking_speed(), within: None, yields: true }
    }
}

impl WanderSpec {
    fn build(&self) -> Script {
        let everywhere = [[f64::MIN, f64::MIN], [f64::MAX, f64::MAX]];
        let [a, b] = self.within.unwrap_or(everywhere);
        let within =
            Bounds { min: vec2(a[0].min(b[0]), a[1].min(b[1])), max: vec2(a[0].max(b[0]), a[1].max(b[1])) };
        Script { yields: self.yields, within: Some(within), ..Script::new(Vec::new(), self.speed, true) }
    }
}

impl PathSpec {
    fn build(&self) -> Script {
        Script { yields: self.yields, ..Script::new(points(&self.points), self.speed, self.repeat) }
    }
}

/// The script of an object with a path, or that wanders.
fn script(path: Option<&PathSpec>, wander: Option<&WanderSpec>) -> Result<Option<Script>, String> {
    match (path, wander) {
        (Some(_), Some(_)) => Err("`path` and `wander` exclude each other: remove one of them".into()),
        (path, wander) => Ok(path.map(PathSpec::build).or(wander.map(WanderSpec::build))),
    }
}

impl PersonSpec {
    /// The person as an object, or what is wrong with the description.
    pub fn build(&self) -> Result<Object, String> {
        let shape = Shape::Circle { radius: self.radius };
        let mut object = Object::obstacle(&self.name, shape, Pose::new(self.at[0], self.at[1], 0.0));
        object.height = self.height;
        let script = script(self.path.as_ref(), self.wander.as_ref())?;
        object.script = script.map(|script| Script { sidesteps: true, ..script });
        object.properties.states.set(PERSON, None, None);
        Ok(object)
    }
}

fn two_metres() -> f64 {
    2.0
}

fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

/// A sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SoundSpec {
    /// Its frequency.
    #[schemars(range(min = 0.0), extend("x-unit" = "Hz"))]
    pub frequency: f64,
    /// Its level at a distance of 1 m.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0))]
    pub level: f64,
    /// The stock without which it is silent.
    #[serde(rename = "while", default, skip_serializing_if = "Option::is_none")]
    pub stock: Option<String>,
}

/// An infrared beacon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BeaconSpec {
    /// The code that it sends.
    pub code: String,
    /// Its level at a distance of 1 m.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0))]
    pub level: f64,
}

/// Materials with their damping of radio signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Material {
    /// 4 dB.
    Wood,
    /// 7 dB.
    ConcreteWithWindows,
    /// 12 dB.
    Stone,
    /// 15 dB.
    Concrete,
    /// 5 dB.
    InnerWall,
}

impl Material {
    /// All materials.
    pub const ALL: [Material; 5] = [
        Material::Wood,
        Material::InnerWall,
        Material::ConcreteWithWindows,
        Material::Stone,
        Material::Concrete,
    ];

    /// Its name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Material::Wood => "wood",
            Material::ConcreteWithWindows => "concrete-with-windows",
            Material::Stone => "stone",
            Material::Concrete => "concrete",
            Material::InnerWall => "inner-wall",
        }
    }

    /// Damping per crossing. [dB]
    pub fn damping(self) -> f64 {
        match self {
            Material::Wood => 4.0,
            Material::ConcreteWithWindows => 7.0,
            Material::Stone => 12.0,
            Material::Concrete => 15.0,
            Material::InnerWall => 5.0,
        }
    }
}

/// A jammer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct JammerSpec {
    /// Its power.
    #[schemars(range(min = -60.0, max = 80.0), extend("x-unit" = "dBm"))]
    pub power: f64,
    /// Lower and upper end of the band that it fills. Default: the whole channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "Hz"))]
    pub band: Option<[f64; 2]>,
    /// Share of the time during which it is on.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "1"))]
    pub duty_cycle: f64,
    /// Time from one burst to the next.
    #[schemars(range(min = 1e-4, max = 3600.0), extend("x-unit" = "s"))]
    pub period: f64,
    /// False if it is switched off until a disturbance switches it on.
    pub on: bool,
}

impl Default for JammerSpec {
    fn default() -> Self {
        JammerSpec { power: 20.0, band: None, duty_cycle: 1.0, period: 0.01, on: true }
    }
}

impl JammerSpec {
    fn build(&self) -> Result<Jammer, String> {
        if let Some([low, high]) = self.band
            && !(0.0 <= low && low < high)
        {
            return Err(
                "the lower end of a jammer's band must be below the upper one, and not below 0 Hz".into()
            );
        }
        let JammerSpec { power, band, duty_cycle, period, on } = *self;
        Ok(Jammer { power, band, duty_cycle, period, on })
    }
}

/// A path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PathSpec {
    /// Waypoints; the object starts at its own position.
    #[schemars(extend("x-unit" = "m"))]
    pub points: Vec<[f64; 2]>,
    /// Speed.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub speed: f64,
    /// Start again at the first point after the last one.
    #[serde(default)]
    pub repeat: bool,
    /// True if it waits while a robot stands in its way; otherwise it pushes the robot along as far as there is room.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub yields: bool,
}

/// A named scalar such as energy or temperature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AspectSpec {
    /// Value at the start.
    pub value: f64,
    /// Lowest value.
    #[serde(default)]
    pub min: f64,
    /// Highest value. Default: the initial value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Change per second.
    #[serde(default)]
    pub per_second: f64,
    /// Change per metre driven.
    #[serde(default)]
    pub per_metre: f64,
    /// Change per radian turned.
    #[serde(default)]
    pub per_radian: f64,
    /// Change per effector action.
    #[serde(default)]
    pub per_use: f64,
    /// The value that it returns to by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// Share of the difference from `rest` that is lost per second.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub rest_rate: f64,
}

/// Ground that changes speed and the energy per metre: a grid with factors per cell, 1 outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TerrainSpec {
    /// Side of a cell.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub cell: f64,
    /// Lower left corner. Default: that of the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Rows of factors on speed, the northernmost first, as on a map.
    pub rows: Vec<Vec<f64>>,
    /// Rows of factors on the energy per metre, as many as in `rows`. Default: all 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub energy: Vec<Vec<f64>>,
}

fn points(list: &[[f64; 2]]) -> Vec<Vec2> {
    list.iter().map(|[x, y]| vec2(*x, *y)).collect()
}

impl ObjectSpec {
    /// The object, or an error in its description.
    pub fn build(&self) -> Result<Object, String> {
        let spec = self;
        let shape = match &spec.shape {
            ShapeSpec::Rectangle([width, height]) if *width > 0.0 && *height > 0.0 => {
                Shape::rectangle(*width, *height)
            }
            ShapeSpec::Rectangle(_) => return Err("a rectangle's width and height must be above 0 m".into()),
            ShapeSpec::Circle(radius) => Shape::Circle { radius: *radius },
            ShapeSpec::Polygon(corners) => Shape::convex(points(corners))?,
            ShapeSpec::Wall([a, b]) if a != b => Shape::Segment(vec2(a[0], a[1]), vec2(b[0], b[1])),
            ShapeSpec::Wall(_) => return Err("a wall needs two different ends".into()),
        };
        let mut object = Object::obstacle(&spec.name, shape, Pose::new(spec.at[0], spec.at[1], spec.heading));
        object.penetrability = spec.penetrability;
        object.passes =
            spec.passable_for.iter().map(|(name, value)| (name.as_str().into(), *value)).collect();
        object.energy = spec.energy;
        object.height = spec.height;
        object.properties.stocks = stocks(&spec.stocks);
        object.heat = spec.heat;
        object.damping = spec.damping.or(spec.material.map(Material::damping)).unwrap_or(0.0);
        object.jammer = spec.jammer.as_ref().map(JammerSpec::build).transpose()?;
        object.properties.aspects = aspects(&spec.aspects);
        let sounds = spec.sounds.iter().map(|sound| Emission::Sound {
            frequency: sound.frequency,
            level: sound.level,
            stock: sound.stock.as_deref().map(Into::into),
        });
        let beacon = spec.beacon.iter().map(|b| Emission::Beacon { code: b.code.clone(), level: b.level });
        object.emissions = sounds.chain(beacon).collect();
        object.script = script(spec.path.as_ref(), spec.wander.as_ref())?;
        if let Some(pushable) = &spec.pushable {
            object.pushable = Some(pushable.build(&object)?);
        }
        Ok(object)
    }
}

impl PushableSpec {
    fn build(&self, object: &Object) -> Result<Pushable, String> {
        if object.script.is_some() {
            return Err("an object with `path` or `wander` cannot be `pushable`: remove one of them".into());
        }
        if !object.impassable() || !object.passes.is_empty() {
            return Err(
                "robots cannot push what they drive over: remove `pushable`, or `penetrability` and `passable-for`".into()
            );
        }
        Pushable::new(&object.shape, self.friction)
            .ok_or_else(|| "a wall cannot be `pushable`: use a rectangle".into())
    }
}

impl TerrainSpec {
    /// The terrain in a world whose lower left corner is `low`, or an error in its description.
    pub fn build(&self, low: Vec2) -> Result<Terrain, String> {
        let spec = self;
        let columns = spec.rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err("terrain needs at least one row with one factor".into());
        }
        if let Some(row) = spec.rows.iter().position(|row| row.len() != columns) {
            return Err(format!(
                "row {} has {} factors, the first has {columns}",
                row + 1,
                spec.rows[row].len()
            ));
        }
        if !spec.energy.is_empty()
            && (spec.energy.len() != spec.rows.len() || spec.energy.iter().any(|row| row.len() != columns))
        {
            return Err(format!(
                "`energy` needs as many factors as `rows`: {} rows of {columns}",
                spec.rows.len()
            ));
        }
        if spec.rows.iter().chain(&spec.energy).flatten().any(|factor| *factor < 0.0) {
            return Err("factors must not be negative".into());
        }
        Ok(Terrain {
            origin: spec.at.map_or(low, |[x, y]| vec2(x, y)),
            cell: spec.cell,
            columns,
            rows: spec.rows.len(),
            factors: spec.rows.iter().rev().flatten().copied().collect(),
            energy: spec.energy.iter().rev().flatten().copied().collect(),
        })
    }
}

/// Named amounts from their descriptions.
pub fn stocks(amounts: &BTreeMap<String, f64>) -> Stocks {
    let mut stocks = Stocks::default();
    for (name, amount) in amounts {
        *stocks.amount_mut(name) = *amount;
    }
    stocks
}

/// Named scalars from their descriptions.
pub fn aspects(specs: &BTreeMap<String, AspectSpec>) -> Vec<Aspect> {
    let aspect = |(name, spec): (&String, &AspectSpec)| Aspect {
        name: name.clone(),
        value: spec.value,
        min: spec.min,
        max: spec.max.unwrap_or(spec.value),
        per_second: spec.per_second,
        per_metre: spec.per_metre,
        per_radian: spec.per_radian,
        per_use: spec.per_use,
        rest: spec.rest,
        rest_rate: spec.rest_rate,
    };
    specs.iter().map(aspect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(text: &str) -> Result<Object, String> {
        let spec: ObjectSpec = serde_json::from_str(text).map_err(|error| error.to_string())?;
        spec.build()
    }

    #[test]
    fn only_solid_things_that_stand_can_be_pushed() {
        let pushed = |keys: &str| built(&format!(r#"{{{keys}, "pushable": {{"friction": 30}}}}"#));
        let crate_ = pushed(r#""rectangle": [0.4, 2.6]"#).expect("a box").pushable.expect("pushable");
        assert_eq!(crate_.friction, 30.0);
        for (keys, word) in [
            (r#""wall": [[0, 0], [3, 0]]"#, "wall"),
            (r#""circle": 1, "penetrability": 1"#, "drive over"),
            (r#""circle": 1, "passable-for": {"truck": 1}"#, "drive over"),
            (r#""circle": 1, "wander": {}"#, "`wander`"),
        ] {
            let error = pushed(keys).expect_err(keys);
            assert!(error.contains(word), "{error}");
        }
        assert_eq!(built(r#"{"circle": 1}"#).expect("a disc").pushable, None);
        assert!(built(r#"{"circle": 1, "pushable": {"mass": 3}}"#).is_err(), "unknown keys are refused");
    }

    #[test]
    fn materials_have_their_names_in_scenarios() {
        for material in Material::ALL {
            assert_eq!(serde_json::to_value(material).expect("a name"), material.name());
        }
    }

    #[test]
    fn damping_defaults_to_that_of_the_material() {
        for (keys, damping) in [
            ("", 0.0),
            (r#", "material": "wood""#, 4.0),
            (r#", "material": "concrete-with-windows""#, 7.0),
            (r#", "material": "stone""#, 12.0),
            (r#", "material": "concrete""#, 15.0),
            (r#", "material": "inner-wall""#, 5.0),
            (r#", "damping": 30"#, 30.0),
            (r#", "material": "stone", "damping": 0"#, 0.0),
        ] {
            let object = built(&format!(r#"{{"wall": [[0, 0], [3, 0]]{keys}}}"#)).expect(keys);
            assert_eq!((object.damping, object.jammer), (damping, None), "{keys}");
        }
    }

    #[test]
    fn a_jammer_has_defaults_and_a_band_with_two_ends() {
        let plain = built(r#"{"circle": 0.1, "jammer": {}}"#).expect("defaults").jammer;
        let expected = Jammer { power: 20.0, band: None, duty_cycle: 1.0, period: 0.01, on: true };
        assert_eq!(plain, Some(expected));
        let narrow =
            built(r#"{"circle": 0.1, "jammer": {"band": [2.4e9, 2.41e9], "on": false, "duty-cycle": 0.5}}"#);
        let narrow = narrow.expect("a band").jammer.expect("a jammer");
        assert_eq!((narrow.band, narrow.on, narrow.duty_cycle), (Some([2.4e9, 2.41e9]), false, 0.5));
        for band in ["[2.41e9, 2.4e9]", "[2.4e9, 2.4e9]", "[-1, 2.4e9]"] {
            let wrong = built(&format!(r#"{{"circle": 0.1, "jammer": {{"band": {band}}}}}"#));
            assert!(wrong.is_err_and(|error| error.contains("below the upper")), "{band}");
        }
        assert!(built(r#"{"circle": 0.1, "jammer": {"pwer": 3}}"#).is_err(), "unknown keys are refused");
    }
}
