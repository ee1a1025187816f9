//! A camera that segments colours, with an infrared range finder beside it. It sits on the robot's head, if the robot has one.

use super::{Sensor, View};
use crate::body::Body;
use crate::quality::Quality;
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Reading, RobotId, Sighting, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Parameters of a colour camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ColourCamera {
    /// The colours that it tells apart: aspects of robots and objects, whose values are the widths of the coloured surfaces in metres.
    pub colours: Vec<String>,
    /// How far the infrared measures. Things farther away seem to be there.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub infrared_range: f64,
}

impl Default for ColourCamera {
    fn default() -> Self {
        ColourCamera {
            colours: ["pink", "blue", "white", "yellow"].map(String::from).to_vec(),
            infrared_range: 1.5,
        }
    }
}

/// Something coloured.
struct Surface {
    at: Vec2,
    /// How wide it is. [m]
    width: f64,
    /// Its orientation relative to the camera's robot, if it can be told. [rad]
    heading: Option<f64>,
}

impl View<'_> {
    /// True if a robot that is neither the camera's nor the one looked at stands on the line between two points.
    fn robot_between(&self, from: Vec2, to: Vec2, target: Option<RobotId>) -> bool {
        let way = to - from;
        let distance = way.length();
        let direction = way * (1.0 / distance.max(1e-9));
        let others = RobotId::enumerate(&self.world.bodies);
        let mut others = others.filter(|(id, body)| body.present && *id != self.me && Some(*id) != target);
        others.any(|(_, body)| body.outline_at(&body.pose).ray(from, direction, distance).is_some())
    }
}

impl ColourCamera {
    fn sighting(
        &self,
        colour: &str,
        surface: &Surface,
        view: &View,
        body: &Body,
        random: &mut Stream,
    ) -> Option<Sighting> {
        let Quality { range, fov, .. } = *view.quality;
        let (bearing, distance) = (body.pose.bearing(surface.at), body.pose.position.distance(surface.at));
        if distance > range || wrap(bearing - body.pan()).abs() > fov / 2.0 {
            return None;
        }
        Some(Sighting {
            kind: colour.into(),
            bearing: view.quality.noisy_bearing(bearing, random),
            distance: view.quality.noisy(distance, random).clamp(0.0, self.infrared_range),
            extent: view.quality.noisy_share(2.0 * (surface.width / 2.0).atan2(distance), random).max(0.0),
            inside: false,
            heading: surface.heading.map(|heading| view.quality.noisy_bearing(heading, random)),
        })
    }
}

impl Sensor for ColourCamera {
    const SUMMARY: &'static str = "colours (`colours`) of robots and objects in view of the head, by name: bearing from the robot's front, \
         distance by infrared (at most `infrared-range`: 1.5 m), how wide they look (rad), and which way robots face";
    const UNIT: &'static str = "m";

    fn quality() -> Quality {
        Quality::perfect(10.0, PI / 3.0)
    }

    fn measure(&self, view: &View, random: &mut Stream, reading: &mut Reading) {
        let (body, from) = (view.body(), view.body().pose.position);
        let mut sightings = Vec::new();
        for colour in &self.colours {
            for (id, other) in RobotId::enumerate(&view.world.bodies) {
                let width = other.aspect(colour).filter(|width| *width > 0.0);
                let Some(width) = width.filter(|_| other.present && id != view.me) else { continue };
                let at = other.pose.position;
                let heading = Some(wrap(other.pose.heading - body.pose.heading));
                let hidden = || view.robot_between(from, at, Some(id)) || !view.world.in_sight(from, at);
                let seen = self.sighting(colour, &Surface { at, width, heading }, view, body, random);
                sightings.extend(seen.filter(|_| !hidden()));
            }
            for object in view.world.active_objects() {
                let Some(width) = object.properties.value(colour).filter(|width| *width > 0.0) else {
                    continue;
                };
                let at = object.pose.position;
                let others = || view.world.in_sight_past(from, at, |other| other.id == object.id);
                let seen = self.sighting(colour, &Surface { at, width, heading: None }, view, body, random);
                sightings.extend(seen.filter(|_| !view.robot_between(from, at, None) && others()));
            }
        }
        *reading = Reading::Sightings(sightings);
    }
}
