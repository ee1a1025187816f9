//! One-to-one assignment of rows to columns with the largest total: the auction's round for single-robot tasks, and the core of
//! all other methods.

mod solver;

pub(crate) use solver::{NONE, Solver};

use crate::Error;
use crate::instance::LARGEST;

/// The objective of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The largest total. An entry is used only if it raises the total: negative entries and zeros are left out.
    Total,
    /// The largest total among the assignments with as many pairs as possible, negative entries or not.
    Most,
    /// Serves every row (every column if there are fewer columns) and then maximises the total, negative entries or not. If not
    /// all can be served there is no assignment.
    Perfect,
}

/// Who is assigned to whom, and the prices that prove it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The column of each row; `None` for rows without one.
    pub columns: Vec<Option<usize>>,
    /// The total of the used entries.
    pub value: f64,
    /// Price of each row. With [`Objective::Total`] no price is negative, `row price + column price ≥ entry` everywhere, and
    /// all prices sum up to the value, which proves that it is the largest.
    pub row_prices: Vec<f64>,
    /// Price of each column.
    pub column_prices: Vec<f64>,
}

/// Assigns a different robot to every part, given who is able to do what; `None` if that is impossible.
pub fn staff(parts: usize, robots: usize, able: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let row = |part: usize| (0..robots).map(|robot| able(part, robot).then_some(1.0)).collect();
    let rewards: Vec<Vec<Option<f64>>> = (0..parts).map(row).collect();
    // Every entry is 1, so `assign` cannot refuse it.
    let found = assign(&rewards, Objective::Most).ok().flatten()?;
    found.columns.into_iter().collect()
}

/// Assigns rows to columns. `rewards[row][column]` is `None` where the pair is impossible. All rows must have the same
/// length. Returns `None` only for [`Objective::Perfect`].
pub fn assign(rewards: &[Vec<Option<f64>>], goal: Objective) -> Result<Option<Assignment>, Error> {
    let (rows, columns) = (rewards.len(), rewards.first().map_or(0, Vec::len));
    let mut largest: f64 = 0.0;
    for (number, row) in rewards.iter().enumerate() {
        if row.len() != columns {
            let accepted = format!("{columns} entries, as in the first row");
            return Err(Error::new(format!("rewards[{number}]"), row.len(), accepted));
        }
        for (column, entry) in row.iter().enumerate() {
            let Some(entry) = *entry else { continue };
            if !entry.is_finite() || entry.abs() > LARGEST {
                let accepted = format!("a finite number of at most {LARGEST:e} in magnitude, or nothing");
                return Err(Error::new(format!("rewards[{number}][{column}]"), entry, accepted));
            }
            largest = largest.max(entry.abs());
        }
    }
    let turned = rows > columns;
    let (short, long) = (rows.min(columns), rows.max(columns));
    let mut costs = vec![f64::INFINITY; short * long];
    for (row, entries) in rewards.iter().enumerate() {
        for (column, entry) in entries.iter().enumerate() {
            let place = if turned { column * long + row } else { row * long + column };
            costs[place] = entry.map_or(f64::INFINITY, |entry| -entry);
        }
    }
    let skip = match goal {
        Objective::Total => 0.0,
        // Larger than any change of the other pairs, so one more pair always pays.
        Objective::Most => (2.0 * largest + 1.0) * (short as f64 + 1.0),
        Objective::Perfect => f64::INFINITY,
    };
    let mut solver = Solver::default();
    if !solver.solve(short, long, &costs, skip) {
        return Ok(None);
    }
    let mut assignment = Assignment {
        columns: vec![None; rows],
        value: 0.0,
        row_prices: Vec::new(),
        column_prices: Vec::new(),
    };
    for (row, &column) in solver.column_of.iter().enumerate().filter(|(_, column)| **column != NONE) {
        let (row, column) = if turned { (column, row) } else { (row, column) };
        assignment.columns[row] = Some(column);
    }
    for (row, column) in assignment.columns.iter().enumerate() {
        assignment.value += column.and_then(|column| rewards[row][column]).unwrap_or(0.0);
    }
    let short_prices = solver.row_duals(&costs, skip).into_iter().map(|dual| 0.0 - dual).collect();
    let long_prices = solver.dual.iter().map(|dual| 0.0 - dual).collect();
    (assignment.row_prices, assignment.column_prices) =
        if turned { (long_prices, short_prices) } else { (short_prices, long_prices) };
    Ok(Some(assignment))
}
