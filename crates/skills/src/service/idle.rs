//! An idle service robot: it makes way, and puts down cups that others may need.

use super::knowledge::Knowledge;
use super::passage::Aside;
use crewlab_onboard::{Action, Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// How long a robot keeps a cup that is wanted, and one that is not wanted. [s]
const KEEP: (f64, f64) = (15.0, 3.0);
/// It is at home within this distance. [m]
const HOME: f64 = 0.4;

/// The memory of an idle robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Idle {
    since: Option<Time>,
    /// Where it has made way.
    aside: Option<Aside>,
}

impl Idle {
    /// Puts down the cup in its gripper after a while, makes way for a team-mate that does not get through, and drives to its
    /// waiting place.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        if self.since.is_none() {
            known.navigator.set_out();
        }
        let since = *self.since.get_or_insert(situation.now);
        if let (Some(held), Some(gripper)) = (known.held, known.gripper) {
            let drink = known.cup(held).map(|cup| cup.drink);
            let wanted =
                known.guests.iter().any(|g| g.here && !g.served && g.drink.is_some() && g.drink == drink);
            let patience = if wanted { KEEP.0 } else { KEEP.1 };
            let command = Command::stop();
            let over = situation.now.since(since) > patience;
            return if over { command.with(gripper, Action::Release) } else { command };
        }
        self.aside = self.aside.or_else(|| Aside::of(known, situation));
        if let Some(command) = self.aside.and_then(|aside| aside.act(known, situation, out)) {
            return command;
        }
        self.aside = None;
        let home = known.briefing.room.home(known.me);
        match (home, known.navigator.pose(situation)) {
            (Some(home), Some(pose)) if pose.position.distance(home) > HOME => {
                known.navigator.go_to(home, situation, out)
            }
            _ => Command::stop(),
        }
    }
}
