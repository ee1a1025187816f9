//! Reports the progress of the mission to spectators: starts a state of an area for a while, such as a lit sign.

use super::{Effector, Grasp};
use crate::quality::Quality;
use crate::world::WorldEvent;
use crewlab_onboard::{Action, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Parameters of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Report {
    /// The kind of areas at which it reports.
    pub at: String,
    /// The state that it starts there.
    pub state: String,
    /// The aspect of the area that counts how often it was brought about, if the area has it.
    pub counter: String,
    /// How long the state lasts.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub lasts: f64,
}

impl Default for Report {
    fn default() -> Self {
        Report { at: "report-site".into(), state: "lit".into(), counter: "reports".into(), lasts: 5.0 }
    }
}

impl Effector for Report {
    const SUMMARY: &'static str =
        "starts a state (`state`: lit) of an area within reach (`at`: report-site) for a while";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.2, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let mut near = grasp.areas_in_reach();
        let Some(site) = near.find(|&index| *grasp.world.areas[index].kind == *self.at) else { return };
        drop(near);
        let (body, until) = (grasp.me, Time::from_seconds(grasp.now.seconds() + self.lasts));
        let properties = &mut grasp.world.areas[site].properties;
        properties.states.set(&self.state, Some(body), Some(until));
        if let Some(count) = properties.value_mut(&self.counter) {
            *count += 1.0;
        }
        grasp.events.push(WorldEvent::StateSet {
            body,
            area: site as u32,
            state: self.state.as_str().into(),
        });
    }
}
