//! Parameters of MuRoCo.

use crate::estimators::{EstimationParams, EstimatorName};
use crewlab_allocation::{Method, Reward};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who auctions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// One robot for the whole run: optimal, but a single point of failure.
    Fixed,
    /// The robot that finds a task first. If it falls silent, its tasks go to another.
    Receiver,
    /// The first robot of a queue, by priority and number, that is not silent. The next one takes over.
    #[default]
    PriorityQueue,
}

/// Who evaluates coalitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluation {
    /// The auctioneer evaluates all of them.
    #[default]
    Central,
    /// All brokers, each its share (MuRoCo-D): less computation for each, more messages. At most 12 robots.
    Distributed,
}

/// How the auctioneer searches for the best coalition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Every coalition, as in the thesis. At most 20 robots.
    Exhaustive,
    /// One assignment per plan.
    #[default]
    Matching,
    /// Branch and bound per plan.
    BranchAndBound,
    /// All open tasks at once, with prices and a certified gap.
    Joint,
}

impl Search {
    /// The method for one task.
    pub(super) fn method(self) -> Method {
        match self {
            Search::Exhaustive => Method::Exhaustive,
            Search::BranchAndBound => Method::BranchAndBound,
            Search::Matching | Search::Joint => Method::Matching,
        }
    }
}

/// Which coalitions are left out before they are evaluated one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pruning {
    /// No pruning.
    Off,
    /// Those that together lack a capability (definition 3.12).
    #[default]
    Union,
    /// Those without a capable robot for some part (definition 3.17).
    Each,
    /// Those whose robots cannot be matched to the parts (definition 3.18).
    Perfect,
}

/// The value of a coalition as a function of its members' rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoalitionReward {
    /// The mean (3.21).
    #[default]
    Mean,
    /// The sum.
    Sum,
    /// The smallest: the slowest member decides.
    Min,
    /// The largest: the best member decides.
    Max,
}

impl CoalitionReward {
    pub(super) fn reward(self) -> Reward {
        match self {
            CoalitionReward::Mean => Reward::Mean,
            CoalitionReward::Sum => Reward::Sum,
            CoalitionReward::Min => Reward::Min,
            CoalitionReward::Max => Reward::Max,
        }
    }
}

/// Parameters of MuRoCo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MurocoParams {
    /// Who auctions.
    pub auctioneer: Role,
    /// The robot that auctions if `auctioneer` is `fixed`. Default: the first of the team.
    pub fixed_auctioneer: Option<String>,
    /// What bids and pledges expect of work.
    pub estimator: EstimatorName,
    /// Parameters of the estimator.
    pub estimation: EstimationParams,
    /// Who evaluates coalitions.
    pub evaluation: Evaluation,
    /// How the best coalition is searched for.
    pub search: Search,
    /// Which coalitions are left out if they are evaluated one by one.
    pub pruning: Pruning,
    /// The value of a coalition as a function of its members' rewards.
    pub coalition_reward: CoalitionReward,
    /// The same as a formula over the members' rewards, instead of `coalition-reward`: `sum`, `mean`, `least`, `most`, `product` and
    /// `size`, such as `0.5 * least + mean`. The best coalition is found if the formula never falls when a reward rises.
    pub coalition_formula: Option<String>,
    /// Rate at which a robot sends that it is alive, its capabilities and its engagement.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub alive_rate: f64,
    /// Silence after which a team-mate counts as gone.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_allowed_till_ceased: f64,
    /// How long the auctioneer waits for bids; at least four ticks.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub bid_timeout: f64,
    /// How long everybody waits for confirmations; at least four ticks.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub confirmation_timeout: f64,
    /// Time until a task that nobody bid for is announced again.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub announce_again: f64,
    /// Number of consecutive auctions without a taker after which the auctioneer asks the operator whether to keep trying; 0 for
    /// never. It keeps trying until it is told otherwise.
    pub ask_after: u32,
    /// Share α of its bid that a robot promises to reach at least (3.15).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub pledge: f64,
    /// How long the reward must stay below the pledge before the robot gives the task back.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub patience: f64,
    /// How much longer than estimated work may take before it counts as late, as a share of the estimate.
    #[schemars(range(min = 0.0))]
    pub slack: f64,
    /// How long a robot does not bid for work that it returned; doubled each time, up to four times as long.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub sit_out: f64,
    /// How often the same error may end a task before it is given up and reported to the operator.
    #[schemars(range(min = 1))]
    pub attempts: u32,
    /// Time after which a task that was given up is tried again.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub try_again: f64,
}

impl Default for MurocoParams {
    fn default() -> Self {
        MurocoParams {
            auctioneer: Role::default(),
            fixed_auctioneer: None,
            estimator: EstimatorName::FailureAware,
            estimation: EstimationParams::default(),
            evaluation: Evaluation::default(),
            search: Search::default(),
            pruning: Pruning::default(),
            coalition_reward: CoalitionReward::default(),
            coalition_formula: None,
            alive_rate: 1.0,
            time_allowed_till_ceased: 5.0,
            bid_timeout: 1.0,
            confirmation_timeout: 1.0,
            announce_again: 2.0,
            ask_after: 3,
            pledge: 0.7,
            patience: 2.0,
            slack: 1.0,
            sit_out: 60.0,
            attempts: 5,
            try_again: 300.0,
        }
    }
}
