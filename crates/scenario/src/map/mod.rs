//! A map as the world: its walls are obstacles for rays, bodies and radio. Files become rows of letters, so that the resolved scenario
//! needs no other file.

mod file;
mod rows;
mod shipped;
mod walls;

pub use shipped::{MAPS, ShippedMap};

use crewlab_sim::onboard::geometry::{Pose, vec2};
use crewlab_sim::world::{Material, Object, Shape, Terrain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use walls::Rectangle;

/// The most walls that a world takes from a map. Objects are kept in every snapshot.
const MOST_WALLS: usize = 100_000;
/// The most letters of a map in a resolved scenario, so that the scenario can be read again.
const MOST_LETTERS: usize = 8 << 20;
/// Robots plan on cells up to this size. [m]
const LARGEST_PLAN_CELL: f64 = 0.15;
/// The name of a map's walls.
pub const WALL: &str = "wall of the map";

/// A map: the name of one, or all about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MapChoice {
    /// The name of a shipped map, or a file.
    Name(String),
    /// A map with what differs from its defaults.
    Map(Box<MapSpec>),
}

/// What unknown cells of a map are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unknown {
    /// Walls: nobody has been there, and outside of a building nobody should be.
    #[default]
    Wall,
    /// Free ground.
    Free,
}

/// A map as the world. Its walls are obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MapSpec {
    /// The name of a shipped map, or a file relative to the one that names it: a MovingAI `.map`, a `.yaml` of ROS `map_server`, or a
    /// grey picture (`.png`, `.pgm`) in which dark is a wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The map itself instead of a file, the northernmost row first. `.` is free, `S` slows robots down, `@` is a wall; a number repeats
    /// the letter behind it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// Side of a cell. Default: that of the file; 1 m for a MovingAI file and for rows. A picture needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-unit" = "m"))]
    pub resolution: Option<f64>,
    /// Coordinates of its lower left corner. Default: those of the file; without them those of the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// What unknown cells are.
    pub unknown: Unknown,
    /// Factor on the speed of robots where the map has swamp (`S`).
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.1))]
    pub swamp: f64,
    /// Height of the walls; sensors mounted higher do not see them.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub height: f64,
    /// Material of the walls, which determines the default of `damping`.
    pub material: Material,
    /// Damping of radio signals per wall that they cross. Default: that of the `material`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 200.0), extend("x-unit" = "dB"))]
    pub damping: Option<f64>,
}

impl Default for MapSpec {
    fn default() -> Self {
        MapSpec {
            file: None,
            rows: Vec::new(),
            resolution: None,
            at: None,
            unknown: Unknown::Wall,
            swamp: 0.5,
            height: 2.0,
            material: Material::InnerWall,
            damping: None,
        }
    }
}

/// A cell of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    Free,
    Swamp,
    Wall,
}

/// The cells of a map, row by row from the lowest.
#[derive(Clone, Debug, PartialEq)]
struct Cells {
    columns: usize,
    ground: Vec<Ground>,
}

impl Cells {
    fn rows(&self) -> usize {
        self.ground.len() / self.columns.max(1)
    }
}

/// A key of a map and what is wrong with it.
pub(super) type Mistake = (&'static str, String);

/// A map with its place in the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map {
    spec: MapSpec,
    cells: Cells,
    walls: Vec<Rectangle>,
    /// Side of a cell. [m]
    resolution: f64,
    /// Its lower left corner. [m]
    pub at: [f64; 2],
}

impl Map {
    /// Reads a map. Files are relative to `folder`; without a place of its own, the map begins at the world's `origin`.
    pub fn read(choice: MapChoice, folder: &Path, origin: Option<[f64; 2]>) -> Result<Map, Mistake> {
        let spec = match choice {
            MapChoice::Name(name) => MapSpec { file: Some(name), ..MapSpec::default() },
            MapChoice::Map(spec) => *spec,
        };
        let (cells, resolution, place) = match (&spec.file, spec.rows.as_slice()) {
            (Some(name), []) => {
                let read = file::read(name, folder, &spec);
                let read = read.map_err(|message| ("file", format!("the map `{name}`: {message}")))?;
                (read.cells, read.resolution, read.at)
            }
            (None, [_, ..]) => {
                let cells = rows::read(&spec.rows).map_err(|message| ("rows", message))?;
                (cells, spec.resolution.unwrap_or(file::MOVINGAI_RESOLUTION), None)
            }
            (Some(_), _) => return Err(("file", "a map has a `file` or `rows`, not both".into())),
            (None, []) => return Err(("", "a map needs a `file`, or its `rows`".into())),
        };
        let too_many = || {
            let message = format!(
                "the map has more than {MOST_WALLS} separate pieces of wall: remove its speckles, or make it coarser"
            );
            ("file", message)
        };
        let walls = walls::merge(&cells, MOST_WALLS).ok_or_else(too_many)?;
        let at = spec.at.or(place).or(origin).unwrap_or_default();
        Ok(Map { spec, cells, walls, resolution, at })
    }

