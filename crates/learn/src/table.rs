//! Tables of states: the data that everything is learned from.

use crate::discretise::{Discretisation, Target};
use crate::error::Error;
use crate::variable::{MOST_STATES, Variable, check_all};

/// A missing value in a column.
pub(crate) const MISSING: u8 = u8::MAX;

/// Rows of states, stored by column. Values may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    variables: Vec<Variable>,
    columns: Vec<Vec<u8>>,
    rows: usize,
}

impl Table {
    /// A table without rows.
    pub fn new(variables: Vec<Variable>) -> Result<Table, Error> {
        check_all(&variables)?;
        let columns = vec![Vec::new(); variables.len()];
        Ok(Table { variables, columns, rows: 0 })
    }

    /// A table from measured columns of equal length, each discretised on its own. Values that are missing or not finite stay missing.
    pub fn from_numbers(
        names: &[String],
        columns: &[Vec<Option<f64>>],
        discretisation: &Discretisation,
    ) -> Result<Table, Error> {
        let variables = discretisation.variables(names, columns)?;
        let state = |variable: &Variable, value: &Option<f64>| {
            value.filter(|value| value.is_finite()).and_then(|value| variable.state_of(value))
        };
        let mut table = Table::new(variables.clone())?;
        for row in 0..columns.first().map_or(0, Vec::len) {
            let cells: Vec<_> =
                variables.iter().zip(columns).map(|(v, column)| state(v, &column[row])).collect();
            table.push(&cells)?;
        }
        Ok(table)
    }

    /// A table from rows of text. Columns of numbers with more than `most_categories` different values are discretised, all others
    /// get one state per text, in ascending order. Empty cells, `-`, `NA`, `NaN`, `null` and `none` are missing.
    pub fn from_text(
        names: &[String],
        rows: &[Vec<String>],
        discretisation: &Discretisation,
        most_categories: usize,
    ) -> Result<Table, Error> {
        if let Some((number, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != names.len()) {
            let found = format!("{} cells", row.len());
            return Err(Error::new(format!("row {}", number + 1), found, format!("{} cells", names.len())));
        }
        let texts: Vec<TextColumn> = (0..names.len())
            .map(|column| TextColumn::new(rows.iter().map(|row| row[column].as_str())))
            .collect();
        for (column, (name, text)) in names.iter().zip(&texts).enumerate() {
            text.check(name, column, most_categories)?;
        }
        let numeric: Vec<usize> =
            (0..names.len()).filter(|column| texts[*column].is_numeric(most_categories)).collect();
        let chosen: Vec<String> = numeric.iter().map(|column| names[*column].clone()).collect();
        let numbers: Vec<Vec<Option<f64>>> = numeric.iter().map(|column| texts[*column].numbers()).collect();
        let words = discretisation.target().and_then(|target| {
            let column = names.iter().position(|name| name == target)?;
            let variable = Variable::named(target, texts[column].categories());
            let states = (0..rows.len()).map(|row| texts[column].state(&variable, row)).collect();
            (!numeric.contains(&column)).then(|| Target::words(states, variable.states.len()))
        });
        let mut intervals = discretisation.intervals(&chosen, &numbers, words)?.into_iter();
        let mut variables = Vec::new();
        for (column, name) in names.iter().enumerate() {
            let interval = if numeric.contains(&column) { intervals.next() } else { None };
            variables.push(interval.unwrap_or(Variable::named(name, texts[column].categories())));
        }
        let mut table = Table::new(variables)?;
        for row in 0..rows.len() {
            let state = |(variable, text): (&Variable, &TextColumn)| text.state(variable, row);
            let cells: Vec<_> = table.variables.iter().zip(&texts).map(state).collect();
            table.push(&cells)?;
        }
        Ok(table)
    }

    /// Adds a row: a state per variable, or nothing if it is missing.
    pub fn push(&mut self, row: &[Option<usize>]) -> Result<(), Error> {
        check_row(&self.variables, row)?;
        for (column, state) in self.columns.iter_mut().zip(row) {
            column.push(state.map_or(MISSING, |state| state as u8));
        }
        self.rows += 1;
        Ok(())
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The state in a cell; nothing if it is missing or there is no such cell.
    pub fn state(&self, row: usize, variable: usize) -> Option<usize> {
        let state = *self.columns.get(variable)?.get(row)?;
        (state != MISSING).then_some(usize::from(state))
    }

    /// The states of a row.
    pub fn row(&self, row: usize) -> Vec<Option<usize>> {
        (0..self.variables.len()).map(|variable| self.state(row, variable)).collect()
    }

    /// The rows without missing values, and how many were left out.
    pub fn complete(&self) -> (Table, usize) {
        let whole: Vec<usize> =
            (0..self.rows).filter(|row| self.columns.iter().all(|column| column[*row] != MISSING)).collect();
        (self.pick(&whole), self.rows - whole.len())
    }

    /// Some of the rows, in the given order; numbers beyond the last row are left out.
    pub fn pick(&self, rows: &[usize]) -> Table {
        let rows: Vec<usize> = rows.iter().copied().filter(|row| *row < self.rows).collect();
        let take = |column: &Vec<u8>| rows.iter().map(|row| column[*row]).collect();
        let columns = self.columns.iter().map(take).collect();
        Table { variables: self.variables.clone(), columns, rows: rows.len() }
    }

    /// Some of the columns, in the given order; numbers beyond the last column are left out.
    pub fn select(&self, columns: &[usize]) -> Table {
        let chosen = columns.iter().filter(|column| **column < self.columns.len());
        let (variables, columns) =
            chosen.map(|column| (self.variables[*column].clone(), self.columns[*column].clone())).unzip();
        Table { variables, columns, rows: self.rows }
    }

    /// A column of states, [`MISSING`] where there is none.
    pub(crate) fn column(&self, variable: usize) -> &[u8] {
        &self.columns[variable]
    }

    /// Number of states per variable.
    pub(crate) fn cardinalities(&self) -> Vec<usize> {
        self.variables.iter().map(|variable| variable.states.len()).collect()
    }
}

/// Refuses a row that does not fit the variables.
pub(crate) fn check_row(variables: &[Variable], row: &[Option<usize>]) -> Result<(), Error> {
    if row.len() != variables.len() {
        return Err(Error::new("row", format!("{} cells", row.len()), format!("{} cells", variables.len())));
    }
    for (variable, state) in variables.iter().zip(row) {
        if let Some(state) = state.filter(|state| *state >= variable.states.len()) {
            let accepted = format!("states below {}, or a missing value", variable.states.len());
            return Err(Error::new(
                format!("variable {}", variable.name),
                format!("the state {state}"),
                accepted,
            ));
        }
    }
    Ok(())
}

/// What stands for a missing value in a text.
const MISSING_WORDS: [&str; 6] = ["", "-", "na", "nan", "null", "none"];

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

/// A column of text.
struct TextColumn<'a> {
    cells: Vec<Option<&'a str>>,
}

impl<'a> TextColumn<'a> {
    fn new(cells: impl Iterator<Item = &'a str>) -> TextColumn<'a> {
        let missing = |cell: &str| MISSING_WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word));
        TextColumn { cells: cells.map(str::trim).map(|cell| (!missing(cell)).then_some(cell)).collect() }
    }

