//! The capabilities that a mission's tasks ask for, as bits: what robots tell each other of what they can.

use crewlab_onboard::{Capabilities, Constraint, Datasheet, Percept, TaskSpec};
use serde::{Deserialize, Serialize};

/// All names, in an order that every robot derives alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary(Vec<String>);

/// A set of capabilities.
pub type Bits = Vec<u64>;

impl Vocabulary {
    /// What these tasks ask for.
    pub fn of(tasks: &[TaskSpec]) -> Vocabulary {
        let mut names: Vec<String> =
            tasks.iter().flat_map(|task| task.needs.names()).map(String::from).collect();
        names.sort();
        names.dedup();
        Vocabulary(names)
    }

    /// What of it works on a robot now, as far as it can tell.
    pub fn working(&self, datasheet: &Datasheet, percept: &Percept) -> Bits {
        let mut bits = vec![0; self.0.len().div_ceil(64)];
        for (place, name) in self.0.iter().enumerate() {
            if datasheet.has(name) && Capabilities::working(datasheet, percept, name) {
                bits[place / 64] |= 1 << (place % 64);
            }
        }
        bits
    }

    /// True if a set of capabilities meets a constraint.
    pub fn meets(&self, bits: &[u64], constraint: &Constraint) -> bool {
        let has = |name: &str| {
            self.0
                .binary_search_by(|known| known.as_str().cmp(name))
                .is_ok_and(|place| bits.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0))
        };
        constraint.met(&has)
    }
}

/// All capabilities of two sets.
pub fn union(a: &[u64], b: &[u64]) -> Bits {
    let word = |place: usize| a.get(place).unwrap_or(&0) | b.get(place).unwrap_or(&0);
    (0..a.len().max(b.len())).map(word).collect()
}
