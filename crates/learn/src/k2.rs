//! K2: parents for a given order, one after the other.

use crate::constraints::Constraints;
use crate::error::Error;
use crate::score::Scores;
use crate::structure::{Structure, bit, members};

/// For every variable, adds the parent that improves the score most as long as one does, among the variables before it in the order; the
/// lowest number of equally good ones. Starts with the required parents.
pub fn k2(scores: &mut Scores, order: &[usize], constraints: &Constraints) -> Result<Structure, Error> {
    let rules = Constraints { order: Some(order.to_vec()), ..constraints.clone() }
        .rules(scores.counter().variables())?;
    let mut parents = rules.required.clone();
    for variable in 0..parents.len() {
        let mut score = scores.family(variable, parents[variable]);
        loop {
            let mut best = None;
            for candidate in members(!rules.forbidden[variable] & !parents[variable] & all(parents.len())) {
                let more = parents[variable] | bit(candidate);
                if !rules.allow(variable, more) {
                    continue;
                }
                let found = scores.family(variable, more);
                if found > score {
                    (score, best) = (found, Some(more));
                }
            }
            let Some(more) = best else { break };
            parents[variable] = more;
        }
    }
    Ok(Structure::from_masks(&parents))
}

/// The set of so many variables.
pub(crate) fn all(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
