//! What was stuck when a run ended, and why its mission was not completed.

use super::summary::rounded;
use crewlab_sim::Simulation;
use crewlab_sim::onboard::EventKind;
use crewlab_sim::stuck::StuckCase;
use serde::{Deserialize, Serialize};

/// Who or what was stuck when a run ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StuckSummary {
    /// The robot; `None` for a thing, a task or the mission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<String>,
    /// How: `circling`, `blocked`, `waiting`, `walled-in`, ...
    pub plight: &'static str,
    /// The task concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The area where it is, the object in the way, or the thing that is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
    /// Where. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_m: Option<[f64; 2]>,
    /// Since when. [s]
    pub since_s: f64,
    /// All of this in a sentence.
    pub words: String,
}

impl StuckSummary {
    fn new(case: &StuckCase, simulation: &Simulation) -> StuckSummary {
        let model = &simulation.model;
        let robot = case.robot().map(|robot| model.robot_name(robot).to_string());
        let sentence = case.told(EventKind::Stuck, simulation.now()).sentence(&**model);
        StuckSummary {
            words: robot.as_ref().map_or(sentence.clone(), |robot| format!("{robot} {sentence}")),
            robot,
            plight: case.plight.name(),
            task: case.task.map(|task| model.task_name(task).to_string()),
            thing: case.thing.clone(),
            place_m: case.place.map(|place| [rounded(place.x), rounded(place.y)]),
            since_s: rounded(case.since.seconds()),
        }
    }

    /// Everything that is stuck now.
    pub(super) fn all(simulation: &Simulation) -> Vec<StuckSummary> {
        simulation.state.stuck.cases().iter().map(|case| StuckSummary::new(case, simulation)).collect()
    }
}

/// Why a mission was not completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    /// The cause: how something was stuck, `too-short`, `team-lost`, `nobody-able`, `out-of-reach`, `hindered`, `cannot-move`, `kept` or `goal-missed`.
    pub cause: String,
    /// True if physics or the design of the run explains it: no team could have done better.
    pub explained: bool,
    /// What runs with the same cause have in common.
    pub label: String,
    /// The cause in a sentence.
    pub words: String,
}

impl Incomplete {
    /// The cause; `None` if the mission is completed, or has nothing to complete.
    pub(super) fn of(simulation: &Simulation) -> Option<Incomplete> {
        let why = simulation.why_incomplete()?;
        Some(Incomplete {
            cause: why.name().into(),
            explained: why.explained(),
            label: why.label(&simulation.model),
            words: why.sentence(&simulation.model, &simulation.state),
        })
    }
}
