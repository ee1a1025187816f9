//! What may be asked about a robot that finds out by itself where it is.

use crate::geometry::Pose;
use crate::hardware::Datasheet;
use crate::sketch::{About, LayerSpec, Mark};
use serde::{Deserialize, Serialize};

/// A robot's estimate of its own pose.
pub trait Locating {
    /// Where it believes to be; `None` if it does not know.
    fn believed(&self) -> Option<Pose>;

    /// Appends its marks on one of [`LAYERS`].
    fn sketch(&self, layer: usize, marks: &mut Vec<Mark>);
}

/// The sensor that counts what wheels do.
pub const ODOMETRY: &str = "odometry";

/// The particle filter of a robot that locates itself, as far as people choose it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilterChoice {
    /// Number of particles. Default: 20.
    pub particles: u16,
    /// Side of a cell of its map. [m] Default: 0.15.
    pub resolution: f64,
    /// Name of the likelihood of scans. Default: `ndt`.
    pub likelihood: String,
}

impl Default for FilterChoice {
    fn default() -> Self {
        // Robots with tasks besides drive in rooms, where loops are short: few particles will do.
        FilterChoice { particles: 20, resolution: 0.15, likelihood: "ndt".into() }
    }
}

impl Datasheet {
    /// True if the robot finds out by itself where it is: it has odometry and a range scanner, but nothing that tells it.
    pub fn locates_itself(&self) -> bool {
        let has = |name: &str| self.sensor(name).is_some();
        has(ODOMETRY) && has("range-scanner") && !(has("position") && has("compass"))
    }
}

/// The place of each layer in [`LAYERS`].
pub mod layer {
    /// Where walls are on its map.
    pub const MAP: usize = 0;
    /// Where its particles are.
    pub const PARTICLES: usize = 1;
    /// Where it believes to be.
    pub const BELIEF: usize = 2;
}

/// The layers of robots that locate themselves, in every mission.
pub const LAYERS: &[LayerSpec] = &[
    LayerSpec {
        name: "own-map",
        title: "Own map",
        summary: "What is occupied on a robot's own map",
        about: About::Robot,
        shown: false,
    },
    LayerSpec {
        name: "particles",
        title: "Particles",
        summary: "Where a robot may be, as its filter believes",
        about: About::Robot,
        shown: false,
    },
    LayerSpec {
        name: "belief",
        title: "Believed pose",
        summary: "Where a robot believes to be and where it looks; none if it is lost",
        about: About::Robot,
        shown: true,
    },
];
