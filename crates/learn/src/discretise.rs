//! From measured values to states.

use crate::error::Error;
use crate::variable::{MOST_STATES, Variable};
use serde::{Deserialize, Serialize};

/// How measured values become states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "method", deny_unknown_fields)]
pub enum Discretisation {
    /// Intervals of equal width.
    Uniform {
        /// Number of states.
        states: usize,
    },
    /// Intervals with about equally many values.
    Quantile {
        /// Number of states.
        states: usize,
    },
    /// Intervals that tell most about a target: cuts are added one by one, each where the entropy of the target within intervals
    /// falls most. The target itself gets quantiles.
    Entropy {
        /// Number of states.
        states: usize,
        /// The name of the target.
        target: String,
    },
}

impl Default for Discretisation {
    /// Three states of equal width.
    fn default() -> Discretisation {
        Discretisation::Uniform { states: 3 }
    }
}

impl Discretisation {
    /// The wanted number of states. Columns with fewer different values get fewer.
    pub fn states(&self) -> usize {
        match self {
            Discretisation::Uniform { states }
            | Discretisation::Quantile { states }
            | Discretisation::Entropy { states, .. } => *states,
        }
    }

    /// The column that intervals tell about.
    pub(crate) fn target(&self) -> Option<&str> {
        match self {
            Discretisation::Entropy { target, .. } => Some(target),
            _ => None,
        }
    }

    /// A variable per column, with the bounds of its intervals.
    pub fn variables(&self, names: &[String], columns: &[Vec<Option<f64>>]) -> Result<Vec<Variable>, Error> {
        self.intervals(names, columns, None)
    }

    /// The same; intervals may have to tell about a column that is not among these because its values are words.
    pub(crate) fn intervals(
        &self,
        names: &[String],
        columns: &[Vec<Option<f64>>],
        words: Option<Target>,
    ) -> Result<Vec<Variable>, Error> {
        let states = self.states();
        if !(2..=MOST_STATES).contains(&states) {
            let accepted = format!("2 to {MOST_STATES} states");
            return Err(Error::new("discretisation", format!("{states} states"), accepted));
        }
        if names.len() != columns.len() {
            let accepted = format!("{} columns, one per name", names.len());
            return Err(Error::new("columns", columns.len(), accepted));
        }
        if let Some(uneven) = columns.iter().find(|column| column.len() != columns[0].len()) {
            let accepted = format!("{} values as in the first column", columns[0].len());
            return Err(Error::new("columns", format!("{} values", uneven.len()), accepted));
        }
        let target = match self {
            Discretisation::Entropy { target, .. } => match words {
                Some(words) => Some(words),
                None => Some(Target::among(target, names, columns, states)?),
            },
            _ => None,
        };
        let bounds = |(number, column): (usize, &Vec<Option<f64>>)| {
            let values = finite(column);
            match (&target, self) {
                (Some(target), _) if target.column != Some(number) => target.bounds(column, states),
                (Some(_), _) | (None, Discretisation::Quantile { .. }) => quantile_bounds(&values, states),
                _ => uniform_bounds(&values, states),
            }
        };
        let all = columns.iter().enumerate().map(bounds);
        Ok(names.iter().zip(all).map(|(name, bounds)| Variable::intervals(name, bounds)).collect())
    }
}

