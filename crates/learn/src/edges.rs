//! How probable each edge is, averaged over all structures instead of read from the best one.

use crate::constraints::Constraints;
use crate::counter::Counter;
use crate::error::Error;
use crate::families::{Families, Search};
use crate::k2::all;
use crate::orders::good_order;
use crate::question::log_sum;
use crate::random::Generator;
use crate::ranks::choose;
use crate::structure::{bit, members};
use serde::{Deserialize, Serialize};

/// The largest number of variables for which edge probabilities are exact.
pub const MOST_EXACT: usize = 16;

/// Families that are less likely than a subset of theirs by a factor of e to this are left out: 2¹⁵ of them would not change 12 digits.
const NEGLIGIBLE: f64 = 45.0;

/// The same for sampled orders.
const NEGLIGIBLE_SAMPLED: f64 = 12.0;

/// Number of random orders from which their start is searched.
const STARTS: usize = 5;

/// Number of independent chains over orders.
const CHAINS: usize = 4;

/// Most families to look at for sampled orders.
const MOST_SAMPLED_FAMILIES: f64 = 4e5;

/// The probabilities of all edges. Orders of the variables are equally likely, families are as likely as the exponential of their BIC score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeProbabilities {
    /// For every parent and every child.
    pub probabilities: Vec<Vec<f64>>,
    /// How they were found.
    pub method: EdgeMethod,
}

/// How edge probabilities were found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeMethod {
    /// By summing over all orders and all structures.
    Exact,
    /// By Markov chains over orders.
    Sampled {
        /// Number of orders that were averaged.
        orders: usize,
        /// The largest number of parents.
        most_parents: usize,
        /// The largest standard error of an edge, by how much independent chains differ.
        error: f64,
    },
}

/// The probabilities of all edges: exact for up to [`MOST_EXACT`] variables, sampled above.
pub fn edge_probabilities(
    counter: &mut Counter,
    constraints: &Constraints,
    steps: usize,
    seed: u64,
) -> Result<EdgeProbabilities, Error> {
    let count = counter.variables();
    let rules = constraints.rules(count)?;
    if count <= MOST_EXACT {
        let search = Search { rules: &rules, slack: NEGLIGIBLE, most_work: f64::INFINITY };
        let Families { lists, .. } = search.run(counter);
        return Ok(EdgeProbabilities { probabilities: exact(&lists), method: EdgeMethod::Exact });
    }
    let mut rules = rules;
    let affordable = |parents: &usize| choose(count - 1, *parents) * count as f64 <= MOST_SAMPLED_FAMILIES;
    let most_parents = (1..count).take_while(affordable).last().unwrap_or(1).min(rules.most_parents);
    rules.most_parents = most_parents;
    let search = Search { rules: &rules, slack: NEGLIGIBLE_SAMPLED, most_work: f64::INFINITY };
    let Families { lists, .. } = search.run(counter);
    let Sample { probabilities, orders, error } = sampled(lists, steps, seed);
    Ok(EdgeProbabilities { probabilities, method: EdgeMethod::Sampled { orders, most_parents, error } })
}

/// The sum over all orders by dynamic programming (Koivisto and Sood 2004, Koivisto 2006), in logarithms.
fn exact(lists: &[Vec<(f64, u64)>]) -> Vec<Vec<f64>> {
    let count = lists.len();
    let everything = all(count);
    // For every variable and set: the sum over all families with parents in that set.
    let sums: Vec<Vec<f64>> = lists.iter().map(|list| sums_below(list, count)).collect();
    let mut before = vec![f64::NEG_INFINITY; 1 << count];
    let mut after = before.clone();
    before[0] = 0.0;
    after[0] = 0.0;
    let mut terms = Vec::with_capacity(count);
    for set in 1..=everything {
        terms.clear();
        terms.extend(
            members(set).map(|v| before[(set & !bit(v)) as usize] + sums[v][(set & !bit(v)) as usize]),
        );
        before[set as usize] = log_sum(&terms);
        terms.clear();
        // The variables of the set are the last ones: one of them comes first and has all variables outside as possible parents.
        terms.extend(
            members(set).map(|v| after[(set & !bit(v)) as usize] + sums[v][(everything & !set) as usize]),
        );
        after[set as usize] = log_sum(&terms);
    }
    let total = before[everything as usize];
    let mut probabilities = vec![vec![0.0; count]; count];
    for (child, list) in lists.iter().enumerate() {
        let rest = |set: u64| before[set as usize] + after[(everything & !set & !bit(child)) as usize];
        let mut weights: Vec<f64> = (0..=everything)
            .map(|set| if set & bit(child) == 0 { rest(set) } else { f64::NEG_INFINITY })
            .collect();
        // For every set of parents: the sum over all sets of predecessors that contain it.
        for other in (0..count).map(|place| 1 << place) {
            for block in weights.chunks_exact_mut(2 * other) {
                let (without, with) = block.split_at_mut(other);
                without.iter_mut().zip(with).for_each(|(without, with)| *without = log_add(*without, *with));
            }
        }
        for (score, parents) in list {
            let probability = libm::exp(score + weights[*parents as usize] - total);
            members(*parents).for_each(|parent| probabilities[parent][child] += probability);
        }
    }
    let limit = |row: Vec<f64>| row.into_iter().map(|one: f64| one.clamp(0.0, 1.0)).collect();
    probabilities.into_iter().map(limit).collect()
}

