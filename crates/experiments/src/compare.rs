//! Comparisons of coordinators: one scenario, the same seeds, several coordinators.

use crate::file::PlanError;
use crate::plan::{Cell, Factor, Plan, Purpose};
use crewlab_scenario::{Request, load};

/// The name of the varied factor.
pub const FACTOR: &str = "coordinator";

/// A plan that compares coordinators on a scenario.
pub fn plan(
    request: &Request,
    coordinators: &[String],
    seeds: Vec<u64>,
    metrics: Vec<String>,
    asked: String,
) -> Result<Plan, PlanError> {
    let mut name = String::new();
    let mut cells = Vec::with_capacity(coordinators.len());
    for coordinator in coordinators {
        let mut request = request.clone();
        request.sets.push(format!("team.coordinator={coordinator}"));
        let scenario =
            load(&request).map_err(|problems| PlanError::Cell { cell: coordinator.clone(), problems })?;
        cells.push(Cell::new(vec![coordinator.clone()], &scenario));
        name = scenario.name;
    }
    Ok(Plan {
        name,
        purpose: Purpose::Comparison,
        scenario: request.scenario.clone(),
        asked,
        factors: vec![Factor { name: FACTOR.into(), unit: None }],
        cells,
        seeds,
        left_out: 0,
        metrics,
        time: None,
        per_run: None,
    })
}
