//! From sub-teams by name to an [`Organisation`].

use super::spec::SubTeamSpec;
use super::{Known, MOST_SUB_TEAMS};
use crate::Finding;
use crate::bite::organisation::{Organisation, SubTeam, SubTeamId};
use crewlab_onboard::RobotId;
use std::collections::BTreeMap;

/// The organisation; sub-teams that are wrong keep what is right of them.
pub(super) fn organise(
    spec: &BTreeMap<String, SubTeamSpec>,
    known: &Known,
    findings: &mut Vec<Finding>,
) -> Organisation {
    if spec.len() > MOST_SUB_TEAMS {
        let message = format!("at most {MOST_SUB_TEAMS} sub-teams are accepted, found {}", spec.len());
        findings.push(Finding::error(message).at("organisation"));
        return Organisation::default();
    }
    let mut teams = Vec::with_capacity(spec.len());
    for (name, team) in spec {
        let path = format!("organisation.{name}");
        if team.members.is_empty() {
            let message = format!("nobody belongs to the sub-team `{name}`: name its robots as `members`");
            findings.push(Finding::error(message).at(&path));
        }
        let members = members(team, &path, known, findings);
        let within = within(name, team, spec, &path, findings);
        teams.push(SubTeam { name: name.clone(), within, members });
    }
    let organisation = Organisation(teams);
    circles(&organisation, findings);
    strangers(spec, &organisation, known, findings);
    organisation
}

fn members(team: &SubTeamSpec, path: &str, known: &Known, findings: &mut Vec<Finding>) -> Vec<RobotId> {
    let mut members = Vec::with_capacity(team.members.len());
    for (place, robot) in team.members.iter().enumerate() {
        let path = format!("{path}.members.{place}");
        match known.robots.iter().position(|name| name == robot).map(RobotId::from_index) {
            Some(id) if members.contains(&id) => {
                findings.push(Finding::error(format!("`{robot}` is named twice")).at(path));
            }
            Some(id) => members.push(id),
            None => {
                let finding = Finding::error(format!("there is no robot `{robot}` in the team")).at(path);
                findings.push(finding.unknown(robot, known.robots.iter().copied()).listed());
            }
        }
    }
    members.sort_unstable();
    members
}

fn within(
    name: &str,
    team: &SubTeamSpec,
    spec: &BTreeMap<String, SubTeamSpec>,
    path: &str,
    findings: &mut Vec<Finding>,
) -> Vec<SubTeamId> {
    let mut within = Vec::with_capacity(team.within.len());
    for (place, larger) in team.within.iter().enumerate() {
        let path = format!("{path}.within.{place}");
        match spec.keys().position(|key| key == larger) {
            Some(_) if larger == name => {
                findings.push(Finding::error(format!("`{name}` cannot be a part of itself")).at(path));
            }
            Some(id) if within.contains(&SubTeamId(id as u16)) => {
                findings.push(Finding::error(format!("`{larger}` is named twice")).at(path));
            }
            Some(id) => within.push(SubTeamId(id as u16)),
            None => {
                let finding = Finding::error(format!("there is no sub-team `{larger}`")).at(path);
                findings.push(finding.unknown(larger, spec.keys().map(String::as_str)).listed());
            }
        }
    }
    within
}

/// Sub-teams that contain each other. Those that are left when all without an open container have been taken away are in a circle or
/// within one; the first of them tells enough.
fn circles(organisation: &Organisation, findings: &mut Vec<Finding>) {
    let teams = &organisation.0;
    let mut settled = vec![false; teams.len()];
    loop {
        let next = (0..teams.len()).find(|&team| {
            !settled[team] && teams[team].within.iter().all(|larger| settled[usize::from(larger.0)])
        });
        match next {
            Some(team) => settled[team] = true,
            None => break,
        }
    }
    let Some(start) = settled.iter().position(|settled| !settled) else { return };
    // Every team that is left has a container that is left: following them ends in the circle.
    let mut path = vec![start];
    loop {
        let last = &teams[path[path.len() - 1]];
        let Some(next) = last.within.iter().map(|id| usize::from(id.0)).find(|&id| !settled[id]) else {
            return;
        };
        if let Some(first) = path.iter().position(|&team| team == next) {
            path.drain(..first);
            path.push(next);
            break;
        }
        path.push(next);
    }
    let names: Vec<&str> = path.iter().map(|&team| teams[team].name.as_str()).collect();
    let message = format!("sub-teams cannot be parts of each other: {}", names.join(" within "));
    findings.push(Finding::error(message).at(format!("organisation.{}.within", names[0])));
}

/// A part of a sub-team has no robots that the sub-team does not have.
fn strangers(
    spec: &BTreeMap<String, SubTeamSpec>,
    organisation: &Organisation,
    known: &Known,
    findings: &mut Vec<Finding>,
) {
    for team in &organisation.0 {
        for larger in &team.within {
            let container = &organisation.0[usize::from(larger.0)];
            let strange = team.members.iter().filter(|robot| container.members.binary_search(robot).is_err());
            for robot in strange {
                let robot = known.robots.get(robot.index()).copied().unwrap_or_default();
                let place = spec[&team.name].members.iter().position(|name| name == robot).unwrap_or(0);
                let message = format!(
                    "`{robot}` does not belong to `{}`, which `{}` is a part of",
                    container.name, team.name
                );
                findings
                    .push(Finding::error(message).at(format!("organisation.{}.members.{place}", team.name)));
            }
        }
    }
}