/// For every set: the logarithm of the sum over all families with parents in it.
fn sums_below(list: &[(f64, u64)], count: usize) -> Vec<f64> {
    let mut sums = vec![f64::NEG_INFINITY; 1 << count];
    list.iter().for_each(|(score, parents)| sums[*parents as usize] = *score);
    for place in (0..count).map(|place| 1 << place) {
        for block in sums.chunks_exact_mut(2 * place) {
            let (without, with) = block.split_at_mut(place);
            with.iter_mut().zip(without).for_each(|(with, without)| *with = log_add(*with, *without));
        }
    }
    sums
}

/// ln(e^one + e^two).
fn log_add(one: f64, two: f64) -> f64 {
    let (low, high) = (one.min(two), one.max(two));
    if low - high < -40.0 || low == f64::NEG_INFINITY {
        high
    } else {
        high + libm::log1p(libm::exp(low - high))
    }
}

/// Mean probabilities over sampled orders.
struct Sample {
    probabilities: Vec<Vec<f64>>,
    orders: usize,
    error: f64,
}

/// Shares the steps among independent chains. They start with a good order: from a random one, chains take too long to get to where orders
/// are likely.
fn sampled(lists: Vec<Vec<(f64, u64)>>, steps: usize, seed: u64) -> Sample {
    let count = lists.len();
    let chain = OrderChain { lists };
    let cost = |variable, available| chain.cost(variable, available);
    let (_, start) = good_order(count, STARTS, &mut Generator::new(seed), &cost);
    let chains: Vec<(Vec<Vec<f64>>, usize)> = (0..CHAINS as u64)
        .map(|number| {
            let mut random = Generator::new(seed.wrapping_mul(CHAINS as u64).wrapping_add(number));
            chain.run(start.clone(), steps / CHAINS, &mut random)
        })
        .collect();
    let mut error = 0.0_f64;
    let mut probabilities = vec![vec![0.0; count]; count];
    for (parent, row) in probabilities.iter_mut().enumerate() {
        for (child, probability) in row.iter_mut().enumerate() {
            let of = |(chain, _): &(Vec<Vec<f64>>, usize)| chain[parent][child];
            let mean = chains.iter().map(of).sum::<f64>() / CHAINS as f64;
            let squares: f64 = chains.iter().map(|chain| (of(chain) - mean).powi(2)).sum();
            error = error.max((squares / ((CHAINS - 1) * CHAINS) as f64).sqrt());
            *probability = mean;
        }
    }
    Sample { probabilities, orders: chains.iter().map(|(_, orders)| orders).sum(), error }
}

/// A Markov chain over orders of the variables (Friedman and Koller 2003).
struct OrderChain {
    lists: Vec<Vec<(f64, u64)>>,
}

impl OrderChain {
    /// The negative score of a variable's best family.
    fn cost(&self, variable: usize, available: u64) -> f64 {
        let fits = self.lists[variable].iter().find(|(_, parents)| parents & !available == 0);
        fits.map_or(f64::INFINITY, |(score, _)| -score)
    }

    /// Half of the steps swap neighbours; the others swap any two variables, or move one to another place. The first fifth of the steps is
    /// not counted; after that, every n-th order is.
    fn run(&self, mut order: Vec<usize>, steps: usize, random: &mut Generator) -> (Vec<Vec<f64>>, usize) {
        let count = self.lists.len();
        let mut sums = self.sums(&order, &vec![f64::NAN; count], 0, count - 1);
        let mut probabilities = vec![vec![0.0; count]; count];
        let mut orders = 0;
        let mut proposal = order.clone();
        for step in 0..steps {
            proposal.clone_from(&order);
            let (first, last) = propose(&mut proposal, random);
            let found = self.sums(&proposal, &sums, first, last);
            let gain = found.iter().sum::<f64>() - sums.iter().sum::<f64>();
            if gain >= 0.0 || random.unit() < libm::exp(gain) {
                std::mem::swap(&mut order, &mut proposal);
                sums = found;
            }
            if step >= steps / 5 && step % count == 0 {
                self.add_edges(&order, &sums, &mut probabilities);
                orders += 1;
            }
        }
        if orders == 0 {
            self.add_edges(&order, &sums, &mut probabilities);
            orders = 1;
        }
        let mean = |row: Vec<f64>| row.into_iter().map(|sum| (sum / orders as f64).clamp(0.0, 1.0)).collect();
        (probabilities.into_iter().map(mean).collect(), orders)
    }

