//! A Markov chain over structures.

use crate::constraints::{Constraints, Rules};
use crate::error::Error;
use crate::random::Generator;
use crate::score::Scores;
use crate::structure::{Structure, bit, members};

/// How a chain is run.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainParams {
    /// Number of proposals. Default: 2000.
    pub steps: usize,
    /// Number of proposals of the chains over orders, for edge probabilities above [`crate::MOST_EXACT`] variables. Default: 200,000.
    pub order_steps: usize,
    /// Seed of the random numbers. Default: 1.
    pub seed: u64,
}

impl Default for ChainParams {
    fn default() -> ChainParams {
        ChainParams { steps: 2000, order_steps: 200_000, seed: 1 }
    }
}

/// What a chain has found. A stable acceptance ratio does not show that it has converged.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The best structure that it came across.
    pub best: Structure,
    /// Its score.
    pub score: f64,
    /// Number of accepted proposals after each step.
    pub accepted: Vec<u32>,
}

impl Chain {
    /// Accepted per proposed changes after each step.
    pub fn accepted_per_proposed(&self) -> Vec<f64> {
        let ratio = |(step, accepted): (usize, &u32)| f64::from(*accepted) / (step + 1) as f64;
        self.accepted.iter().enumerate().map(ratio).collect()
    }

    /// Accepted per rejected changes after each step; with the number of accepted ones as long as none was rejected.
    pub fn accepted_per_rejected(&self) -> Vec<f64> {
        let ratio = |(step, accepted): (usize, &u32)| {
            f64::from(*accepted) / ((step + 1) as f64 - f64::from(*accepted)).max(1.0)
        };
        self.accepted.iter().enumerate().map(ratio).collect()
    }
}

/// Runs a Metropolis chain whose proposals add, remove or reverse one edge. From a pair of variables without an edge, one is added; an edge
/// is removed or reversed with equal probability. So every proposal is as likely as the one that undoes it.
pub fn chain(scores: &mut Scores, constraints: &Constraints, params: &ChainParams) -> Result<Chain, Error> {
    let count = scores.counter().variables();
    let rules = constraints.rules(count)?;
    let mut random = Generator::new(params.seed);
    let mut parents = rules.required.clone();
    let mut score = scores.total(&parents);
    let mut best = (score, parents.clone());
    let (mut accepted, mut curve) = (0, Vec::with_capacity(params.steps));
    for _ in 0..params.steps {
        if let Some(proposal) = propose(&parents, &rules, &mut random) {
            let changed = (0..count).filter(|variable| proposal[*variable] != parents[*variable]);
            let gain: f64 = changed
                .map(|variable| {
                    scores.family(variable, proposal[variable]) - scores.family(variable, parents[variable])
                })
                .sum();
            if gain >= 0.0 || random.unit() < libm::exp(gain) {
                (parents, score, accepted) = (proposal, score + gain, accepted + 1);
                if score > best.0 {
                    best = (score, parents.clone());
                }
            }
        }
        curve.push(accepted);
    }
    // Without the rounding errors of all gains.
    let score = scores.total(&best.1);
    Ok(Chain { best: Structure::from_masks(&best.1), score, accepted: curve })
}

/// A random change; nothing if it is not allowed.
fn propose(parents: &[u64], rules: &Rules, random: &mut Generator) -> Option<Vec<u64>> {
    let count = parents.len();
    if count < 2 {
        return None;
    }
    let one = random.below(count);
    let two = (one + 1 + random.below(count - 1)) % count;
    let reverse = random.bits() & 1 == 1;
    let mut proposal = parents.to_vec();
    let edge =
        [(one, two), (two, one)].into_iter().find(|(parent, child)| parents[*child] & bit(*parent) != 0);
    let (added, changed) = match edge {
        None => (Some((one, two)), [two, two]),
        Some((parent, child)) => {
            proposal[child] &= !bit(parent);
            (reverse.then_some((child, parent)), [parent, child])
        }
    };
    if let Some((parent, child)) = added {
        if ancestors(&proposal, parent) & bit(child) != 0 {
            return None;
        }
        proposal[child] |= bit(parent);
    }
    changed.iter().all(|variable| rules.allow(*variable, proposal[*variable])).then_some(proposal)
}

/// A variable and everything that it depends on.
fn ancestors(parents: &[u64], variable: usize) -> u64 {
    let (mut found, mut fresh) = (bit(variable), bit(variable));
    while fresh != 0 {
        let more = members(fresh).fold(0, |more, variable| more | parents[variable]);
        fresh = more & !found;
        found |= more;
    }
    found
}
