//! How scenario files describe noise by place.

use super::noise::NoiseGrid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Background noise by place, in addition to the receivers' own noise: one of `rows`, `function`, `image` and `random`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct NoiseFloorSpec {
    /// The source of the levels.
    #[serde(flatten)]
    pub source: NoiseSource,
    /// Side of a cell. An image's pixels always cover the whole world.
    #[serde(default = "one_metre")]
    #[schemars(range(min = 0.001), extend("x-unit" = "m"))]
    pub cell: f64,
    /// South-western corner of `rows`. Default: that of the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
}

/// The source of the levels of a noise floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseSource {
    /// Level by cell, the northernmost row first.
    Rows(#[schemars(extend("x-unit" = "dBm"))] Vec<Vec<f64>>),
    /// A formula over x and y in metres that gives the level in dBm, such as `-95 + 20 * exp(-(x^2 + y^2) / 50)`.
    Function(String),
    /// An image that covers the world.
    Image(ImageSpec),
    /// The level of every cell is drawn uniformly between two levels.
    Random(RandomSpec),
}

/// An image of a noise floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ImageSpec {
    /// The file, relative to the scenario.
    pub file: String,
    /// Level of black pixels.
    #[schemars(range(min = -200.0, max = 60.0), extend("x-unit" = "dBm"))]
    pub low: f64,
    /// Level of white pixels.
    #[schemars(range(min = -200.0, max = 60.0), extend("x-unit" = "dBm"))]
    pub high: f64,
}

/// A random noise floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RandomSpec {
    /// Lowest level.
    #[schemars(range(min = -200.0, max = 60.0), extend("x-unit" = "dBm"))]
    pub low: f64,
    /// Highest level.
    #[schemars(range(min = -200.0, max = 60.0), extend("x-unit" = "dBm"))]
    pub high: f64,
}

fn one_metre() -> f64 {
    1.0
}

impl NoiseFloorSpec {
    /// The noise floor of a world with this south-western corner and size [m], or an error.
    /// `image` reads a file: brightness from 0 to 1 row by row from the north, columns and rows.
    pub fn build(
        &self,
        origin: [f64; 2],
        size: [f64; 2],
        seed: u64,
        image: impl FnOnce(&str) -> Result<(Vec<f64>, usize, usize), String>,
    ) -> Result<NoiseGrid, String> {
        match &self.source {
            NoiseSource::Rows(rows) => NoiseGrid::from_rows(rows, self.at.unwrap_or(origin), self.cell),
            NoiseSource::Function(text) => NoiseGrid::from_function(text, origin, size, self.cell),
            NoiseSource::Image(ImageSpec { file, low, high }) => {
                let (pixels, columns, rows) = image(file)?;
                NoiseGrid::from_grey(&pixels, columns, rows, origin, size, *low, *high)
            }
            NoiseSource::Random(RandomSpec { low, high }) => {
                NoiseGrid::random(*low, *high, seed, origin, size, self.cell)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Result<NoiseGrid, String> {
        let spec: NoiseFloorSpec = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let image =
            |file: &str| if file == "a.png" { Ok((vec![1.0], 1, 1)) } else { Err("no such file".into()) };
        spec.build([0.0, 0.0], [4.0, 4.0], 1, image)
    }

    #[test]
    fn every_source_can_be_written() {
        let level = |text| build(text).map(|grid| grid.at([3.5, 3.5]));
        assert_eq!(level(r#"{"rows": [[-90, -80], [-70, -60]], "cell": 2}"#), Ok(Some(-80.0)));
        assert_eq!(level(r#"{"rows": [[-90]], "at": [3, 3]}"#), Ok(Some(-90.0)));
        assert_eq!(level(r#"{"function": "-90 + x"}"#), Ok(Some(-86.5)));
        assert_eq!(level(r#"{"image": {"file": "a.png", "low": -90, "high": -70}}"#), Ok(Some(-70.0)));
        assert_eq!(level(r#"{"random": {"low": -90, "high": -90}}"#), Ok(Some(-90.0)));
        assert_eq!(
            level(r#"{"image": {"file": "b.png", "low": -90, "high": -70}}"#),
            Err("no such file".into())
        );
        assert!(level(r#"{"cell": 2}"#).is_err());
    }
}
