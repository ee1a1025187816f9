//! The learned values of a run: `learned.json`.

use crewlab_sim::Simulation;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::teams::alliance::learning::LearnedValues;
use crewlab_sim::teams::{AnyCoordinator, Boot};
use std::collections::BTreeMap;

/// The current learned values of the robots; `None` if nobody learns.
pub fn learned_values(simulation: &Simulation, mission: &str) -> Option<LearnedValues> {
    let model = &simulation.model;
    let roster: Vec<(String, RobotId)> =
        model.team.iter().map(|m| (m.identity.name.clone(), m.identity.id)).collect();
    let mut robots = BTreeMap::new();
    for (member, robot) in model.team.iter().zip(&simulation.state.robots) {
        let AnyCoordinator::Alliance(alliance) = &robot.software.coordinator else { continue };
        let boot = Boot { me: &member.identity, tasks: &model.tasks, roster: &roster };
        if let Some(learned) = alliance.learned(&boot, simulation.now()) {
            robots.insert(member.identity.name.clone(), learned);
        }
    }
    (!robots.is_empty()).then(|| LearnedValues::new(mission, robots))
}
