//! Traffic: robots cross each other's way for ever. Its scenes are those of navground, a library of local controllers (Guzzi 2023), with ends
//! where the robots turn round instead of a world without ends. There is nothing to complete: measures tell how well they get
//! on.

use crate::{Air, Better, MeasureSpec, Mission, SHARE, Shipped, Verdict};
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, Leg, Shuttle, Stream, TaskSpec};
use crewlab_skills::traffic::{self, TrafficBriefing};
use crewlab_world::{Bounds, Traffic as Measured, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "traffic",
        summary: "twenty robots to and fro in four directions all over a square, by reciprocal avoidance",
        text: include_str!("scenarios/traffic.yaml"),
    },
    Shipped {
        name: "traffic-cross",
        summary: "twenty robots to and fro between four points, so that all meet in the middle",
        text: include_str!("scenarios/traffic-cross.yaml"),
    },
    Shipped {
        name: "traffic-corridor",
        summary: "twenty robots in both directions through a corridor",
        text: include_str!("scenarios/traffic-corridor.yaml"),
    },
    Shipped {
        name: "traffic-lane",
        summary: "two robots meet in a corridor where only one fits: a deadlock, until one backs out",
        text: include_str!("scenarios/traffic-lane.yaml"),
    },
];

/// Where the robots go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// In the four directions of the compass, each wherever it is, and back at the border (navground's CrossTorus).
    #[default]
    Crossing,
    /// Between the middles of opposite sides, half of the robots north and south (navground's Cross).
    Cross,
    /// East and west, and back at the border (navground's Corridor).
    Corridor,
}

/// Parameters of traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Traffic {
    /// Where the robots go: `crossing`, `cross` or `corridor`.
    pub pattern: Pattern,
    /// How near to a goal, or to the border, robots turn round.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub near: f64,
}

impl Default for Traffic {
    fn default() -> Self {
        Traffic { pattern: Pattern::Crossing, near: 0.5 }
    }
}

impl Traffic {
    /// The way of the robot with this number.
    fn shuttle(&self, number: usize, bounds: &Bounds) -> Shuttle {
        let directions = [vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)];
        let step = if self.pattern == Pattern::Corridor { 2 } else { 1 };
        let first = directions[step * number % 4];
        Shuttle::new([self.leg(first, bounds), self.leg(-first, bounds)])
    }

    fn leg(&self, along: Vec2, bounds: &Bounds) -> Leg {
        let middle = (bounds.min + bounds.max) * 0.5;
        let half = bounds.size() * 0.5;
        let side = middle + vec2(along.x * half.x, along.y * half.y);
        match self.pattern {
            Pattern::Cross => Leg::Point { at: side, within: self.near },
            Pattern::Crossing | Pattern::Corridor => Leg::Line { along, until: side.dot(along) - self.near },
        }
    }
}

impl Mission for Traffic {
    const SUMMARY: &'static str =
        "robots cross each other's way for ever; the workload of `crewlab bench traffic`";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const ENDLESS: bool = true;
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "efficacy",
            title: "efficacy",
            unit: SHARE,
            summary: "mean speed towards the goal so far, as a share of the top speed",
            better: Better::More,
        },
        MeasureSpec {
            name: "arrivals",
            title: "goals reached",
            unit: "",
            summary: "how often a robot has reached its goal and turned round",
            better: Better::More,
        },
        MeasureSpec {
            name: "contacts",
            title: "contacts",
            unit: "",
            summary: "how often robots have touched something",
            better: Better::Less,
        },
    ];
    type Briefing = TrafficBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        vec![TaskSpec::new("travel", "go to and fro; all robots at once, without an end").shared()]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        traffic::sets()
    }

    fn furnish(
        &self,
        world: &mut World,
        team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let bounds = world.bounds;
        world.traffic = Some(Measured::new((0..team).map(|n| self.shuttle(n, &bounds)).collect()));
    }

    fn brief(&self, world: &World) -> TrafficBriefing {
        let team = world.bodies.len();
        TrafficBriefing { shuttles: (0..team).map(|n| self.shuttle(n, &world.bounds)).collect() }
    }

    fn judge(&self, _world: &World, _open: &[bool]) -> Verdict {
        Verdict::default()
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let traffic = world.traffic.as_ref();
        vec![
            traffic.and_then(Measured::efficacy),
            traffic.map(|traffic| traffic.arrivals() as f64),
            Some(world.collisions() as f64),
        ]
    }
}
