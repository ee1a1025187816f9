//! What a robot expects of its alternatives before it decides, and what became of it. Any bidder tells both as events; a run collects
//! them in estimates.csv.

use crate::event::{Event, EventKind, Reason};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What one estimator expects of one alternative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The alternative: a way, a behaviour set, a plan.
    pub alternative: Cow<'static, str>,
    /// The estimator's name.
    pub estimator: Cow<'static, str>,
    /// The share of outcomes that should not be worse, ς; `None` if the estimate is a mean.
    pub level: Option<f64>,
    /// The reward that it expects, ρ̂. `None` from a robot that decides without expecting anything.
    pub reward: Option<f64>,
    /// True if the robot took this alternative.
    pub chosen: bool,
}

/// A decision with everything that was known and expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appraisal {
    /// The robot's own number of the decision. Its [`Settlement`] has the same.
    pub decision: u32,
    /// What the robot knew, as names and values.
    pub evidence: Vec<(Cow<'static, str>, String)>,
    /// All estimates, of all alternatives and estimators.
    pub estimates: Vec<Estimate>,
}

/// What became of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// The robot's own number of the decision.
    pub decision: u32,
    /// True if the work was done in the end.
    pub success: bool,
    /// What it has cost from the decision on.
    pub cost: f64,
    /// The reward: the utility, if it was earned, minus the cost.
    pub reward: f64,
}

impl Appraisal {
    /// The event that tells of it. The caller adds the piece of work that it is about.
    pub fn event(self) -> Event {
        Event::new(EventKind::Estimated).reason(Reason::Estimated(Box::new(self)))
    }

    /// The evidence in one line.
    pub fn evidence(&self) -> String {
        let known = self.evidence.iter().map(|(name, value)| format!("{name}={value}"));
        known.collect::<Vec<_>>().join(" ")
    }
}

impl Estimate {
    /// The estimate in words.
    pub(crate) fn text(&self) -> String {
        let verb = if self.chosen { "takes" } else { "leaves" };
        let Some(reward) = self.reward else { return format!("{verb} {}", self.alternative) };
        let sure = self.level.map_or("on average".into(), |level| format!("with a certainty of {level}"));
        format!("{verb} {}: {} expects {reward:.1} {sure}", self.alternative, self.estimator)
    }
}

impl Settlement {
    /// The event that tells of it.
    pub fn event(self) -> Event {
        Event::new(EventKind::Settled).reason(Reason::Settled(self))
    }
}
