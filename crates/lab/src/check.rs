//! ALLIANCE's guarantee: a mission gets completed if motivations grow strictly, the threshold is finite and every task has a
//! capable robot. (The run itself checks that robots make progress while active.)

use crewlab_scenario::Scenario;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::teams::Boot;

/// The findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Conditions that hold.
    pub kept: Vec<String>,
    /// Conditions that do not hold.
    pub breaches: Vec<String>,
}

/// Checks what can be checked before a run.
pub fn guarantee(scenario: &Scenario) -> Findings {
    let mut findings = Findings::default();
    let (model, _) = &scenario.start;
    if scenario.setup.coordinator == "alliance" {
        motivations(scenario, model, &mut findings);
    }
    findings
}

fn motivations(scenario: &Scenario, model: &crewlab_sim::Model, findings: &mut Findings) {
    let roster: Vec<(String, RobotId)> =
        model.team.iter().map(|m| (m.identity.name.clone(), m.identity.id)).collect();
    let before = findings.breaches.len();
    for member in &model.team {
        let boot = Boot { me: &member.identity, tasks: &model.tasks, roster: &roster };
        let Ok((threshold, sets)) = scenario.setup.parameters.alliance.settings(&boot) else { continue };
        if !threshold.is_finite() || threshold <= 0.0 {
            findings.breaches.push(format!("the threshold must be finite and above 0, found {threshold}"));
        }
        for (spec, set) in member.identity.behaviours.iter().zip(&sets) {
            let slow = set.toward.iter().map(|(_, toward)| toward).chain([&set.anyone]);
            let lowest = slow.map(|toward| toward.slow_impatience).fold(set.fast_impatience, f64::min);
            if lowest <= 0.0 {
                findings.breaches.push(format!(
                    "the motivation of {} for {} need not grow: its slowest impatience is {lowest} /s, it must be above 0",
                    member.identity.name, spec.name
                ));
            }
        }
    }
    if findings.breaches.len() == before {
        findings.kept.push("ALLIANCE's guarantee: finite threshold, motivations grow strictly, every task has a capable robot".into());
    }
}
