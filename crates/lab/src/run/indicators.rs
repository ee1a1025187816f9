//! The numbers that on-board software gives about how its work goes: those of the mission, then those of the coordinator.

use crewlab_sim::onboard::IndicatorSpec;
use crewlab_sim::{Robot, Simulation, teams};

/// All indicators with the name of the mission or of the coordinator that gives them.
pub(super) fn sources(simulation: &Simulation) -> Vec<(&str, &'static IndicatorSpec)> {
    let coordinator = simulation.state.coordinator(&simulation.model);
    let own = teams::kind(coordinator).map_or(&[][..], |kind| kind.indicators);
    let mission = &simulation.model.mission;
    let missions = mission.indicators().iter().map(|spec| (mission.name(), spec));
    missions.chain(own.iter().map(|spec| (coordinator, spec))).collect()
}

/// The values on a robot, in the same order.
pub(super) fn values(simulation: &Simulation, robot: &Robot) -> Vec<Option<f64>> {
    let mission = simulation.model.mission.indicators();
    let mut values = robot.software.skills().indicators(simulation.now());
    values.resize(mission.len(), None);
    values.extend(robot.software.coordinator.indicators(simulation.now()));
    values
}
