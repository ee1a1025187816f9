//! estimates.csv.

use super::EstimateRow;
use crate::table::{Reader, table, write_header, write_row};
use std::io::{self, Write};
use std::path::Path;

// Fields are read by column name.
table! { EstimateRow, |row|
    "time_s" ["s"] "when the robot decided" => number(row.time_s);
    "robot" [""] "who decided" => row.robot;
    "decision" [""] "the robot's number of the decision; the rows of a decision have the same" => row.decision.to_string();
    "task" [""] "the task; empty if the decision is not about one" => row.task;
    "subject" [""] "the piece of the task; 0 if it is not divided" => row.subject.to_string();
    "evidence" [""] "what the robot knew, `name=value`" => row.evidence;
    "alternative" [""] "what it could do" => row.alternative;
    "chosen" [""] "whether it did it" => row.chosen.to_string();
    "estimator" [""] "who estimates; empty if the robot decides without expecting anything" => row.estimator;
    "sigma" [""] "the share of outcomes that should not be worse, ς; empty for a mean" => optional(row.sigma);
    "estimate" [""] "the expected reward, from the decision to the end of the work" => optional(row.estimate);
    "status" [""] "`done` or `failed`, `open` if the run ended before; empty for an alternative that was not taken" => row.status;
    "cost" [""] "what the work has cost from the decision on" => optional(row.cost);
    "reward" [""] "the utility, if it was earned, minus the cost" => optional(row.reward);
    "ended_s" ["s"] "when the outcome was known" => optional(row.ended_s);
}

/// All digits, with at least one after the decimal point.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), number)
}

/// Writes the table.
pub fn write(rows: &[EstimateRow], out: impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    write_header::<EstimateRow>(&mut table)?;
    rows.iter().try_for_each(|row| write_row(&mut table, row))?;
    table.flush()
}

/// Reads the table; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<EstimateRow>>, String> {
    Reader::open(path)?.map(Reader::all).transpose()
}
