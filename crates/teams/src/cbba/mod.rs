//! CBBA, the consensus-based bundle algorithm of Choi, Brunet and How (2009): a market without an auctioneer.
//!
//! Every robot plans a bundle of pieces of work (phase 1, `bundle.rs`), tells the others its claims and bids, and releases a
//! piece when another bids more, together with everything that it planned after it (phase 2, `consensus.rs`). Robots pass on
//! what they have heard, so the team agrees even when not everybody hears everybody.
//!
//! Interpretations where the paper is silent because its tasks and robots do not change:
//!
//! - A piece of work is a task and a subject that one of the robot's behaviour sets could work on now. Exclusive tasks
//!   are bid for; shared tasks need no claim, and a robot without a bundle takes the cheapest. Only ways for one robot
//!   are used.
//! - The robot works on the first piece of its path. From then on that piece heads its bundle, nothing is put before it, and the
//!   bid for it only rises, to the current value of the piece: work in progress does not change hands for a passing advantage.
//!   Nor does it pass to a robot that would only plan it for later: only robots that could start at once bid for work in
//!   progress.
//! - When the piece in progress has ended, the rest of the path is replanned from where the robot is; until then it is replanned
//!   at the broadcast rate, because the piece in progress may take longer than expected.
//! - Stamps are given by the sender and compared only with other stamps of the same robot, so clocks need not agree. A stamp is
//!   the maximum of the robot's clock and its last stamp plus one: setting a clock back does no harm, and a robot that hears of a
//!   later stamp of its own continues from there. Silence is counted in the robot's own ticks.
//! - Pieces of a robot without news for `time-allowed-till-ceased` are free again.
//! - A piece that is done leaves the ledger of whoever knows it, so that it can be bid for when it is due again.
//! - A robot that makes no progress gives the piece up and leaves it to others for a while (`../progress.rs`).

mod bidder;
mod bundle;
mod consensus;
mod explain;
mod hear;
mod ledger;
mod params;
mod speak;
mod talk;

pub use consensus::{Action, Claim, action};
pub use params::CbbaParams;

use crate::{Boot, GaugeWords, IndicatorSpec, Missing, Plugin};
use bidder::Bidder;
use crewlab_onboard::{Choice, Coordinator, Gauge, Message, Output, Situation, Skills, Time};
use serde::{Deserialize, Serialize};

/// CBBA on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cbba(Box<Bidder>);

impl Plugin for Cbba {
    const SUMMARY: &'static str = "robots bid for bundles of tasks and agree on the winners by consensus (CBBA); only tasks for one robot";
    const GAUGE: GaugeWords = GaugeWords {
        name: "bid",
        plural: "bids",
        unit: "",
        meaning: "What each robot last bid for a task: the reward that it expects of doing it.",
    };
    const INDICATORS: &'static [IndicatorSpec] = &[
        IndicatorSpec {
            name: "bundle",
            title: "bundle size",
            unit: "",
            summary: "pieces of work that a robot plans to do, the one in progress included",
        },
        IndicatorSpec {
            name: "claims",
            title: "known claims",
            unit: "",
            summary: "pieces of work of which a robot believes to know the winner; robots that disagree have not heard each other",
        },
    ];
    type Params = CbbaParams;

    fn boot(params: &CbbaParams, boot: &Boot) -> Result<Cbba, Vec<Missing>> {
        Ok(Cbba(Box::new(Bidder::new(params, boot.me))))
    }

    fn indicators(&self, _now: Time) -> Vec<Option<f64>> {
        let (planned, known) = (self.0.bundle.entries().len(), self.0.ledger.claims().len());
        vec![Some(planned as f64), Some(known as f64)]
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
