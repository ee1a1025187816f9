//! The walk to good prices: raises the price of robots that several tasks want and lowers it where none does.

use super::pricing::{Pricer, Terms};
use super::problem::Column;

/// The response of all tasks to given prices.
pub(super) struct Market {
    /// Upper bound on every allocation that the rules allow; `-∞` if they allow none.
    pub bound: f64,
    /// The best coalition of each task that is worth its prices (or has to be served).
    pub wanted: Vec<(Column, f64)>,
    /// How many tasks want each robot.
    pub demand: Vec<u32>,
    /// The value of each task above its prices, at least 0 if the task may be skipped.
    pub gains: Vec<f64>,
}

/// Finds the best coalition of every task.
pub(super) fn ask(terms: &Terms, pricer: &mut Pricer) -> Market {
    let Terms { problem, rules, prices } = *terms;
    let mut market = Market {
        bound: prices.iter().sum(),
        wanted: Vec::new(),
        demand: vec![0; problem.robots],
        gains: Vec::with_capacity(problem.tasks.len()),
    };
    for task in 0..problem.tasks.len() {
        let least = if rules.must[task] { f64::NEG_INFINITY } else { 0.0 };
        let offer = pricer.offer(terms, task, least);
        let gain = offer.bound.max(least);
        market.bound += gain;
        market.gains.push(gain);
        if let Some((column, net)) = offer.column
            && net > least
        {
            column.robots.iter().for_each(|&robot| market.demand[robot as usize] += 1);
            market.wanted.push((column, net));
        }
    }
    market
}

/// One step of the walk from `prices`, whose market is known, towards a bound of `target`.
pub(super) fn step(prices: &mut [f64], market: &Market, direction: &mut [f64], target: f64, pace: f64) {
    let mut length = 0.0;
    for ((price, direction), &demand) in prices.iter().zip(direction.iter_mut()).zip(&market.demand) {
        let mut slope = f64::from(demand) - 1.0;
        // A price never falls below 0.
        if *price <= 0.0 && slope < 0.0 {
            slope = 0.0;
        }
        *direction = slope + 0.5 * *direction;
        if *price <= 0.0 && *direction < 0.0 {
            *direction = 0.0;
        }
        length += *direction * *direction;
    }
    if length > 0.0 {
        let by = pace * (market.bound - target).max(1e-6 * market.bound.abs()) / length;
        for (price, direction) in prices.iter_mut().zip(direction) {
            *price = (*price + by * *direction).max(0.0);
        }
    }
}
