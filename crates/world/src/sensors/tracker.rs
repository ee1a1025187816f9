//! A motion tracking system that covers the room: follows areas of one kind, such as persons, items and things that can be
//! pushed by their markers.

use super::{Sensor, View};
use crate::item::DIRECTION;
use crate::quality::Quality;
use crewlab_onboard::geometry::wrap;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a tracker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Tracker {
    /// The kind of areas that it follows.
    pub areas: String,
    /// The aspect of items that it reports as their direction.
    pub direction: String,
}

impl Default for Tracker {
    fn default() -> Self {
        Tracker { areas: "person".into(), direction: DIRECTION.into() }
    }
}

impl Sensor for Tracker {
    const SUMMARY: &'static str = "areas of a kind (`areas`: person; by name) and items (by kind and number) anywhere in range, walls or not: bearing and \
         distance, which way an item points (`direction`: handle), whether it is in a hand; objects that can be pushed (by name) \
         and which way they point";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(50.0, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let mut sightings = Vec::new();
        let heading = view.body().pose.heading;
        for area in view.world.present_areas().filter(|area| *area.kind == *self.areas) {
            let (center, radius) = area.outline.bounding_circle();
            if let Some((bearing, distance)) = view.sight(center) {
                sightings.push(Sighting {
                    kind: area.name.clone(),
                    bearing: view.quality.noisy_bearing(bearing, random),
                    distance: view.quality.noisy(distance, random).max(0.0),
                    extent: radius,
                    inside: area.outline.contains(view.body().pose.position),
                    heading: None,
                });
            }
        }
        for (number, item) in view.world.items.iter().enumerate().filter(|(_, item)| item.present) {
            if let Some((bearing, distance)) = view.sight(item.position) {
                let direction = item.properties.value(&self.direction).map(|angle| wrap(angle - heading));
                sightings.push(Sighting {
                    kind: format!("{} {}", item.kind, number + 1).into(),
                    bearing: view.quality.noisy_bearing(bearing, random),
                    distance: view.quality.noisy(distance, random).max(0.0),
                    extent: item.radius,
                    inside: !item.lies(),
                    heading: direction.map(|angle| view.quality.noisy_bearing(angle, random)),
                });
            }
        }
        for object in view.world.active_objects().filter(|object| object.pushable.is_some()) {
            if let Some((bearing, distance)) = view.sight(object.pose.position) {
                sightings.push(Sighting {
                    kind: object.name.as_str().into(),
                    bearing: view.quality.noisy_bearing(bearing, random),
                    distance: view.quality.noisy(distance, random).max(0.0),
                    extent: object.shape.radius(),
                    inside: false,
                    heading: Some(view.quality.noisy_bearing(wrap(object.pose.heading - heading), random)),
                });
            }
        }
        *reading = Reading::Sightings(sightings);
    }
}
