//! How strongly pairs of variables are tied to each other.

use crate::error::Error;
use crate::network::Network;
use crate::table::Table;

/// Below this, a tie is weak.
pub const WEAK: f64 = 0.02;

/// η(x,y) = I(x,y) / H(x,y) from a joint distribution, given as a list in which the states of y change fastest: 0 if they are independent, 1 if
/// each determines the other. 0 if nothing varies. 1 - η is a metric.
pub fn eta(joint: &[f64], states_of_y: usize) -> f64 {
    let total: f64 = joint.iter().sum();
    let width = states_of_y.max(1);
    if joint.is_empty() || !total.is_finite() || total <= 0.0 {
        return 0.0;
    }
    let entropy = |sum: f64| if sum > 0.0 { -sum / total * libm::log(sum / total) } else { 0.0 };
    let rows: f64 = joint.chunks(width).map(|row| entropy(row.iter().sum())).sum();
    let columns: f64 = (0..width).map(|y| entropy(joint.iter().skip(y).step_by(width).sum())).sum();
    let both: f64 = joint.iter().map(|one| entropy(*one)).sum();
    if both < 1e-12 { 0.0 } else { ((rows + columns - both) / both).clamp(0.0, 1.0) }
}

/// η of all pairs, from a network's pair marginals by inference. The diagonal is zero.
pub fn eta_of_network(network: &Network) -> Result<Vec<Vec<f64>>, Error> {
    let variables = network.variables();
    pairs(variables.len(), |x, y| {
        Ok(eta(&network.joint(&[x, y], &[])?.probabilities, variables[y].states.len()))
    })
}

/// η of all pairs, from raw counts; rows in which one of both is missing are left out.
pub fn eta_of_table(table: &Table) -> Vec<Vec<f64>> {
    let states = table.cardinalities();
    let counted = pairs(states.len(), |x, y| {
        let mut counts = vec![0.0; states[x] * states[y]];
        for row in 0..table.rows() {
            if let (Some(one), Some(two)) = (table.state(row, x), table.state(row, y)) {
                counts[one * states[y] + two] += 1.0;
            }
        }
        Ok(eta(&counts, states[y]))
    });
    counted.unwrap_or_default()
}

fn pairs(
    count: usize,
    mut value: impl FnMut(usize, usize) -> Result<f64, Error>,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut all = vec![vec![0.0; count]; count];
    for (x, y) in (0..count).flat_map(|x| (x + 1..count).map(move |y| (x, y))) {
        let value = value(x, y)?;
        (all[x][y], all[y][x]) = (value, value);
    }
    Ok(all)
}

/// The variables with the sum of their ties, the most important one first.
pub fn ranking(eta: &[Vec<f64>]) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = eta.iter().map(|row| row.iter().sum()).enumerate().collect();
    ranked.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    ranked
}

/// The variables that have nothing but weak ties.
pub fn loners(eta: &[Vec<f64>]) -> Vec<usize> {
    (0..eta.len()).filter(|variable| eta[*variable].iter().all(|tie| *tie < WEAK)).collect()
}
