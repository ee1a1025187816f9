//! Random networks and rows drawn from them, for benchmarks and tests.

use crate::error::Error;
use crate::random::Generator;
use crate::structure::Structure;
use crate::table::Table;
use crate::variable::Variable;

/// Draws a random structure, random probability tables, and rows from them.
pub fn draw(
    variables: usize,
    states: usize,
    most_parents: usize,
    rows: usize,
    seed: u64,
) -> Result<(Table, Structure), Error> {
    let mut random = Generator::new(seed);
    let mut order: Vec<usize> = (0..variables).collect();
    random.shuffle(&mut order);
    let mut parents = vec![Vec::new(); variables];
    for (place, variable) in order.iter().enumerate() {
        let mut before = order[..place].to_vec();
        random.shuffle(&mut before);
        before.truncate(random.below(most_parents + 1));
        parents[*variable] = before;
    }
    let row = |random: &mut Generator| -> Vec<f64> {
        let weights: Vec<f64> = (0..states).map(|_| -libm::log(1.0 - random.unit())).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    };
    let tables: Vec<Vec<Vec<f64>>> = parents
        .iter()
        .map(|list| (0..states.pow(list.len() as u32)).map(|_| row(&mut random)).collect())
        .collect();
    let named = (0..variables).map(|variable| Variable::numbered(format!("v{variable}"), states));
    let mut table = Table::new(named.collect())?;
    for _ in 0..rows {
        let mut drawn = vec![0; variables];
        for variable in &order {
            let row = parents[*variable].iter().fold(0, |row, parent| row * states + drawn[*parent]);
            let (mut left, mut state) = (random.unit(), 0);
            for probability in tables[*variable][row].iter().take(states - 1) {
                left -= probability;
                state += usize::from(left >= 0.0);
            }
            drawn[*variable] = state;
        }
        table.push(&drawn.into_iter().map(Some).collect::<Vec<_>>())?;
    }
    Ok((table, Structure::new(parents)?))
}
