//! trials.csv: one row per trial, with the levels of its cell.

use super::Record;
use crate::plan::Plan;
use std::io::{self, Write};

/// The numbers of a trial, as columns.
const NUMBERS: [&str; 9] =
    ["map", "overview", "short", "long", "trial", "reached", "touched", "seconds", "metres"];

/// The estimators of an experiment, in the order in which they first occur.
pub(super) fn estimators(records: &[Record]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for expectation in records.iter().flat_map(|record| &record.expected) {
        if !names.contains(&&*expectation.estimator) {
            names.push(&expectation.estimator);
        }
    }
    names
}

/// Writes the table.
pub fn write(plan: &Plan, records: &[Record], out: impl Write) -> io::Result<()> {
    let estimators = estimators(records);
    let mut table = csv::Writer::from_writer(out);
    let factors = plan.factors.iter().map(|factor| factor.name.clone());
    let expected = estimators.iter().map(|name| format!("estimate_{name}"));
    let known = ["seed", "way"].into_iter().chain(NUMBERS).chain(["cost", "reward"]).map(String::from);
    table.write_record(factors.chain(known).chain(expected))?;
    let optional = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
    for record in records {
        let mut row = plan.cells[record.cell].levels.clone();
        row.extend([record.seed.to_string(), record.way.clone()]);
        row.extend(NUMBERS.iter().map(|name| record.number(name).to_string()));
        row.extend([optional(record.cost), optional(record.reward)]);
        row.extend(estimators.iter().map(|name| {
            let found = record.expected.iter().find(|expectation| expectation.estimator == *name);
            optional(found.map(|expectation| expectation.reward))
        }));
        table.write_record(row)?;
    }
    table.flush()
}
