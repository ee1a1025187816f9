//! Stressors, which `crewlab break` tries: each kind of disturbance lists in which ways it can affect a scenario, how severe that is,
//! and in which steps it becomes milder.

mod spot;

pub use spot::{CRATE, Spot, spots};

use super::KINDS;
use crate::model::{Member, Model};
use crate::state::State;
use serde_json::Value;

/// Levels, usually in per cent, the mildest first.
const LEVELS: [u32; 19] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95];

/// One way in which a kind of disturbance can affect a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Stressor {
    /// The kind of disturbance.
    pub kind: &'static str,
    /// The kind's index in the registry.
    pub place: usize,
    /// The variant of its kind: a fault, or the name of a device.
    pub variant: String,
    /// Its target.
    pub whom: Whom,
    /// Its severity for one robot, or for all in a place: from 1 (worse at something) to 6 (lost).
    pub severity: u32,
    /// Its levels, from the mildest to the worst; a single one if it has no levels.
    pub rungs: Vec<Rung>,
    /// Its initial duration; `None` for good. [s]
    pub lasts: Option<f64>,
}

/// A level of a stressor.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The level: a share in per cent, decibels, centimetres or a number of items. `None` if there are no levels.
    pub level: Option<u32>,
    /// The value of the kind's key in a scenario's `disturbances`.
    pub entry: Value,
    /// A description without the time: `blue is walled in`.
    pub words: String,
}

impl Stressor {
    /// A stressor without levels.
    pub fn new(variant: &str, severity: u32, whom: Whom, entry: Value, words: String) -> Stressor {
        let rungs = vec![Rung { level: None, entry, words }];
        Stressor { kind: "", place: 0, variant: variant.into(), whom, severity, rungs, lasts: None }
    }

    /// A stressor with levels: `rung` makes the entry and the description of a level.
    pub fn graded(
        variant: &str,
        severity: u32,
        whom: Whom,
        levels: impl IntoIterator<Item = u32>,
        rung: impl Fn(u32) -> (Value, String),
    ) -> Stressor {
        let degree = |level| {
            let (entry, words) = rung(level);
            Rung { level: Some(level), entry, words }
        };
        let rungs = levels.into_iter().map(degree).collect();
        Stressor { kind: "", place: 0, variant: variant.into(), whom, severity, rungs, lasts: None }
    }

    /// The same with this initial duration.
    pub fn lasting(self, lasts: Option<f64>) -> Stressor {
        Stressor { lasts, ..self }
    }
}

/// The usual levels, up to the worst.
pub(super) fn up_to(worst: u32) -> impl Iterator<Item = u32> {
    LEVELS.into_iter().take_while(move |level| *level <= worst)
}

/// A level as a share: `90 %`.
pub(super) fn percent(level: u32) -> String {
    format!("{level} %")
}

/// The target of a stressor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whom {
    /// One robot.
    Robot(String),
    /// All robots of a team of this size.
    All(usize),
    /// Every robot that comes to a place.
    Place(Spot),
    /// Items of a kind: those in an area, or all.
    Items {
        /// Their kind.
        kind: String,
        /// The area they lie in.
        area: Option<String>,
    },
}

impl Whom {
    /// Number of robots; a place or items count as one.
    pub fn count(&self) -> usize {
        match self {
            Whom::All(count) => *count,
            _ => 1,
        }
    }

    /// The robot's name, as disturbances expect it.
    pub(super) fn robot(&self) -> &str {
        match self {
            Whom::Robot(name) => name,
            _ => "all",
        }
    }

    /// A description: `blue`.
    pub(super) fn words(&self) -> String {
        match self {
            Whom::Robot(name) => name.clone(),
            Whom::All(_) => "every robot".into(),
            Whom::Place(spot) => spot.words(),
            Whom::Items { kind, area: None } => kind.clone(),
            Whom::Items { kind, area: Some(area) } => format!("{kind} of {area}"),
        }
    }
}

/// A scenario at its start, as stressors see it.
pub struct Ground<'a> {
    /// The robots that are considered; only some of a large team.
    pub robots: Vec<&'a Member>,
    /// Number of robots present.
    pub team: usize,
    /// Places where something can be put, the middle of the floor first.
    pub spots: Vec<Spot>,
    /// Duration of temporary stressors: removed items, and obstacles where the mission may need the place. `None` if there is no time
    /// for them. [s]
    pub end: Option<f64>,
    /// The state at the start.
    pub state: &'a State,
    /// True if robots were left out because the team is large.
    pub thinned: bool,
}

impl<'a> Ground<'a> {
    /// A scenario at its start, with at most this many of its robots.
    pub fn new((model, state): (&'a Model, &'a State), most_robots: usize, end: Option<f64>) -> Ground<'a> {
        let bodies = model.team.iter().zip(&state.world.bodies);
        let there: Vec<&Member> = bodies.filter(|(_, body)| body.present).map(|(member, _)| member).collect();
        let every = there.len().div_ceil(most_robots).max(1);
        Ground {
            robots: there.iter().step_by(every).copied().collect(),
            team: there.len(),
            spots: spots(model, state),
            end,
            state,
            thinned: every > 1,
        }
    }

    /// Each robot that is considered, as a target.
    pub(super) fn each(&self) -> impl Iterator<Item = (&'a Member, Whom)> + '_ {
        self.robots.iter().map(|member| (*member, Whom::Robot(member.identity.name.clone())))
    }

    /// Each robot, for stressors without an effect on a robot that is alone.
    pub(super) fn each_in_company(&self) -> impl Iterator<Item = Whom> + '_ {
        self.each().filter(|_| self.team > 1).map(|(_, whom)| whom)
    }

    /// The whole team, if there are several robots.
    pub(super) fn everybody(&self) -> Option<Whom> {
        (self.team > 1).then_some(Whom::All(self.team))
    }

    /// True if robots use a radio with a signal that noise can affect.
    pub(super) fn can_be_drowned(&self) -> bool {
        self.state.radio.as_physical().is_some() && self.team > 1
    }
}

/// All stressors of a scenario, with the index of their kind in the registry.
pub fn stressors(ground: &Ground) -> Vec<Stressor> {
    let of_kind = |(place, kind): (usize, &super::DisturbanceKind)| {
        let named = |stressor| Stressor { kind: kind.name, place, ..stressor };
        (kind.stressors)(ground).into_iter().map(named).collect::<Vec<_>>()
    };
    KINDS.iter().enumerate().flat_map(of_kind).collect()
}
