//! What a team's coordinator guarantees, checked before a run.

use crewlab_scenario::Scenario;
use crewlab_sim::Member;
use crewlab_sim::teams::{self, Boot, Guarantee};

/// What the scenario's coordinator guarantees for its team.
pub fn guarantee<'a>(scenario: &'a Scenario) -> Guarantee {
    let (model, _) = &scenario.start;
    let boot = |member: &'a Member| Boot {
        me: &member.identity,
        tasks: &model.tasks,
        roster: &model.roster,
        signals: model.mission.signals(),
        restarted: false,
        reserve: &model.reserve,
    };
    let team: Vec<Boot> = model.team.iter().map(boot).collect();
    let kind = teams::kind(&scenario.setup.coordinator);
    kind.map_or_else(Guarantee::default, |kind| (kind.guarantee)(&scenario.setup.parameters, &team))
}
