//! CBBA's parameters as scenarios give them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of CBBA for a whole team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CbbaParams {
    /// L: how many pieces of work a robot claims at most, the one in progress included.
    #[schemars(range(min = 1, max = 64))]
    pub bundle: u8,
    /// Time after which the reward for a piece of work has fallen to one half: λ = 2^(-1/half-life).
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub half_life: f64,
    /// How often a robot repeats its claims and what it knows of others' while nothing changes.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub broadcast_rate: f64,
    /// Silence after which a team-mate counts as gone and its pieces are free again.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_allowed_till_ceased: f64,
    /// Time without progress, beyond what a piece is expected to take, after which a robot gives it up. Doubles with
    /// every time.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub patience: f64,
    /// How long a robot then leaves the piece to others. Doubles with every time.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub pause: f64,
}

impl Default for CbbaParams {
    fn default() -> Self {
        CbbaParams {
            bundle: 3,
            half_life: 60.0,
            broadcast_rate: 1.0,
            time_allowed_till_ceased: 5.0,
            patience: 60.0,
            pause: 30.0,
        }
    }
}