    /// Width and height. [m]
    pub fn size(&self) -> [f64; 2] {
        [self.cells.columns, self.cells.rows()].map(|count| count as f64 * self.resolution)
    }

    /// Whether it lies inside a world with this lower left corner and size. [m]
    pub fn fits(&self, origin: [f64; 2], size: [f64; 2]) -> Result<(), String> {
        let own = self.size();
        let outside = |axis: usize| {
            // A micrometre, so that sums of cells need not be exact.
            let (low, high) =
                (self.at[axis] - origin[axis], self.at[axis] + own[axis] - origin[axis] - size[axis]);
            !(low >= -1e-6 && high <= 1e-6)
        };
        if !(outside(0) || outside(1)) {
            return Ok(());
        }
        let corners = |at: [f64; 2], size: [f64; 2]| {
            format!("from [{} m, {} m] to [{} m, {} m]", at[0], at[1], at[0] + size[0], at[1] + size[1])
        };
        Err(format!(
            "the map reaches {}, and the world {}: leave out `size` and `origin`, or make room for the map",
            corners(self.at, own),
            corners(origin, size)
        ))
    }

    /// The map as it is written to the results: with its cells instead of a file.
    pub fn resolved(&self) -> Result<MapSpec, Mistake> {
        let rows = rows::write(&self.cells);
        let letters: usize = rows.iter().map(|row| row.len() + 10).sum();
        if letters > MOST_LETTERS {
            let message = format!(
                "the map is too detailed: a run's scenario would hold {letters} letters of it, and at most {MOST_LETTERS} can be read again; make it coarser"
            );
            return Err(("file", message));
        }
        let (resolution, at) = (Some(self.resolution), Some(self.at));
        Ok(MapSpec { file: None, rows, resolution, at, ..self.spec.clone() })
    }

    /// Side of the cells of a floor plan that meet those of the map. [m]
    pub fn plan_cell(&self) -> f64 {
        let halved = std::iter::successors(Some(self.resolution), |cell| Some(cell / 2.0));
        halved.take(32).find(|cell| *cell <= LARGEST_PLAN_CELL).unwrap_or(LARGEST_PLAN_CELL)
    }

    /// Its walls as obstacles.
    pub fn objects(&self) -> impl Iterator<Item = Object> {
        let damping = self.spec.damping.unwrap_or(self.spec.material.damping());
        self.walls.iter().map(move |wall| {
            let corner = |axis: usize, cell: usize| self.at[axis] + cell as f64 * self.resolution;
            let middle = |axis: usize, from: usize, count: usize| {
                (corner(axis, from) + corner(axis, from + count)) * 0.5
            };
            let center = [middle(0, wall.column, wall.columns), middle(1, wall.row, wall.rows)];
            let side = |count: usize| count as f64 * self.resolution;
            let shape = Shape::rectangle(side(wall.columns), side(wall.rows));
            let object = Object::obstacle(WALL, shape, Pose::new(center[0], center[1], 0.0));
            Object { height: self.spec.height, damping, ..object }
        })
    }

    /// The ground of its swamps; `None` if there are none.
    pub fn terrain(&self) -> Option<Terrain> {
        let factor = |ground: &Ground| if *ground == Ground::Swamp { self.spec.swamp } else { 1.0 };
        self.cells.ground.contains(&Ground::Swamp).then(|| Terrain {
            origin: vec2(self.at[0], self.at[1]),
            cell: self.resolution,
            columns: self.cells.columns,
            rows: self.cells.rows(),
            factors: self.cells.ground.iter().map(factor).collect(),
            energy: Vec::new(),
        })
    }
}