    /// For every variable: the logarithm of the sum over its families. Only those between two places are computed again.
    fn sums(&self, order: &[usize], known: &[f64], first: usize, last: usize) -> Vec<f64> {
        let (mut sums, mut available) = (known.to_vec(), 0_u64);
        for (place, variable) in order.iter().enumerate().take(last + 1) {
            if place >= first {
                let fits = self.lists[*variable].iter().filter(|(_, parents)| parents & !available == 0);
                // The best family comes first: all others are relative to it.
                let mut fits = fits.map(|(score, _)| *score);
                sums[*variable] = fits.next().map_or(f64::NEG_INFINITY, |best| {
                    best + libm::log1p(fits.map(|score| libm::exp(score - best)).sum())
                });
            }
            available |= bit(*variable);
        }
        sums
    }

    fn add_edges(&self, order: &[usize], sums: &[f64], probabilities: &mut [Vec<f64>]) {
        let mut available = 0_u64;
        for child in order {
            for (score, parents) in self.lists[*child].iter().filter(|(_, parents)| parents & !available == 0)
            {
                let probability = libm::exp(score - sums[*child]);
                members(*parents).for_each(|parent| probabilities[parent][*child] += probability);
            }
            available |= bit(*child);
        }
    }
}

/// Changes an order by chance, every change as likely as its reverse. Gives the first and the last place that changed.
fn propose(order: &mut Vec<usize>, random: &mut Generator) -> (usize, usize) {
    let count = order.len();
    if random.bits() & 1 == 0 {
        let first = random.below(count - 1);
        order.swap(first, first + 1);
        return (first, first + 1);
    }
    let (one, two) = (random.below(count), random.below(count));
    if random.bits() & 1 == 0 {
        order.swap(one, two);
    } else {
        let variable = order.remove(one);
        order.insert(two, variable);
    }
    (one.min(two), one.max(two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Table, Variable};

    fn lists(table: &Table) -> Vec<Vec<(f64, u64)>> {
        let rules = Constraints::default().rules(table.variables().len()).unwrap();
        let search = Search { rules: &rules, slack: NEGLIGIBLE, most_work: f64::INFINITY };
        search.run(&mut Counter::new(table).unwrap()).lists
    }

    /// Every edge of a chain can be turned without another score, so none of its directions is certain.
    #[test]
    fn chains_over_orders_do_not_get_caught_in_one_direction() {
        let mut random = Generator::new(11);
        let mut table =
            Table::new((0..14).map(|v| Variable::numbered(format!("v{v}"), 2)).collect()).unwrap();
        for _ in 0..300 {
            let mut row = vec![random.below(2)];
            for place in 0..13 {
                row.push(if random.unit() < 0.2 { random.below(2) } else { row[place] });
            }
            table.push(&row.into_iter().map(Some).collect::<Vec<_>>()).unwrap();
        }
        let lists = lists(&table);
        let exact = exact(&lists);
        for seed in 1..=2 {
            let found = sampled(lists.clone(), 100_000, seed);
            let differences = exact.iter().flatten().zip(found.probabilities.iter().flatten());
            let worst = differences.map(|(one, two)| (one - two).abs()).fold(0.0, f64::max);
            assert!(worst < 0.1 && worst < 4.0 * found.error.max(0.01), "{worst} {}", found.error);
        }
        // Too few steps show in the error.
        assert!(sampled(lists, 2_000, 1).error > 0.05);
    }

    #[test]
    fn sampled_orders_come_close_to_all_orders() {
        let mut random = Generator::new(7);
        let mut table = Table::new((0..6).map(|v| Variable::numbered(format!("v{v}"), 2)).collect()).unwrap();
        for _ in 0..200 {
            let mut row = vec![random.below(2)];
            for place in 0..5 {
                row.push(if random.unit() < 0.35 { random.below(2) } else { row[place / 2] });
            }
            table.push(&row.into_iter().map(Some).collect::<Vec<_>>()).unwrap();
        }
        let lists = lists(&table);
        let exact = exact(&lists);
        let sampled = sampled(lists, 40_000, 7);
        for (one, two) in exact.iter().flatten().zip(sampled.probabilities.iter().flatten()) {
            assert!((one - two).abs() < 0.05, "{one} {two}");
        }
        assert!(exact.iter().flatten().any(|one| *one > 0.3), "{exact:?}");
    }
}
