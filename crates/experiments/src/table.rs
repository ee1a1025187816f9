//! Tables of results, as CSV and as Parquet.

use crate::metrics::METRICS;
use crate::plan::Plan;
use crate::store::{RunOutcome, Store};

/// Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub data: Data,
}

/// The values of a column; `None` for empty cells.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Text.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers; NaN becomes an empty cell.
    Number(Vec<Option<f64>>),
}

impl Data {
    fn len(&self) -> usize {
        match self {
            Data::Text(values) => values.len(),
            Data::Whole(values) => values.len(),
            Data::Number(values) => values.len(),
        }
    }

    /// A CSV cell; empty where there is no value.
    fn cell(&self, row: usize) -> String {
        let text = match self {
            Data::Text(values) => values[row].clone(),
            Data::Whole(values) => values[row].map(|value| value.to_string()),
            Data::Number(values) => values[row].map(|value| value.to_string()),
        };
        text.unwrap_or_default()
    }
}

impl Table {
    /// Appends a column.
    pub fn with(mut self, name: impl Into<String>, data: Data) -> Table {
        self.columns.push(Column { name: name.into(), data });
        self
    }

    /// Appends a text column.
    pub fn with_text<T: Into<String>>(self, name: &str, values: impl IntoIterator<Item = T>) -> Table {
        self.with(name, Data::Text(values.into_iter().map(|text| Some(text.into())).collect()))
    }

    /// Appends a column of numbers.
    pub fn with_numbers(self, name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Table {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        self.with(name, Data::Number(values.into_iter().map(finite).collect()))
    }

    /// Appends a column of counts.
    pub fn with_counts(self, name: &str, values: impl IntoIterator<Item = usize>) -> Table {
        self.with(name, Data::Whole(values.into_iter().map(|value| i64::try_from(value).ok()).collect()))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.iter().map(|column| column.data.len()).min().unwrap_or(0)
    }

    /// As CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.columns.iter().map(|column| column.name.as_str());
        // Writing into memory cannot fail.
        let _ = writer.write_record(names);
        for row in 0..self.rows() {
            let _ = writer.write_record(self.columns.iter().map(|column| column.data.cell(row)));
        }
        writer.into_inner().unwrap_or_default()
    }

    /// As Parquet.
    #[cfg(feature = "parquet")]
    pub fn to_parquet(&self) -> Result<Vec<u8>, parquet::errors::ParquetError> {
        crate::parquet::write(self)
    }
}

/// All runs of a plan that the store has, in the plan's order.
pub fn runs(plan: &Plan, store: &Store) -> Table {
    let mut found = Vec::new();
    for index in 0..plan.len() {
        if let Some(outcome) = store.get(&plan.trial(index).key) {
            found.push((index % plan.cells.len(), plan.seeds[index / plan.cells.len()], outcome));
        }
    }
    let level = |factor: usize| found.iter().map(move |(cell, ..)| plan.cells[*cell].levels[factor].clone());
    let failure = |outcome: &RunOutcome| match outcome {
        RunOutcome::Failed { failure, reason } => Some((failure.name(), reason.clone())),
        RunOutcome::Done { .. } => None,
    };
    let mut table = Table::default().with_counts("cell", found.iter().map(|(cell, ..)| cell + 1));
    for (place, factor) in plan.factors.iter().enumerate() {
        table = table.with_text(&factor.name, level(place));
    }
    table = table
        .with("seed", Data::Whole(found.iter().map(|(_, seed, _)| i64::try_from(*seed).ok()).collect()))
        .with_text(
            "status",
            found.iter().map(|(_, _, outcome)| failure(outcome).map_or("done", |(name, _)| name)),
        )
        .with(
            "reason",
            Data::Text(
                found.iter().map(|(_, _, outcome)| failure(outcome).map(|(_, reason)| reason)).collect(),
            ),
        );
    // Measures of other missions have no column.
    let has = |place: usize| found.iter().any(|(_, _, outcome)| outcome.value(place).is_some());
    for (place, metric) in
        METRICS.iter().enumerate().filter(|(place, metric)| !metric.is_measure() || has(*place))
    {
        table = table.with_numbers(metric.name, found.iter().map(|(_, _, outcome)| outcome.value(place)));
    }
    let result = |outcome: &RunOutcome| match outcome {
        RunOutcome::Done { result, .. } => Some(result.clone()),
        RunOutcome::Failed { .. } => None,
    };
    table.with("result_hash", Data::Text(found.iter().map(|(_, _, outcome)| result(outcome)).collect()))
}
