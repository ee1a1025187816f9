//! BITE's parameters, as in the scenario under `team.bite`.

use super::plan::PlanSpec;
use super::teamwork::Pace;
use crate::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of BITE.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct BiteParams {
    /// The plan: behaviour graph, organisation, protocols.
    #[serde(flatten)]
    pub plan: PlanSpec,
    /// Rate at which a robot tells that it is there and what it has ended.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub status_rate: f64,
    /// Silence after which a team-mate counts as gone. A robot that hears less than half of its team for this long stops.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub silence: f64,
    /// Time until something that was not answered is said again.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub retry: f64,
    /// How long bids for work are waited for, where work is allocated again and again.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub collect: f64,
    /// How long the operator's answer is waited for.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub answer: f64,
    /// Period at which a behaviour that lacks an effector tries again, and behaviours that need the same one take turns.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub standby: f64,
    /// How long a robot keeps work at which it makes no progress, before it leaves it to others.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub patience: f64,
    /// How long a robot leaves alone what it has failed at or made no progress with; twice as long each time.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub aversion: f64,
}

impl Default for BiteParams {
    fn default() -> Self {
        BiteParams {
            plan: PlanSpec::default(),
            status_rate: 2.0,
            silence: 5.0,
            retry: 0.3,
            collect: 0.5,
            answer: 10.0,
            standby: 0.128,
            patience: 120.0,
            aversion: 60.0,
        }
    }
}

/// What a robot keeps of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Habits {
    /// The engine's spans of time.
    pub pace: Pace,
    /// [`BiteParams::standby`]. [s]
    pub standby: f64,
    /// [`BiteParams::patience`]. [s]
    pub patience: f64,
    /// [`BiteParams::aversion`]. [s]
    pub aversion: f64,
}

impl BiteParams {
    /// A warning if robots count as gone before they have had two chances to say that they are there.
    pub(super) fn hasty(&self) -> Option<Finding> {
        let least = 2.0 / self.status_rate;
        let message = format!(
            "robots tell {} times per second that they are there, so one lost message may count as a lost robot; found {} s, at least {least} s are safe",
            self.status_rate, self.silence
        );
        (self.silence < least).then(|| Finding::warning(message).at("silence"))
    }

    /// What a robot keeps of them.
    pub(super) fn habits(&self) -> Habits {
        let pace = Pace {
            status: 1.0 / self.status_rate,
            silence: self.silence,
            retry: self.retry,
            collect: self.collect,
            answer: self.answer,
        };
        Habits { pace, standby: self.standby, patience: self.patience, aversion: self.aversion }
    }
}
