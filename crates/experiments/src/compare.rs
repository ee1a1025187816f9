//! Comparisons: one scenario, the same seeds, several coordinators or several controllers.

use crate::file::PlanError;
use crate::plan::{Cell, Factor, Plan, Purpose};
use crewlab_scenario::{Request, load};

/// What a comparison varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rivals {
    /// Who does what.
    Coordinators,
    /// How robots move, of robots whose type has no controller of its own.
    Controllers,
}

impl Rivals {
    /// The name of one of them, which is that of the varied factor.
    pub fn name(self) -> &'static str {
        match self {
            Rivals::Coordinators => "coordinator",
            Rivals::Controllers => "controller",
        }
    }
}

/// A plan that compares the coordinators or controllers of these names on a scenario.
pub fn plan(
    request: &Request,
    rivals: Rivals,
    names: &[String],
    seeds: Vec<u64>,
    metrics: Vec<String>,
    asked: String,
) -> Result<Plan, PlanError> {
    let mut name = String::new();
    let mut cells = Vec::with_capacity(names.len());
    for rival in names {
        let mut request = request.clone();
        request.sets.push(format!("team.{}={rival}", rivals.name()));
        let scenario =
            load(&request).map_err(|problems| PlanError::Cell { cell: rival.clone(), problems })?;
        cells.push(Cell::new(vec![rival.clone()], &scenario));
        name = scenario.name;
    }
    Ok(Plan {
        name,
        purpose: Purpose::Comparison,
        scenario: request.scenario.clone(),
        asked,
        factors: vec![Factor { name: rivals.name().into(), unit: None }],
        cells,
        seeds,
        left_out: 0,
        metrics,
        time: None,
        per_run: None,
    })
}
