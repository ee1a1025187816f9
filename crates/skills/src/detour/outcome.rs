//! The distribution of all that is still to be paid on a map: the times of all trials to come, and the utility if none succeeds. A
//! quantile of it keeps its promise; quantiles of times, averaged, do not.

use super::course::{Ratio, Way};
use super::estimator::Question;
use super::model::{ORIGIN, STEP, Status};
use crewlab_learn::{CostDistribution, Rounding};
use std::collections::BTreeMap;

/// The rewards that are expected of the short and of the long way.
pub(super) fn rewards(question: &Question) -> [f64; 2] {
    let failed = |way: Way| question.failures.iter().filter(|failure| failure.way == way).count();
    let mut prospects = Prospects { question, known: BTreeMap::new() };
    let costs = prospects.after(failed(Way::Short), failed(Way::Long)).costs;
    costs.map(|cost| question.utility - cost)
}

/// What lies ahead after some failures.
struct Prospect {
    /// What each way costs, by the level in question.
    costs: [f64; 2],
    /// The distribution of what is to be paid on the better way, for each ratio.
    ahead: Vec<Vec<f64>>,
}

/// What lies ahead, by the numbers of failures on the short and on the long way: what is known depends on nothing else.
struct Prospects<'a> {
    question: &'a Question<'a>,
    known: BTreeMap<(usize, usize), Vec<Vec<f64>>>,
}

impl Prospects<'_> {
    fn after(&mut self, short: usize, long: usize) -> Prospect {
        let belief = self.question.belief_after(short, long);
        let ways = Way::ALL.map(|way| self.way(way, short, long));
        let costs = [0, 1].map(|way: usize| self.cost(&mixture(&belief, &ways[way])));
        let [on_short, on_long] = ways;
        Prospect { costs, ahead: if costs[0] <= costs[1] { on_short } else { on_long } }
    }

    /// The distribution of what is to be paid if a way is taken now, for each ratio.
    fn way(&mut self, way: Way, short: usize, long: usize) -> Vec<Vec<f64>> {
        let last = short + long + 1 >= self.question.trials;
        let next = if way == Way::Short { (short + 1, long) } else { (short, long + 1) };
        if !last && !self.known.contains_key(&next) {
            let ahead = self.after(next.0, next.1).ahead;
            self.known.insert(next, ahead);
        }
        let experience = &self.question.experience;
        let lost = constant(self.question.utility);
        let total = |ratio: usize| {
            let success = experience.success(ratio, way);
            let rest = self.known.get(&next).filter(|_| !last).map_or(&lost, |ahead| &ahead[ratio]);
            let failed = experience.fine_time(Status::Failed, ratio, way);
            let mut total = if last { shifted(failed, &lost) } else { sum(failed, rest) };
            total.iter_mut().for_each(|share| *share *= 1.0 - success);
            let reached = experience.fine_time(Status::Success, ratio, way);
            total.iter_mut().zip(reached).for_each(|(share, reached)| *share += success * reached);
            total
        };
        (0..Ratio::ALL.len()).map(total).collect()
    }

    fn cost(&self, shares: &[f64]) -> f64 {
        let bounds = (0..=shares.len()).map(|step| ORIGIN + step as f64 * STEP).collect();
        let Ok(cost) = CostDistribution::new(bounds, shares.to_vec()) else { return f64::INFINITY };
        self.question.level.map_or_else(|| cost.mean(), |level| cost.quantile(level, Rounding::Interpolated))
    }
}

/// A value as shares of the two steps whose edge is nearest below it.
fn constant(value: f64) -> Vec<f64> {
    let steps = value / STEP;
    let whole = steps as usize;
    let mut shares = vec![0.0; whole + 2];
    shares[whole] = 1.0 - steps.fract();
    shares[whole + 1] = steps.fract();
    shares
}

/// One of several distributions, each with its probability.
fn mixture(weights: &[f64], parts: &[Vec<f64>]) -> Vec<f64> {
    let mut all = vec![0.0; parts.iter().map(Vec::len).max().unwrap_or_default()];
    for (weight, part) in weights.iter().zip(parts) {
        all.iter_mut().zip(part).for_each(|(all, share)| *all += weight * share);
    }
    all
}

/// A distribution later by a value that is given by [`constant`].
fn shifted(shares: &[f64], by: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; shares.len() + by.len()];
    for (start, weight) in by.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        all[start..].iter_mut().zip(shares).for_each(|(all, share)| *all += weight * share);
    }
    all
}

/// The sum of two independent values that are uniform within their steps. It lies in the step of the sum or in the next two, because
/// both values begin at [`ORIGIN`].
fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    let late = ORIGIN / STEP;
    let (first, third) = ((1.0 - late) * (1.0 - late) / 2.0, late * late / 2.0);
    let spread = [first, 1.0 - first - third, third];
    let mut all = vec![0.0; a.len() + b.len() + 1];
    for (start, weight) in a.iter().enumerate() {
        for (more, share) in spread.iter().enumerate() {
            let weight = weight * share;
            all[start + more..].iter_mut().zip(b).for_each(|(all, share)| *all += weight * share);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_cost_distributions() {
        let (a, b) = (vec![0.2, 0.5, 0.3], vec![0.1, 0.0, 0.6, 0.3]);
        let distribution = |shares: &[f64]| {
            let bounds = (0..=shares.len()).map(|step| ORIGIN + step as f64 * STEP).collect();
            CostDistribution::new(bounds, shares.to_vec()).expect("a distribution")
        };
        // Ten intervals per step, whose edges are ours and those of the sum.
        let exact = distribution(&a).convolution(&distribution(&b), 10 * (a.len() + b.len())).expect("a sum");
        let ours = distribution(&sum(&a, &b));
        for edge in ours.bounds() {
            let (ours, exact) = (ours.cumulated(*edge), exact.cumulated(*edge));
            assert!((ours - exact).abs() < 1e-9, "{edge}: {ours} {exact}");
        }
    }

    #[test]
    fn a_shifted_distribution_keeps_its_shape() {
        let shares = shifted(&[0.25, 0.75], &constant(1.25));
        // 1.25 s are two and a half steps.
        assert_eq!(shares[2..5], [0.125, 0.5, 0.375]);
        assert_eq!(shares.iter().sum::<f64>(), 1.0);
    }
}
