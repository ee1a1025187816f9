//! Sees items that lie on the floor.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// An item detector has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ItemDetector {}

impl Sensor for ItemDetector {
    const SUMMARY: &'static str = "kind, bearing and distance of the items in view, nearest first";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(2.5, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let position = view.body().pose.position;
        let mut seen = Vec::new();
        view.world.index.items.near(position, view.quality.range, |disc| {
            if let Some((bearing, distance)) = view.sight(disc.center)
                && view.world.in_sight(position, disc.center)
            {
                seen.push((disc.id, bearing, distance));
            }
        });
        seen.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
        let sighting = |(id, bearing, distance): (u32, f64, f64)| {
            let item = &view.world.items[id as usize];
            Sighting {
                kind: item.kind.clone(),
                bearing: view.quality.noisy_bearing(bearing, random),
                distance: view.quality.noisy(distance, random).max(0.0),
                extent: item.radius,
                inside: false,
                heading: None,
            }
        };
        *reading = Reading::Sightings(seen.into_iter().map(sighting).collect());
    }
}