    /// Refuses a column without a name or without a value, and one that would have a state per number because a few cells are no numbers.
    fn check(&self, name: &str, column: usize, most_categories: usize) -> Result<(), Error> {
        if name.is_empty() {
            return Err(Error::new(format!("column {}", column + 1), "no name", "a name in the first line"));
        }
        let place = || format!("column {name}");
        let count = self.cells.iter().flatten().count();
        if count == 0 && !self.cells.is_empty() {
            return Err(Error::new(place(), "no value in any row", "at least one; leave the column out"));
        }
        let mut odd = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(row, cell)| Some((row, (*cell)?)))
            .filter(|(_, cell)| !is_number(cell));
        let Some((row, cell)) = odd.next() else { return Ok(()) };
        let others = odd.count();
        if 2 * (others + 1) < count && self.categories().len() > most_categories.clamp(1, MOST_STATES) {
            let more = if others > 0 { format!(" and {others} more cells") } else { String::new() };
            let found = format!("`{cell}` in row {}{more} among numbers", row + 1);
            let accepted = "finite numbers; an empty cell where a value is missing; or words only";
            return Err(Error::new(place(), found, accepted));
        }
        Ok(())
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.and_then(|cell| cell.parse().ok())).collect()
    }

    /// The different texts: numbers in ascending order, then words.
    fn categories(&self) -> Vec<&'a str> {
        let mut words: Vec<&str> = self.cells.iter().flatten().copied().collect();
        words.sort_by(|one, two| {
            let number = |word: &str| word.parse::<f64>().unwrap_or(f64::INFINITY);
            number(one).total_cmp(&number(two)).then(one.cmp(two))
        });
        words.dedup();
        // A column in which everything is missing still needs a state.
        if words.is_empty() { vec!["missing"] } else { words }
    }

    fn is_numeric(&self, most_categories: usize) -> bool {
        self.cells.iter().flatten().all(|cell| is_number(cell))
            && self.categories().len() > most_categories.clamp(1, MOST_STATES)
    }

    fn state(&self, variable: &Variable, row: usize) -> Option<usize> {
        let cell = self.cells[row]?;
        match variable.bounds {
            Some(_) => variable.state_of(cell.parse().ok()?),
            None => variable.state_named(cell),
        }
    }
}
