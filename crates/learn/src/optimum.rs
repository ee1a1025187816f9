//! The best of all structures, proven.

use crate::best_parents::{BestParents, codes};
use crate::constraints::Constraints;
use crate::counter::Counter;
use crate::error::Error;
use crate::families::{Families, Search};
use crate::orders::{ROUNDING, good_order};
use crate::random::Generator;
use crate::ranks::choose;
use crate::structure::{Structure, bit, members};
use serde::{Deserialize, Serialize};

/// The largest number of variables for which the optimum is searched.
pub const MOST_OPTIMAL: usize = 28;

/// Up to this number of variables, bounds cost more than they save.
const FEW: usize = 12;

/// The size of the larger part of the variables in bounds.
const LARGE_PART: usize = 19;

/// Families that are looked at for a structure without proof.
const MOST_FAMILIES: f64 = 4e6;

/// Rows that are counted before the number of parents is limited.
const MOST_WORK: f64 = 2e10;

/// Number of random orders from which a good one is searched.
const STARTS: usize = 20;

/// The best structure and the proof that there is no better one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimum {
    /// The structure; others may have the same score.
    pub structure: Structure,
    /// Its score (BIC).
    pub score: f64,
    /// How much was looked at.
    pub certificate: Certificate,
}

/// A good structure that is not proven to be the best.
#[derive(Clone, Debug, PartialEq)]
pub struct GoodStructure {
    /// The structure.
    pub structure: Structure,
    /// Its score (BIC).
    pub score: f64,
    /// The largest number of parents that was looked at.
    pub most_parents: usize,
}

/// What was looked at to prove that no other structure has a better score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Number of sets of variables whose combinations of states were counted.
    pub sets_counted: u64,
    /// Number of families that are better than all with fewer of the same parents. All others were proven useless.
    pub families: u64,
    /// Number of sets of variables (the first ones of an order) that were extended. No other can begin a better structure.
    pub sets_extended: u64,
    /// If families with more parents could not be looked at: the optimum is that of structures with at most so many parents.
    pub most_parents: Option<usize>,
}

/// Finds the best structure by dynamic programming over sets of variables: the best structure over a set has a variable without children in
/// it, and the best structure over the others. Sets that cannot lead to a better structure than one that is already known are left out.
pub fn optimum(counter: &mut Counter, constraints: &Constraints) -> Result<Optimum, Error> {
    let count = counter.variables();
    if count > MOST_OPTIMAL {
        let accepted =
            format!("at most {MOST_OPTIMAL} variables for a proven optimum; the Markov chain takes more");
        return Err(Error::new("structure", format!("{count} variables"), accepted));
    }
    let rules = constraints.rules(count)?;
    let Families { lists, counted, limit } =
        Search { rules: &rules, slack: 0.0, most_work: MOST_WORK }.run(counter);
    let (mut order, mut sets_extended) = (Vec::new(), 0);
    for component in components(&lists) {
        let best = BestParents::new(within(&lists, &component));
        let size = component.len();
        let (found, extended) = if size <= FEW { all_sets(&best, size) } else { bounded(&best, size) };
        order.extend(found.iter().map(|place| component[*place]));
        sets_extended += extended;
    }
    let families: u64 = lists.iter().map(|list| list.len() as u64).sum();
    let parents = parents_in(&lists, &order);
    let score = parents.iter().map(|(score, _)| score).sum();
    let structure = Structure::from_masks(&parents.iter().map(|(_, set)| *set).collect::<Vec<_>>());
    let certificate = Certificate { sets_counted: counted, families, sets_extended, most_parents: limit };
    Ok(Optimum { structure, score, certificate })
}

/// A good structure for more variables than [`optimum`] takes, without proof: the best one of a good order, with a limit on parents.
pub fn good_structure(counter: &mut Counter, constraints: &Constraints) -> Result<GoodStructure, Error> {
    let (count, rows) = (counter.variables(), counter.rows() as f64);
    let mut rules = constraints.rules(count)?;
    let affordable = |parents: &usize| {
        choose(count - 1, *parents) * count as f64 <= MOST_FAMILIES
            && choose(count, parents + 1) * rows <= MOST_WORK
    };
    let demanded = rules.required.iter().map(|set| set.count_ones() as usize).max().unwrap_or(0);
    let most_parents =
        (1..count).take_while(affordable).last().unwrap_or(1).max(demanded).min(rules.most_parents);
    rules.most_parents = most_parents;
    let Families { lists, .. } = Search { rules: &rules, slack: 0.0, most_work: MOST_WORK }.run(counter);
    let cost = |variable: usize, available: u64| {
        let fits = lists[variable].iter().find(|(_, parents)| parents & !available == 0);
        fits.map_or(f64::INFINITY, |(score, _)| -score)
    };
    let (_, order) = good_order(count, STARTS, &mut Generator::new(1), &cost);
    let parents = parents_in(&lists, &order);
    let score = parents.iter().map(|(score, _)| score).sum();
    let structure = Structure::from_masks(&parents.iter().map(|(_, set)| *set).collect::<Vec<_>>());
    Ok(GoodStructure { structure, score, most_parents })
}

