//! Checks of MuRoCo's parameters in a scenario beyond their schema.

use super::params::{MurocoParams, Search};
use super::worth::Worth;
use crate::{Finding, Preparation};
use serde_json::Value;

/// Refuses formulas that cannot be used, and reads earlier experience.
pub(super) fn prepare(said: &mut Value, preparation: &mut Preparation) {
    // Invalid values are reported when all parameters are read.
    let Ok(mut params) = serde_json::from_value::<MurocoParams>(said.clone()) else { return };
    if said.get("estimation").is_some() {
        params.estimation.prepare(preparation);
        said["estimation"] = serde_json::to_value(&params.estimation).unwrap_or_default();
    }
    if let Err(error) = Worth::of(&params) {
        preparation.findings.push(Finding::error(error.to_string()).at("coalition-formula"));
    } else if params.coalition_formula.is_some() && params.search == Search::Joint {
        let message = "`search: joint` cannot use a formula; accepted with one: `matching`, `exhaustive`, `branch-and-bound`";
        preparation.findings.push(Finding::error(message).at("coalition-formula"));
    }
}
