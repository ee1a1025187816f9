//! A variable with a finite number of states.

use crate::error::Error;
use serde::{Deserialize, Serialize};

/// The largest number of states of a variable.
pub const MOST_STATES: usize = 254;

/// The largest number of variables in a table or a network.
pub const MOST_VARIABLES: usize = 64;

/// A variable with a finite number of states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The names of its states, in order.
    pub states: Vec<String>,
    /// Edges of the intervals if it was discretised, one more than states. State k is the interval from edge k (excluded) to edge
    /// k + 1 (included). Values below the first edge belong to the first state, values above the last edge to the last state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Vec<f64>>,
}

impl Variable {
    /// A variable with named states.
    pub fn named<S: Into<String>>(name: impl Into<String>, states: impl IntoIterator<Item = S>) -> Variable {
        Variable { name: name.into(), states: states.into_iter().map(Into::into).collect(), bounds: None }
    }

    /// A variable whose states are the numbers 0, 1, ...
    pub fn numbered(name: impl Into<String>, states: usize) -> Variable {
        Variable::named(name, (0..states).map(|state| state.to_string()))
    }

    /// A discretised variable, with names for its states by their number (see [`level_names`]).
    pub fn intervals(name: impl Into<String>, bounds: Vec<f64>) -> Variable {
        let states = level_names(bounds.len().saturating_sub(1));
        Variable { name: name.into(), states, bounds: Some(bounds) }
    }

    /// The state of a measured value. `None` if the variable has no intervals or the value is not a number.
    pub fn state_of(&self, value: f64) -> Option<usize> {
        let bounds = self.bounds.as_ref().filter(|_| !value.is_nan())?;
        let above = bounds.iter().skip(1).position(|upper| value <= *upper);
        Some(above.unwrap_or(self.states.len().saturating_sub(1)))
    }

    /// The state with a name.
    pub fn state_named(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state == name)
    }

    /// Refuses a variable without states, with too many or equal ones, and with bounds that do not fit.
    pub fn check(&self) -> Result<(), Error> {
        let place = || format!("variable {}", self.name);
        let count = self.states.len();
        if count == 0 || count > MOST_STATES {
            return Err(Error::new(place(), format!("{count} states"), format!("1 to {MOST_STATES} states")));
        }
        let mut sorted: Vec<&String> = self.states.iter().collect();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::new(place(), format!("the state {} twice", pair[0]), "each state once"));
        }
        if let Some(bounds) = &self.bounds {
            let finite = bounds.iter().all(|bound| bound.is_finite());
            let ascending = bounds.windows(2).all(|pair| pair[0] <= pair[1]);
            if bounds.len() != count + 1 || !finite || !ascending {
                let accepted = format!("{} finite bounds in ascending order", count + 1);
                return Err(Error::new(place(), format!("the bounds {bounds:?}"), accepted));
            }
        }
        Ok(())
    }
}

/// The names of ordered states: low and high, low, medium and high, or numbered levels.
pub fn level_names(count: usize) -> Vec<String> {
    let words: &[&str] = match count {
        1 => &["any"],
        2 => &["low", "high"],
        3 => &["low", "medium", "high"],
        5 => &["very-low", "low", "medium", "high", "very-high"],
        _ => return (1..=count).map(|level| format!("level-{level}")).collect(),
    };
    words.iter().map(|word| (*word).to_string()).collect()
}

/// Refuses too many variables, equal names, and variables that are invalid themselves.
pub(crate) fn check_all(variables: &[Variable]) -> Result<(), Error> {
    if variables.is_empty() || variables.len() > MOST_VARIABLES {
        let advice = if variables.is_empty() { "" } else { "; leave some out" };
        let accepted = format!("1 to {MOST_VARIABLES} variables{advice}");
        return Err(Error::new("variables", variables.len(), accepted));
    }
    for (index, variable) in variables.iter().enumerate() {
        variable.check()?;
        if variables[..index].iter().any(|other| other.name == variable.name) {
            let found = format!("the name {} twice", variable.name);
            return Err(Error::new("variables", found, "different names; rename one of the columns"));
        }
    }
    Ok(())
}
