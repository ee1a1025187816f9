//! CBBA's parameters as scenarios give them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of CBBA for a whole team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CbbaParams {
    /// L: largest number of pieces of work that a robot claims, including the one in progress.
    #[schemars(range(min = 1, max = 64))]
    pub bundle: u8,
    /// Time after which the reward for a piece of work has halved: λ = 2^(-1/half-life).
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub half_life: f64,
    /// Rate at which a robot repeats its claims and its knowledge of others' claims while nothing changes.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub broadcast_rate: f64,
    /// Silence after which a team-mate counts as gone and its pieces are free again.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_allowed_till_ceased: f64,
    /// Time without progress, beyond the expected duration of a piece, after which a robot gives it up. Doubles each time.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub patience: f64,
    /// How long a robot then leaves the piece to others. Doubles each time.
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
