//! Sees marked areas: spills, deposits, report sites.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// An area detector has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaDetector {}

impl Sensor for AreaDetector {
    const SUMMARY: &'static str =
        "kind, bearing, distance and radius of the areas in view, and whether the robot is inside";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(2.0, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let pose = &view.body().pose;
        let mut sightings = Vec::new();
        for area in view.world.present_areas() {
            let (center, radius) = area.outline.bounding_circle();
            let inside = area.outline.contains(pose.position);
            let (bearing, distance) = (pose.bearing(center), pose.position.distance(center));
            let in_view = area.outline.distance(pose.position) <= view.quality.range
                && bearing.abs() <= view.quality.fov / 2.0
                && view.world.in_sight(pose.position, center);
            if inside || in_view {
                sightings.push(Sighting {
                    kind: area.kind.clone(),
                    bearing: view.quality.noisy_bearing(bearing, random),
                    distance: view.quality.noisy(distance, random).max(0.0),
                    extent: radius,
                    inside,
                    heading: None,
                });
            }
        }
        *reading = Reading::Sightings(sightings);
    }
}