/// The finite values in ascending order.
fn finite(column: &[Option<f64>]) -> Vec<f64> {
    let mut values: Vec<f64> = column.iter().flatten().copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The bounds of one state that takes everything: for constant and empty columns.
fn one_state(values: &[f64]) -> Option<Vec<f64>> {
    let (first, last) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
    (first == last).then(|| vec![first, last])
}

fn uniform_bounds(values: &[f64], states: usize) -> Vec<f64> {
    if let Some(bounds) = one_state(values) {
        return bounds;
    }
    let (low, high) = (values[0], values[values.len() - 1]);
    // Divided first: the difference of two finite numbers may overflow.
    let width = high / states as f64 - low / states as f64;
    let inner = (1..states).map(|k| (low + width * k as f64).clamp(low, high));
    std::iter::once(low).chain(inner).chain(std::iter::once(high)).collect()
}

fn quantile_bounds(values: &[f64], states: usize) -> Vec<f64> {
    if let Some(bounds) = one_state(values) {
        return bounds;
    }
    let last = values.len() - 1;
    let mut bounds = vec![values[0]];
    for k in 1..states {
        let cut = values[(values.len() * k).div_ceil(states).saturating_sub(1).min(last)];
        // Frequent values would give empty intervals. The lowest value alone may be a state.
        let new = bounds.len() == 1 || cut > bounds[bounds.len() - 1];
        if new && cut < values[last] {
            bounds.push(cut);
        }
    }
    if bounds.len() == 1 {
        // Nearly all values are the highest one: it is a state, the others are another.
        bounds.extend(values.iter().rev().find(|value| **value < values[last]));
    }
    bounds.push(values[last]);
    bounds
}

/// What intervals shall tell about.
pub(crate) struct Target {
    /// Its place among the columns of numbers, if it is one of them.
    column: Option<usize>,
    states: Vec<Option<usize>>,
    count: usize,
}

impl Target {
    /// A column of words: the state in every row, and the number of states.
    pub fn words(states: Vec<Option<usize>>, count: usize) -> Target {
        Target { column: None, states, count }
    }

    fn among(
        name: &str,
        names: &[String],
        columns: &[Vec<Option<f64>>],
        states: usize,
    ) -> Result<Target, Error> {
        let Some(column) = names.iter().position(|known| known == name) else {
            let accepted =
                if names.is_empty() { "a column".into() } else { format!("one of {}", names.join(", ")) };
            return Err(Error::new("target", name, accepted));
        };
        let values = &columns[column];
        let variable = Variable::intervals(name, quantile_bounds(&finite(values), states));
        let state = |value: &Option<f64>| value.filter(|v| v.is_finite()).and_then(|v| variable.state_of(v));
        Ok(Target {
            column: Some(column),
            states: values.iter().map(state).collect(),
            count: variable.states.len(),
        })
    }

    /// Adds the best cut until there are enough states or no cut tells anything.
    fn bounds(&self, column: &[Option<f64>], states: usize) -> Vec<f64> {
        let pairs = column.iter().zip(&self.states);
        let mut pairs: Vec<(f64, usize)> = pairs
            .filter_map(|(value, state)| Some((value.filter(|value| value.is_finite())?, (*state)?)))
            .collect();
        pairs.sort_by(|one, two| one.0.total_cmp(&two.0));
        let values = finite(column);
        if let Some(bounds) = one_state(&values) {
            return bounds;
        }
        let mut cuts = vec![0, pairs.len()];
        while cuts.len() <= states {
            let best = cuts.windows(2).filter_map(|pair| self.best_cut(&pairs, pair[0], pair[1]));
            let best =
                best.fold(
                    None,
                    |best: Option<(f64, usize)>, next| {
                        if best.is_none_or(|best| next.0 > best.0) { Some(next) } else { best }
                    },
                );
            let Some((_, cut)) = best else { break };
            cuts.push(cut);
            cuts.sort_unstable();
        }
        let inner = cuts[1..cuts.len() - 1].iter().map(|cut| pairs[cut - 1].0);
        std::iter::once(values[0]).chain(inner).chain(values.last().copied()).collect()
    }

    /// Where to cut the pairs from `first` to `last`, and how much that lowers the sum of entropies.
    fn best_cut(&self, pairs: &[(f64, usize)], first: usize, last: usize) -> Option<(f64, usize)> {
        let mut right = vec![0_usize; self.count];
        pairs[first..last].iter().for_each(|pair| right[pair.1] += 1);
        let (whole, mut left) = (disorder(&right), vec![0_usize; self.count]);
        let mut best: Option<(f64, usize)> = None;
        for cut in first + 1..last {
            let state = pairs[cut - 1].1;
            left[state] += 1;
            right[state] -= 1;
            if pairs[cut - 1].0 == pairs[cut].0 {
                continue;
            }
            let gain = whole - disorder(&left) - disorder(&right);
            if gain > 1e-9 && best.is_none_or(|best| gain > best.0) {
                best = Some((gain, cut));
            }
        }
        best
    }
}

/// Number of values times their entropy. [nat]
fn disorder(counts: &[usize]) -> f64 {
    let term = |count: usize| if count == 0 { 0.0 } else { count as f64 * libm::log(count as f64) };
    term(counts.iter().sum()) - counts.iter().map(|count| term(*count)).sum::<f64>()
}
