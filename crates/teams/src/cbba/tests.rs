//! Tests of CBBA. The paper's theorems are in `auctions`, where nobody works; robots that work are in `work`; silence, damage and
//! clock faults in `faults`.

mod auctions;
mod faults;
mod work;

use super::{Cbba, CbbaParams};
use crate::{Boot, Plugin, team};
use crewlab_onboard::{RobotId, TaskSpec};
use team::{Team, identity, tasks};

/// The tick in these tests. [s]
const TICK: f64 = 0.5;

/// A team with these costs per robot and exclusive task; every robot can do them all. [s]
fn team_of(params: &CbbaParams, costs: &[&[f64]]) -> Team<Cbba> {
    team_on(params, tasks(&vec![true; costs[0].len()]), costs)
}

fn team_on(params: &CbbaParams, tasks: Vec<TaskSpec>, costs: &[&[f64]]) -> Team<Cbba> {
    let all: Vec<u16> = (0..tasks.len() as u16).collect();
    let robot = |number: usize| {
        let me = identity(number as u16, 0, &all);
        let boot = Boot { me: &me, tasks: &tasks, roster: &[], signals: &[], restarted: false, reserve: &[] };
        let cbba = Cbba::boot(params, &boot).expect("boots");
        (me, cbba)
    };
    let robots = (0..costs.len()).map(robot).collect();
    let mut team = Team::new(TICK, tasks.clone(), robots);
    for (robot, costs) in team.robots.iter_mut().zip(costs) {
        robot.software.performer.cost = costs.to_vec();
    }
    team
}

/// What every robot works on.
fn active<C: crewlab_onboard::Coordinator>(team: &Team<C>) -> Vec<Option<usize>> {
    team.robots.iter().map(|robot| robot.active()).collect()
}

/// The holder of each task, as one robot believes.
fn winners(cbba: &Cbba) -> Vec<(u16, RobotId)> {
    cbba.0.ledger.claims().iter().map(|(piece, claim)| (piece.task.0, claim.winner)).collect()
}

/// How often an event of this kind happened to a robot.
fn count(team: &Team<Cbba>, robot: usize, kind: &str) -> usize {
    team.robots[robot].kinds().iter().filter(|(_, found)| *found == kind).count()
}
