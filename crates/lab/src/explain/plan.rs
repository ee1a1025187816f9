//! Why a robot goes where it goes: what its plan costs, next to the cheapest other trajectory that it has considered.

use super::again::Again;
use super::{ExplainError, time_label};
use crewlab_sim::skills::Considered;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// A query about a robot's plan.
#[derive(Clone, Debug)]
pub struct PlanQuestion {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The robot.
    pub robot: String,
    /// When. [s]
    pub at: f64,
}

/// The explanation of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanAnswer {
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// The robot.
    pub robot: String,
    /// When. [s]
    pub at_s: f64,
    /// Where it was. [m]
    pub place_m: [f64; 2],
    /// The plan, then the cheapest trajectory that leads elsewhere; empty if the robot does not plan by costs.
    pub considered: Vec<Considered>,
    /// Reasons to doubt that the repeated run is the same.
    pub warnings: Vec<String>,
}

/// Explains a robot's plan at one moment of a run.
pub fn plan(question: &PlanQuestion) -> Result<PlanAnswer, ExplainError> {
    let mut again = Again::prepare(&question.folder)?;
    let robot = again.robot(&question.robot)?;
    again.go(question.at)?;
    let (state, model) = (&again.simulation.state, &again.simulation.model);
    let place = state.world.bodies[robot].pose.position;
    Ok(PlanAnswer {
        scenario: again.scenario.clone(),
        seed: model.seed,
        robot: question.robot.clone(),
        at_s: question.at,
        place_m: [place.x, place.y],
        considered: state.considered(model, robot),
        warnings: again.warnings,
    })
}

impl PlanAnswer {
    /// The explanation as text.
    pub fn readable(&self) -> String {
        let mut text = String::new();
        let [x, y] = self.place_m;
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{} after {} of {} (seed {}), at [{x:.1} m, {y:.1} m]\n",
            self.robot,
            time_label(self.at_s),
            self.scenario,
            self.seed
        );
        let Some(plan) = self.considered.first() else {
            text += "  It has no plan that costs could explain: it does not run, or its controller or mission does not plan by costs.\n";
            return text;
        };
        let other = self.considered.get(1);
        let ends =
            |considered: &Considered| format!("to [{:.0} m, {:.0} m]", considered.end[0], considered.end[1]);
        let _ = writeln!(
            text,
            "  {:<28} {:>20} {:>20}",
            "cost of",
            ends(plan),
            other.map_or("no other way".into(), ends)
        );
        let of = |considered: &Considered, purpose: &str| {
            considered.shares.iter().find(|(known, _)| *known == purpose).map_or(0.0, |(_, cost)| *cost)
        };
        for (purpose, cost) in &plan.shares {
            let against = other.map_or(String::new(), |other| format!("{:.1}", of(other, purpose)));
            let _ = writeln!(text, "  {purpose:<28} {cost:>20.1} {against:>20}");
        }
        let total = other.map_or(String::new(), |other| format!("{:.1}", other.total));
        let _ = writeln!(text, "  {:<28} {:>20.1} {total:>20}", "all together", plan.total);
        text
    }
}
