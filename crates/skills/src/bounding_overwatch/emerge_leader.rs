//! emerge-leader: a team without a leader gets one. The first at the gathering point becomes leader; when the leader is lost, the
//! robot that becomes motivated first.

use super::knowledge::Knowledge;
use crewlab_onboard::{Behaviour, Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// Time before a claim counts, so that the fixed priority can settle simultaneous claims. [s]
const CLAIM: f64 = 0.5;

/// Becomes its team's leader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmergeLeader {
    /// When the claim was made.
    since: Time,
}

impl Behaviour<Knowledge> for EmergeLeader {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        known.joined && known.leader(situation).is_none() && known.may_lead(situation.now)
    }

    fn cost(&self, _known: &Knowledge, _situation: &Situation) -> f64 {
        CLAIM
    }

    fn start(&mut self, _known: &Knowledge, situation: &Situation) {
        self.since = situation.now;
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        if situation.now.since(self.since) >= CLAIM {
            known.take_lead(situation, out);
        }
        Command::stop()
    }
}
