//! Diffusion: robots wander and avoid each other. The workload of `crewlab bench world`; it never ends.

use crate::{Air, Better, MeasureSpec, Mission, Shipped, Verdict};
use crewlab_onboard::{BehaviourSpec, Stream, TaskSpec, Vec2};
use crewlab_skills::diffusion::{self, DiffusionBriefing};
use crewlab_world::World;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[Shipped {
    name: "diffusion",
    summary: "a hundred robots wander among boxes and avoid each other",
    text: include_str!("diffusion.yaml"),
}];

/// Parameters of diffusion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Diffusion {
    /// Speed of a driving wheel.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/s"))]
    pub wheel_speed: f64,
    /// Distance between the wheels.
    #[schemars(range(min = 0.001), extend("x-unit" = "m"))]
    pub wheel_base: f64,
    /// Every robot broadcasts a short message in every tick.
    pub broadcast: bool,
}

impl Default for Diffusion {
    fn default() -> Self {
        Diffusion { wheel_speed: 0.05, wheel_base: 0.14, broadcast: false }
    }
}

impl Mission for Diffusion {
    const SUMMARY: &'static str = "robots wander and avoid each other; the workload of `crewlab bench world`";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const ENDLESS: bool = true;
    const CONTROLLED: bool = false;
    const MEASURES: &'static [MeasureSpec] = &[MeasureSpec {
        name: "spread_m",
        title: "spread",
        unit: "m",
        summary: "root mean square distance of the robots from their centre",
        better: Better::More,
    }];
    type Briefing = DiffusionBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        vec![
            TaskSpec::new("diffuse", "wander and avoid each other; all robots at once, without an end")
                .shared(),
        ]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        diffusion::sets()
    }

    fn furnish(
        &self,
        _world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
    }

    fn brief(&self, _world: &World) -> DiffusionBriefing {
        DiffusionBriefing {
            wheel_speed: self.wheel_speed,
            wheel_base: self.wheel_base,
            broadcast: self.broadcast,
        }
    }

    fn judge(&self, _world: &World, _open: &[bool]) -> Verdict {
        Verdict::default()
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let places = || world.bodies.iter().filter(|body| body.present).map(|body| body.pose.position);
        let count = places().count() as f64;
        let center = places().fold(Vec2::ZERO, |sum, at| sum + at) * (1.0 / count);
        let square = places().map(|at| at.distance(center) * at.distance(center)).sum::<f64>() / count;
        vec![(count > 0.0).then(|| square.sqrt())]
    }
}
