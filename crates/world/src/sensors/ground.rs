//! Measures how fast the ground lets the robot drive: under it, and at some points along evenly spaced rays.

use super::{Sensor, View};
use crate::quality::Quality;
use crate::scan::{Beam, Fan, Sees};
use crewlab_onboard::{Reading, Stream, Vec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The reading of a point that the sensor does not see.
const HIDDEN: f64 = -1.0;

/// Parameters of a ground sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ground {
    /// Number of rays, spread evenly over the field of view.
    #[schemars(range(min = 1, max = 1000))]
    pub rays: u32,
    /// Points per ray, evenly spaced from the rim up to the range.
    #[schemars(range(min = 1, max = 1000))]
    pub points: u32,
    #[serde(skip)]
    fan: Option<Fan>,
}

impl Default for Ground {
    fn default() -> Self {
        Ground { rays: 9, points: 6, fan: None }
    }
}

impl Sensor for Ground {
    const SUMMARY: &'static str =
        "factor by which the ground changes the robot's speed, under it and at points around the front";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality { period: 0.2, ..Quality::perfect(2.0, PI) }
    }

    fn prepare(&mut self, quality: &Quality) {
        self.fan = Some(Fan::even(self.rays as usize, quality.fov));
    }

    fn angles(&self) -> Vec<f64> {
        self.fan.as_ref().map_or_else(Vec::new, |fan| fan.angles().to_vec())
    }

    /// The point under the robot comes first, then ray by ray from the nearest to the farthest point. A point behind something
    /// impassable reads -1.
    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let Some(fan) = &self.fan else { return };
        let body = view.body();
        let beam = Beam { range: view.quality.range, sees: Sees::Walls, mount: 0.0 };
        let mut seen = Vec::new();
        fan.cast(view.world, view.me, beam, &mut seen);
        let mut factors = Vec::with_capacity(1 + seen.len() * self.points as usize);
        let mut factor = |away: Vec2| {
            let factor = view.world.speed_factor(body.pose.position + away, &body.robot_type);
            view.quality.noisy(factor, random).max(0.0)
        };
        factors.push(factor(Vec2::ZERO));
        for (angle, seen) in fan.angles().iter().zip(seen) {
            let direction = Vec2::unit(body.pose.heading + angle);
            for point in 1..=self.points {
                let away = view.quality.range * f64::from(point) / f64::from(self.points);
                factors.push(if away <= seen { factor(direction * (body.radius + away)) } else { HIDDEN });
            }
        }
        *reading = Reading::Levels(factors);
    }
}
