//! CBBA, the consensus-based bundle algorithm of Choi, Brunet and How (2009): a market without an auctioneer.
//!
//! Every robot plans a bundle of pieces of work for itself (phase 1, `bundle.rs`), tells the others which it claims for
//! which bids, and gives up what another bids more for, with all that it planned after it (phase 2, `consensus.rs`).
//! Robots pass on what they have heard, so that the team agrees also when not everybody hears everybody.
//!
//! Readings, where the paper is silent because its tasks and robots do not change:
//!
//! - A piece of work is a task and a subject that one of the robot's behaviour sets could work on now. Exclusive tasks
//!   are bid for; shared tasks need no claim, and a robot without a bundle takes the cheapest. Only ways for one robot
//!   are used.
//! - The robot works on the first piece of its path. From then on that piece heads its bundle, nothing is put
//!   before it, and the bid for it only rises, to what the piece would be worth now: work that is under way
//!   does not change hands for a passing advantage.
//!   Nor is it for a robot that would only plan it for later: what another works on is bid for only by
//!   who could begin with it at once.
//! - When the piece in progress has come to an end, the rest of the path is planned anew from where the robot is; until
//!   then it is planned anew at the broadcast rate, for the piece in progress may take longer than expected.
//! - Stamps are given by the robot that speaks and compared only with other stamps of the same robot, so
//!   clocks need not agree. A stamp is the robot's clock or one more than its last, whichever is more: a clock that
//!   is set back does no harm, and a robot that hears of a later stamp of its own goes on from there. Silence
//!   is counted in the robot's own ticks.
//! - Pieces of a robot of which nothing new was heard for `time-allowed-till-ceased` are free again.
//! - A piece that is done leaves the ledger of whoever knows it, so that it can be bid for when it is due again.
//! - A robot that gets nowhere gives the piece up and leaves it to others for a while (`progress.rs`).

mod bidder;
mod bundle;
mod consensus;
mod explain;
mod hear;
mod ledger;
mod params;
mod progress;
mod speak;
mod talk;

pub use consensus::{Action, Claim, action};
pub use params::CbbaParams;

use crate::{Boot, Missing, Plugin};
use bidder::Bidder;
use crewlab_onboard::{Choice, Coordinator, Gauge, Message, Output, Situation, Skills};
use serde::{Deserialize, Serialize};

/// CBBA on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cbba(Box<Bidder>);

impl Plugin for Cbba {
    const SUMMARY: &'static str = "robots bid for bundles of tasks and agree on the winners by consensus (CBBA); only tasks for one robot";
    const GAUGE: &'static str = "bid";
    type Params = CbbaParams;

    fn boot(params: &CbbaParams, boot: &Boot) -> Result<Cbba, Vec<Missing>> {
        Ok(Cbba(Box::new(Bidder::new(params, boot.me))))
    }
}

impl Coordinator for Cbba {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        self.0.decide(situation, skills, inbox, out)
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        self.0.gauges(out);
    }
}

#[cfg(test)]
mod tests;