/// The best family of every variable in an order of all variables.
fn parents_in(lists: &[Vec<(f64, u64)>], order: &[usize]) -> Vec<(f64, u64)> {
    let (mut chosen, mut available) = (vec![(0.0, 0); order.len()], 0_u64);
    for variable in order {
        let fits = lists[*variable].iter().find(|(_, parents)| parents & !available == 0);
        chosen[*variable] = fits.copied().unwrap_or_default();
        available |= bit(*variable);
    }
    chosen
}

/// Groups of variables, such that useful parents are in the same group or in an earlier one. Only within a group, the order matters.
fn components(lists: &[Vec<(f64, u64)>]) -> Vec<Vec<usize>> {
    let count = lists.len();
    // Everything that a variable may depend on, itself included.
    let union = |(variable, list): (usize, &Vec<(f64, u64)>)| {
        list.iter().fold(bit(variable), |union, (_, parents)| union | parents)
    };
    let mut ancestors: Vec<u64> = lists.iter().enumerate().map(union).collect();
    for middle in 0..count {
        for variable in 0..count {
            if ancestors[variable] & bit(middle) != 0 {
                ancestors[variable] |= ancestors[middle];
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut order: Vec<usize> = (0..count).collect();
    // An ancestor outside of a variable's group has fewer ancestors.
    order.sort_by_key(|variable| (ancestors[*variable].count_ones(), ancestors[*variable], *variable));
    for variable in order {
        let together =
            |other: usize| ancestors[variable] & bit(other) != 0 && ancestors[other] & bit(variable) != 0;
        match groups.last_mut().filter(|group| together(group[0])) {
            Some(group) => group.push(variable),
            None => groups.push(vec![variable]),
        }
    }
    groups
}

/// The families of a group, with its variables numbered by their places in it. Parents outside are available in any case.
fn within(lists: &[Vec<(f64, u64)>], group: &[usize]) -> Vec<Vec<(f64, u64)>> {
    let renumbered = |parents: u64| {
        let inside = group.iter().enumerate().filter(|(_, variable)| parents & bit(**variable) != 0);
        inside.fold(0, |set, (place, _)| set | bit(place))
    };
    let list =
        |variable: &usize| lists[*variable].iter().map(|(score, set)| (*score, renumbered(*set))).collect();
    group.iter().map(list).collect()
}

/// The best order of all variables, by looking at all sets.
fn all_sets(best: &BestParents, count: usize) -> (Vec<usize>, u64) {
    let mut costs = vec![0.0; 1 << count];
    for set in 1..1_u64 << count {
        let last = |variable: usize| {
            let rest = set & !bit(variable);
            costs[rest as usize] + best.cost(variable, rest)
        };
        costs[set as usize] = members(set).map(last).fold(f64::INFINITY, f64::min);
    }
    (trace_back(best, &costs, count, |_| true), 1 << count)
}

/// The same, without sets from which the best known structure cannot be beaten.
fn bounded(best: &BestParents, count: usize) -> (Vec<usize>, u64) {
    let cost = |variable, available| best.cost(variable, available);
    let (least, known) = good_order(count, STARTS, &mut Generator::new(1), &cost);
    let most = least - ROUNDING;
    let bound = Remainder::new(best, count);
    // Memory that is never touched costs nothing: a bit per set that was reached, and the costs of these sets.
    let (mut reached, mut costs) = (vec![0_u64; (1 << count) / 64], vec![0.0; 1 << count]);
    reached[0] = 1;
    let (everything, mut extended) = ((1_u64 << count) - 1, 0);
    for word in 0..reached.len() {
        let mut later = u64::MAX;
        // Sets that are reached from here may be in the same word.
        while let Some(place) = members(reached[word] & later).next() {
            later = (u64::MAX << place) << 1;
            let set = (word << 6 | place) as u64;
            let cost = costs[set as usize];
            extended += 1;
            for variable in members(everything & !set) {
                let (next, more) = (set | bit(variable), cost + best.cost(variable, set));
                if more + bound.least(next) < most {
                    let known = if is_in(&reached, next) { costs[next as usize] } else { f64::INFINITY };
                    costs[next as usize] = more.min(known);
                    reached[(next >> 6) as usize] |= bit(next as usize & 63);
                }
            }
        }
    }
    let order = if is_in(&reached, everything) {
        trace_back(best, &costs, count, |set| is_in(&reached, set))
    } else {
        known
    };
    (order, extended)
}

fn is_in(sets: &[u64], set: u64) -> bool {
    sets[(set >> 6) as usize] & bit(set as usize & 63) != 0
}

/// The order that leads to the cost of the full set.
fn trace_back(best: &BestParents, costs: &[f64], count: usize, reached: impl Fn(u64) -> bool) -> Vec<usize> {
    let mut set = (1_u64 << count) - 1;
    let mut order = Vec::with_capacity(count);
    while set != 0 {
        let distance = |variable: &usize| {
            let rest = set & !bit(*variable);
            let cost =
                if reached(rest) { costs[rest as usize] + best.cost(*variable, rest) } else { f64::INFINITY };
            (cost - costs[set as usize]).abs()
        };
        let last =
            members(set).min_by(|one, two| distance(one).total_cmp(&distance(two))).unwrap_or_default();
        order.push(last);
        set &= !bit(last);
    }
    order.reverse();
    order
}

/// A lower bound on the cost of the variables outside a set. The variables are in two parts, and each part is ordered on its own, as if all
/// of the other part were available as parents.
struct Remainder {
    parts: [Part; 2],
}

struct Part {
    /// Moves the bits of this part together, by the low and the high bits of a set.
    low: Vec<u32>,
    high: Vec<u32>,
    low_bits: u32,
    /// The least cost of the part's variables that are not in a set of them.
    costs: Vec<f64>,
}

impl Remainder {
    fn new(best: &BestParents, count: usize) -> Remainder {
        Remainder { parts: parts(best, count).map(|part| Part::new(best, count, &part)) }
    }

    #[inline]
    fn least(&self, set: u64) -> f64 {
        self.parts[0].least(set) + self.parts[1].least(set)
    }
}

/// Divides the variables into a large and a small part, such that little is gained from parents across both directions of the border.
fn parts(best: &BestParents, count: usize) -> [Vec<usize>; 2] {
    let everything = (1_u64 << count) - 1;
    let gain = |parent: usize, child: usize| {
        let others = everything & !bit(child);
        let (without, with) = (best.cost(child, others & !bit(parent)), best.cost(child, others));
        if without.is_finite() { without - with } else { 0.0 }
    };
    // A bound that allows a cycle of two variables is too low by at most the smaller gain.
    let tie = |one: usize, two: usize| gain(one, two).min(gain(two, one));
    let ties: Vec<Vec<f64>> = (0..count).map(|one| (0..count).map(|two| tie(one, two)).collect()).collect();
    let (mut large, mut small): (Vec<usize>, Vec<usize>) =
        (0..count).partition(|variable| *variable < LARGE_PART);
    loop {
        let pull = |variable: usize, to: &[usize], from: &[usize]| {
            let sum = |part: &[usize]| part.iter().map(|other| ties[variable][*other]).sum::<f64>();
            sum(to) - sum(from)
        };
        let mut winner = (ROUNDING, 0, 0);
        for (one, out) in large.iter().enumerate() {
            for (two, back) in small.iter().enumerate() {
                let saved =
                    pull(*out, &small, &large) + pull(*back, &large, &small) - 2.0 * ties[*out][*back];
                if saved > winner.0 {
                    winner = (saved, one, two);
                }
            }
        }
        if winner.0 <= ROUNDING {
            return [large, small];
        }
        std::mem::swap(&mut large[winner.1], &mut small[winner.2]);
    }
}

impl Part {
    fn new(best: &BestParents, count: usize, variables: &[usize]) -> Part {
        let all = variables.iter().fold(0, |set, variable| set | bit(*variable));
        let outside = ((1_u64 << count) - 1) & !all;
        let mut costs = vec![f64::INFINITY; 1 << variables.len()];
        let last = costs.len() - 1;
        costs[last] = 0.0;
        for code in (0..last).rev() {
            let inside = members(code as u64).fold(0, |set, place| set | bit(variables[place]));
            let available = inside | outside;
            let next = |place: usize| best.cost(variables[place], available) + costs[code | 1 << place];
            let absent = members(!code as u64 & last as u64);
            costs[code] = absent.map(next).fold(f64::INFINITY, f64::min);
        }
        let place = |variable: usize| variables.iter().position(|own| *own == variable);
        let together = |set: u64| members(set).filter_map(place).fold(0, |code, place| code | 1 << place);
        let low_bits = count as u32 / 2;
        let (low, high) = (codes(0, low_bits, together), codes(low_bits, count as u32 - low_bits, together));
        Part { low, high, low_bits, costs }
    }

    #[inline]
    fn least(&self, set: u64) -> f64 {
        let low = self.low[(set & ((1 << self.low_bits) - 1)) as usize];
        self.costs[(low | self.high[(set >> self.low_bits) as usize]) as usize]
    }
}
