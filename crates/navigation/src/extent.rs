//! The axis-aligned bounding box of some points.

use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// A box by its lower left and its upper right corner. [m]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Its lower left corner. [m]
    pub low: Vec2,
    /// Its upper right corner. [m]
    pub high: Vec2,
}

impl Extent {
    /// The box around one point.
    pub fn of(point: Vec2) -> Extent {
        Extent { low: point, high: point }
    }

    /// The box extended to contain one more point.
    pub fn with(self, point: Vec2) -> Extent {
        Extent {
            low: vec2(self.low.x.min(point.x), self.low.y.min(point.y)),
            high: vec2(self.high.x.max(point.x), self.high.y.max(point.y)),
        }
    }

    /// True if a point is in the box or within `margin` of it. [m]
    pub fn holds(&self, point: Vec2, margin: f64) -> bool {
        let inside = |low: f64, value: f64, high: f64| value >= low - margin && value <= high + margin;
        inside(self.low.x, point.x, self.high.x) && inside(self.low.y, point.y, self.high.y)
    }

    /// Its middle. [m]
    pub fn middle(&self) -> Vec2 {
        (self.low + self.high) * 0.5
    }
}
