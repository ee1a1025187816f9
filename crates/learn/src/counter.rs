//! Counts how often combinations of states occur. Everything else in the search for structures is arithmetic on these counts.

use crate::error::Error;
use crate::structure::members;
use crate::table::Table;
use crate::tallies::Tallies;

/// The complete rows of a table, ready for counting.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The last state of each is its most frequent one.
    columns: Vec<Vec<u8>>,
    states: Vec<usize>,
    rows: usize,
    left_out: usize,
    /// c ln c for every possible count.
    disorder: Vec<f64>,
    tallies: Tallies,
}

impl Counter {
    /// Takes the rows without missing values.
    pub fn new(table: &Table) -> Result<Counter, Error> {
        let (complete, left_out) = table.complete();
        let rows = complete.rows();
        if rows == 0 {
            let found = match left_out {
                0 => "no rows".to_string(),
                _ => format!("{left_out} rows, all with missing values"),
            };
            return Err(Error::new("table", found, "at least one row without missing values"));
        }
        let states = complete.cardinalities();
        let renumbered =
            |(variable, states): (usize, &usize)| frequent_last(complete.column(variable), *states);
        let columns: Vec<Vec<u8>> = states.iter().enumerate().map(renumbered).collect();
        let term = |count: usize| if count == 0 { 0.0 } else { count as f64 * libm::log(count as f64) };
        let disorder = (0..=rows).map(term).collect();
        let tallies = Tallies::new(&columns, &states, rows);
        Ok(Counter { columns, states, rows, left_out, disorder, tallies })
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.states.len()
    }

    /// Number of states of a variable.
    pub fn states(&self, variable: usize) -> usize {
        self.states[variable]
    }

    /// Number of rows that are counted.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of rows that are not counted because of missing values.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Number of combinations of states of a set of variables.
    pub(crate) fn cells(&self, set: u64) -> f64 {
        members(set).map(|variable| self.states[variable] as f64).product()
    }

    /// h = Σ c ln c over the counts c of all combinations of states of a set of variables.
    pub(crate) fn disorder(&mut self, set: u64) -> f64 {
        if let Some(counts) = self.tallies.of(set) {
            return sum(counts, &self.disorder);
        }
        let cells = self.cells(set);
        if cells <= (4 * self.rows + 4096) as f64 {
            self.disorder_of_cells(set, cells as usize)
        } else {
            self.disorder_of_sorted(set)
        }
    }

    /// For many cells.
    fn disorder_of_cells(&self, set: u64, cells: usize) -> f64 {
        let (mut counts, mut combinations) = (vec![0_u32; cells], vec![0_u32; self.rows]);
        for variable in members(set) {
            let (column, states) = (&self.columns[variable], self.states[variable] as u32);
            let all = combinations.iter_mut().zip(column);
            all.for_each(|(combination, state)| *combination = *combination * states + u32::from(*state));
        }
        combinations.iter().for_each(|combination| counts[*combination as usize] += 1);
        sum(&counts, &self.disorder)
    }

    /// For more cells than rows: equal rows are neighbours after sorting.
    fn disorder_of_sorted(&self, set: u64) -> f64 {
        let row =
            |row: usize| -> Vec<u8> { members(set).map(|variable| self.columns[variable][row]).collect() };
        let mut rows: Vec<Vec<u8>> = (0..self.rows).map(row).collect();
        rows.sort_unstable();
        rows.chunk_by(|one, two| one == two).map(|equal| self.disorder[equal.len()]).sum()
    }
}

/// The sum of a term per cell, found by its count.
fn sum(counts: &[u32], terms: &[f64]) -> f64 {
    // Four sums that do not wait for each other.
    let (fours, rest) = counts.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, count)| *sum += terms[*count as usize]);
    }
    let rest: f64 = rest.iter().map(|count| terms[*count as usize]).sum();
    sums.iter().sum::<f64>() + rest
}

/// A column with its states renumbered such that the last one is the most frequent. No score depends on their numbers.
fn frequent_last(column: &[u8], states: usize) -> Vec<u8> {
    let mut counts = vec![0_usize; states];
    column.iter().for_each(|state| counts[usize::from(*state)] += 1);
    let last = states.saturating_sub(1);
    let frequent = (0..states).max_by_key(|state| counts[*state]).unwrap_or(last);
    let swapped = |state: &u8| match usize::from(*state) {
        state if state == frequent => last as u8,
        state if state == last => frequent as u8,
        _ => *state,
    };
    column.iter().map(swapped).collect()
}
