//! Tells the people who watch how far the mission is: the report site shows a sign for a while.

use super::{Effector, Grasp};
use crate::area::AreaState;
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
    /// How long the sign stays lit.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub lit: f64,
}

impl Default for Report {
    fn default() -> Self {
        Report { lit: 5.0 }
    }
}

impl Effector for Report {
    const SUMMARY: &'static str = "lights the sign of the report site within reach";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(0.2, TAU)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        if action != Action::Work {
            return;
        }
        let body = &grasp.world.bodies[grasp.me];
        let (position, reach) = (body.pose.position, body.radius + grasp.quality.range);
        let site = grasp.world.areas.iter().position(|area| {
            area.present
                && &*area.kind == "report-site"
                && area.outline.distance(position) <= reach
                && grasp.in_view(&area.outline)
        });
        if let Some(site) = site {
            let area = &mut grasp.world.areas[site];
            area.state = AreaState::Lit { until: Time::from_seconds(grasp.now.seconds() + self.lit) };
            area.reports += 1;
            grasp.events.push(WorldEvent::Reported { body: grasp.body_id(), area: site as u32 });
        }
    }
}
