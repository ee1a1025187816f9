//! Estimators: what a piece of work will cost a robot. Each is one file here and one line in the registry below. Every bidder asks
//! the one that its team names, through its [`Appraiser`].

mod appraiser;
mod evidence;
mod experience;
mod failure_aware;
mod fixed;
mod learned_mean;
mod learned_quantile;
mod memories;
mod params;
mod prospect;

pub use appraiser::{Appraiser, Valuation};
pub use evidence::{COLUMNS, Evidence};
pub use experience::{Experience, Memory, Row};
pub(crate) use memories::table;
pub use params::EstimationParams;
pub use prospect::{PlannedStep, Prospect};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shares of outcomes for which an estimator that knows a distribution gives quantiles.
pub const SHARES: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// What an estimator expects of a prospect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reckoning {
    /// The cost that the robot reckons with, the utility at risk included. [s]
    pub cost: f64,
    /// The time that it reckons with if the work succeeds. [s]
    pub time: f64,
    /// Quantiles of the cost at [`SHARES`]; empty if the estimator knows only one number. [s]
    pub quantiles: Vec<f64>,
    /// The share ς of outcomes that should not cost more; `None` if the cost is a mean.
    pub level: Option<f64>,
}

impl Reckoning {
    /// A single number, all of it time.
    fn sure(cost: f64) -> Reckoning {
        Reckoning { cost, time: cost, ..Reckoning::default() }
    }
}

/// An estimator that a team can choose by name.
pub trait Estimator {
    /// A one-line description.
    const SUMMARY: &'static str;
    /// True if it uses experience, which the robot then gathers.
    const LEARNS: bool = false;

    /// What the work will cost.
    fn reckon(prospect: &Prospect, experience: &Experience) -> Reckoning;
}

/// An estimator for callers that do not know which one it is.
pub struct EstimatorKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// [`Estimator::LEARNS`].
    pub learns: bool,
    /// [`Estimator::reckon`].
    pub reckon: fn(&Prospect, &Experience) -> Reckoning,
}

macro_rules! registry {
    ($($name:literal => $type:ident,)*) => {
        /// The name of an estimator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum EstimatorName { $(#[allow(missing_docs)] #[serde(rename = $name)] $type,)* }

        /// All estimators.
        pub const KINDS: &[EstimatorKind] = &[$(EstimatorKind {
            name: $name,
            summary: <$type as Estimator>::SUMMARY,
            learns: <$type as Estimator>::LEARNS,
            reckon: <$type as Estimator>::reckon,
        },)*];

        impl EstimatorName {
            /// The estimator of this name; `None` if there is no such estimator.
            pub fn of(name: &str) -> Option<EstimatorName> {
                match name { $($name => Some(EstimatorName::$type),)* _ => None }
            }
        }
    };
}

use failure_aware::FailureAware;
use fixed::Fixed;
use learned_mean::LearnedMean;
use learned_quantile::LearnedQuantile;

registry! {
    "fixed" => Fixed,
    "failure-aware" => FailureAware,
    "learned-mean" => LearnedMean,
    "learned-quantile" => LearnedQuantile,
}

impl EstimatorName {
    /// The estimator itself.
    pub fn kind(self) -> &'static EstimatorKind {
        &KINDS[self as usize]
    }
}
