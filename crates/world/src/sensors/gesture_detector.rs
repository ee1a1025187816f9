//! Cameras that recognise pointing gestures.

use super::{Sensor, View};
use crate::person::POINTING;
use crate::quality::Quality;
use crewlab_onboard::geometry::wrap;
use crewlab_onboard::{Reading, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// A gesture detector has no parameters of its own. A gesture is seen in the moment in which it is made, so `dropout` is the share of
/// gestures that it misses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct GestureDetector {}

impl Sensor for GestureDetector {
    const SUMMARY: &'static str = "persons in view who begin to point somewhere, by name, and where they point; \
         `dropout` is the share of gestures that it misses, `absolute-noise` the error of their direction";
    const UNIT: &'static str = "rad";

    /// As on ACE: 80.2 % are recognised, within 6.8 degrees.
    fn quality() -> Quality {
        Quality { dropout: 0.198, absolute_noise: 6.8 * PI / 180.0, ..Quality::perfect(4.0, TAU) }
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let heading = view.body().pose.heading;
        let mut sightings = Vec::new();
        for (person, bearing, distance) in view.persons() {
            let states = &person.properties.states;
            let begins = states.get(POINTING).is_some_and(|state| state.lasted == 0.0);
            let Some(direction) = person.properties.value(POINTING).filter(|_| begins) else { continue };
            sightings.push(Sighting {
                kind: person.name.as_str().into(),
                bearing,
                distance,
                extent: person.shape.radius(),
                inside: false,
                heading: Some(wrap(view.quality.noisy(wrap(direction - heading), random))),
            });
        }
        *reading = Reading::Sightings(sightings);
    }
}
