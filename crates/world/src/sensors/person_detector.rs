//! Cameras that recognise persons.

use super::{Sensor, View};
use crate::object::Object;
use crate::quality::Quality;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A person detector has no parameters of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PersonDetector {}

impl View<'_> {
    /// The persons in view, with bearing and distance, in the order in which they came into the world.
    pub(super) fn persons(&self) -> impl Iterator<Item = (&Object, f64, f64)> {
        let here = self.body().pose.position;
        let persons = self.world.objects().iter().filter(|object| object.is_person());
        persons.filter_map(move |person| {
            let at = person.pose.position;
            let (bearing, distance) = self.sight(at)?;
            // Nobody is hidden by another person: heads are seen above shoulders.
            self.world.in_sight_past(here, at, Object::is_person).then_some((person, bearing, distance))
        })
    }
}

impl Sensor for PersonDetector {
    const SUMMARY: &'static str =
        "bearing and distance of the persons in view, by name, nearest first; walls hide them";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(10.0, TAU)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let mut sightings: Vec<Sighting> = view
            .persons()
            .map(|(person, bearing, distance)| Sighting {
                kind: person.name.as_str().into(),
                bearing: view.quality.noisy_bearing(bearing, random),
                distance: view.quality.noisy(distance, random).max(0.0),
                extent: person.shape.radius(),
                inside: false,
                heading: None,
            })
            .collect();
        sightings.sort_by(|one, two| one.distance.total_cmp(&two.distance));
        *reading = Reading::Sightings(sightings);
    }
}
