//! Experiments whose runs are series of trials: every trial of every run in one table, with what the robot expected and what became of
//! it. Trials are events that a referee tells (`trial`), with the numbers `map`, `trial`, `overview`, `short`, `long`, `reached`, `touched`,
//! `seconds` and `metres`.

mod figures;
mod gather;
mod summary;
mod table;
mod text;

pub use figures::{Picture, draw};
pub use gather::{GatherError, gather};
pub use summary::{CellSummary, Condition, EstimatorReport, Switches};
pub use table::write;
pub use text::text;

use crewlab_lab::sim::onboard::Event;

/// One trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The cell of the plan.
    pub cell: usize,
    /// The seed of the run.
    pub seed: u64,
    /// The event that tells of it.
    pub event: Event,
    /// The way that was taken: the behaviour set.
    pub way: String,
    /// What each estimator expected of it.
    pub expected: Vec<Expectation>,
    /// What was paid from this trial to the end of its map; `None` if the run ended before.
    pub cost: Option<f64>,
    /// The reward of that.
    pub reward: Option<f64>,
}

/// What an estimator expected of the way that was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Its name.
    pub estimator: String,
    /// The reward.
    pub reward: f64,
}

impl Record {
    /// A number of the trial; 0 if the referee did not tell it.
    pub fn number(&self, name: &str) -> f64 {
        self.event.number(name).unwrap_or_default()
    }

    /// True for the first trial of a map.
    pub fn is_first(&self) -> bool {
        self.number("trial") == 1.0
    }

    /// Objects on the short way minus those on the long one.
    pub fn crowding(&self) -> f64 {
        self.number("short") - self.number("long")
    }
}
