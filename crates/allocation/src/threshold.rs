//! Reward functions that depend on the smallest rewards too: one assignment per threshold.

use crate::Reward;
use crate::matching::Workspace;
use crate::matrix::{INCAPABLE, Matrix};

/// The best assignment for `λ·min + mean`. If m is the smallest reward of an optimum, the largest sum among entries of at least
/// m is optimal, too.
pub(crate) fn min_plus_mean(matrix: &Matrix, lambda: f64, work: &mut Workspace) -> Option<Vec<usize>> {
    let reward = Reward::MinPlusMean(lambda);
    let ceiling = matrix.pick(&crate::bottleneck::solve(matrix)?).into_iter().fold(f64::INFINITY, f64::min);
    let mut allowed = matrix.clone();
    let mut best: Option<(f64, Vec<usize>)> = None;
    while let Some(columns) = work.largest_sum(&allowed, |cell| cell) {
        let rewards = matrix.pick(&columns);
        let value = reward.value(&rewards);
        if best.as_ref().is_none_or(|(best, _)| value > *best) {
            best = Some((value, columns));
        }
        let smallest = rewards.iter().copied().fold(f64::INFINITY, f64::min);
        // Sums only get smaller as the threshold rises.
        let hope = lambda * ceiling + rewards.iter().sum::<f64>() / rewards.len() as f64;
        if smallest >= ceiling || best.as_ref().is_some_and(|(best, _)| hope <= *best) {
            break;
        }
        for cell in &mut allowed.cells {
            if *cell <= smallest {
                *cell = INCAPABLE;
            }
        }
    }
    best.map(|(_, columns)| columns)
}

/// The best assignment for the sum of the `number` smallest. That sum is the largest, over all thresholds θ, of
/// `number·θ - Σ max(0, θ - reward)`, and one of the rewards is a θ that reaches it.
pub(crate) fn worst(matrix: &Matrix, number: usize, work: &mut Workspace) -> Option<Vec<usize>> {
    let reward = Reward::Worst(number);
    let mut best: Option<(f64, Vec<usize>)> = None;
    for threshold in matrix.levels().into_iter().rev() {
        // No reward contributes more than the threshold.
        if best.as_ref().is_some_and(|(best, _)| number as f64 * threshold <= *best) {
            break;
        }
        let columns = work.largest_sum(matrix, |cell| if cell < threshold { cell } else { threshold })?;
        let value = reward.value(&matrix.pick(&columns));
        if best.as_ref().is_none_or(|(best, _)| value > *best) {
            best = Some((value, columns));
        }
    }
    best.map(|(_, columns)| columns)
}
