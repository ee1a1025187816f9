//! Sees infrared beacons in the line of sight.

use super::{Sensor, View};
use crate::object::{Emission, Object};
use crate::quality::Quality;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An infrared detector has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct InfraredBeacon {}

/// True if nothing impassable but the beacon's own housing is in the way.
fn visible(view: &View, from: Vec2, beacon: &Object) -> bool {
    let nearest = beacon.outline.nearest(from);
    // Slightly in front of the housing, so that it does not hide its own beacon.
    view.world.in_sight(from, nearest + (from - nearest) * 1e-3)
}

impl Sensor for InfraredBeacon {
    const SUMMARY: &'static str = "code, bearing, distance and strength of the infrared beacons in sight";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(10.0, std::f64::consts::PI)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let at = view.body().pose.position;
        let mut sightings = Vec::new();
        for object in view.world.active_objects() {
            for emission in &object.emissions {
                let Emission::Beacon { code, level } = emission else { continue };
                let Some((bearing, distance)) = view.sight(object.pose.position) else { continue };
                if visible(view, at, object) {
                    sightings.push(Sighting {
                        kind: code.as_str().into(),
                        bearing: view.quality.noisy_bearing(bearing, random),
                        distance: view.quality.noisy(distance, random).max(0.0),
                        extent: level * view.fading(distance),
                        inside: false,
                        heading: None,
                    });
                }
            }
        }
        *reading = Reading::Sightings(sightings);
    }
}
