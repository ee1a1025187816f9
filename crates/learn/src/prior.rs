//! What is assumed before any data: counts in every cell of a probability table.

use crate::error::Error;
use serde::{Deserialize, Serialize};

/// The Dirichlet prior of the probability tables.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// An equivalent sample size, divided equally among all cells of a table (BDeu).
    SampleSize(f64),
    /// The same count in every cell.
    PerCell(f64),
}

impl Default for Prior {
    /// An equivalent sample size of one.
    fn default() -> Prior {
        Prior::SampleSize(1.0)
    }
}

impl Prior {
    /// The count in each cell of a table with so many cells.
    pub fn cell(self, cells: usize) -> f64 {
        match self {
            Prior::SampleSize(size) => size / cells.max(1) as f64,
            Prior::PerCell(count) => count,
        }
    }

    /// Refuses a prior with which probabilities could be zero or undefined.
    pub fn check(self) -> Result<(), Error> {
        let (Prior::SampleSize(value) | Prior::PerCell(value)) = self;
        if (1e-6..=1e9).contains(&value) {
            return Ok(());
        }
        Err(Error::new("prior", value, "a number from 1e-6 to 1e9"))
    }
}
