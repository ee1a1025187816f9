//! BIC: how well a structure fits, minus what it costs to describe.

use crate::counter::Counter;
use crate::error::Error;
use crate::structure::{Structure, bit};
use std::collections::BTreeMap;

/// Scores families (a variable and its parents) and remembers what was counted for them.
///
/// BIC = Σ_i [Σ_jk N_ijk ln(N_ijk / N_ij) - ½ ln N · q_i (r_i - 1)], with the declared numbers of states r and of parent rows q; natural
/// logarithms, 0 ln 0 = 0, higher is better.
#[derive(Clone, Debug)]
pub struct Scores {
    counter: Counter,
    disorders: BTreeMap<u64, f64>,
}

impl Scores {
    /// Scores on the rows of a counter.
    pub fn new(counter: Counter) -> Scores {
        Scores { counter, disorders: BTreeMap::new() }
    }

    /// The rows.
    pub fn counter(&self) -> &Counter {
        &self.counter
    }

    /// The score of a structure.
    pub fn structure(&mut self, structure: &Structure) -> Result<f64, Error> {
        if structure.len() != self.counter.variables() {
            let accepted = format!("{} variables as in the table", self.counter.variables());
            return Err(Error::new("structure", format!("{} variables", structure.len()), accepted));
        }
        Ok(self.total(&structure.masks()))
    }

    /// The score of a structure, given as parent sets.
    pub(crate) fn total(&mut self, parents: &[u64]) -> f64 {
        parents.iter().enumerate().map(|(variable, set)| self.family(variable, *set)).sum()
    }

    /// The score of a family.
    pub(crate) fn family(&mut self, variable: usize, parents: u64) -> f64 {
        let likelihood = self.disorder(parents | bit(variable)) - self.disorder(parents);
        likelihood - penalty(&self.counter, variable, parents)
    }

    fn disorder(&mut self, set: u64) -> f64 {
        let counter = &mut self.counter;
        *self.disorders.entry(set).or_insert_with(|| counter.disorder(set))
    }
}

/// What the description of a family costs: ½ ln N · q (r - 1).
pub(crate) fn penalty(counter: &Counter, variable: usize, parents: u64) -> f64 {
    0.5 * libm::log(counter.rows() as f64) * counter.cells(parents) * (counter.states(variable) - 1) as f64
}
