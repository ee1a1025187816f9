//! A bumper that tells in which sector the robot ran into something.

use super::{Sensor, View};
use crate::quality::Quality;
use crewlab_onboard::geometry::wrap;
use crewlab_onboard::{Reading, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of a bumper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Bumper {
    /// Number of sectors; the first is centred on the front, the others follow counter-clockwise.
    #[schemars(range(min = 1, max = 360))]
    pub sectors: u32,
}

impl Default for Bumper {
    fn default() -> Self {
        Bumper { sectors: 8 }
    }
}

impl Sensor for Bumper {
    const SUMMARY: &'static str = "sectors with which the robot touched something";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.0, TAU)
    }

    fn measure(&self, view: &View, _random: &mut Stream, reading: &mut Reading) {
        let mut touched = vec![false; self.sectors as usize];
        let body = view.body();
        if let Some(contact) = body.contact {
            let bearing = wrap((-contact.normal).angle() - body.pose.heading);
            let width = TAU / f64::from(self.sectors);
            let sector = ((bearing + width / 2.0).rem_euclid(TAU) / width) as usize % touched.len().max(1);
            if bearing.abs() <= view.quality.fov / 2.0
                && let Some(flag) = touched.get_mut(sector)
            {
                *flag = true;
            }
        }
        *reading = Reading::Contacts(touched);
    }
}
