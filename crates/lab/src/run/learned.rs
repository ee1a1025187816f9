//! What a team remembers of a run: `learned.json`.

use crewlab_sim::Simulation;
use crewlab_sim::teams::{Boot, Memories};
use std::collections::BTreeMap;

/// The robots' memories at this point; `None` if nobody learns.
pub fn memories(simulation: &Simulation, mission: &str) -> Option<Memories> {
    let model = &simulation.model;
    let mut robots = BTreeMap::new();
    for (member, robot) in model.team.iter().zip(&simulation.state.robots) {
        let boot = Boot {
            me: &member.identity,
            tasks: &model.tasks,
            roster: &model.roster,
            signals: model.mission.signals(),
            restarted: false,
            reserve: &model.reserve,
        };
        if let Some(memory) = robot.software.coordinator.memory(&boot, simulation.now()) {
            robots.insert(member.identity.name.clone(), memory);
        }
    }
    (!robots.is_empty()).then(|| Memories::new(mission, robots))
}
