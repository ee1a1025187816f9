//! The search for a structure, with what this number of variables allows.

use crewlab_learn::{
    Certificate, ChainParams, Constraints, Counter, EdgeProbabilities, Error, MOST_OPTIMAL, Scores,
    Structure, Table, chain, edge_probabilities, good_structure, k2, optimum,
};
use serde::Serialize;

/// What was found, and how.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The structure.
    pub structure: Structure,
    /// Its score (BIC).
    pub score: f64,
    /// The proof that there is no better one; nothing if there were too many variables, or if the structure was given.
    pub certificate: Option<Certificate>,
    /// Without a proof, the largest number of parents that the search over orders looked at.
    pub most_parents: Option<usize>,
    /// The score of the best structure that the Markov chain came across; nothing if the structure was given.
    pub chain_score: Option<f64>,
    /// The score of K2's structure with the order of that one.
    pub k2_score: Option<f64>,
    /// Accepted per proposed changes after each step of the chain.
    #[serde(skip)]
    pub accepted_per_proposed: Vec<f64>,
    /// Accepted per rejected changes.
    #[serde(skip)]
    pub accepted_per_rejected: Vec<f64>,
    /// How probable each edge is, from parent to child.
    pub edges: EdgeProbabilities,
    /// Number of rows that were left out because of missing values.
    pub left_out: usize,
}

/// Searches the best structure. A fixed one is only scored.
pub fn search(
    table: &Table,
    constraints: &Constraints,
    params: &ChainParams,
    fixed: Option<&Structure>,
) -> Result<Found, Error> {
    let mut counter = Counter::new(table)?;
    let edges = edge_probabilities(&mut counter, constraints, params.order_steps, params.seed)?;
    let left_out = counter.left_out();
    let mut scores = Scores::new(counter.clone());
    let mut found = Found {
        structure: Structure::empty(table.variables().len()),
        score: 0.0,
        certificate: None,
        most_parents: None,
        chain_score: None,
        k2_score: None,
        accepted_per_proposed: Vec::new(),
        accepted_per_rejected: Vec::new(),
        edges,
        left_out,
    };
    if let Some(fixed) = fixed {
        (found.structure, found.score) = (fixed.clone(), scores.structure(fixed)?);
        return Ok(found);
    }
    let walk = chain(&mut scores, constraints, params)?;
    let greedy = k2(&mut scores, &walk.best.order(), constraints)?;
    let greedy_score = scores.structure(&greedy)?;
    (found.accepted_per_proposed, found.accepted_per_rejected) =
        (walk.accepted_per_proposed(), walk.accepted_per_rejected());
    (found.chain_score, found.k2_score) = (Some(walk.score), Some(greedy_score));
    (found.structure, found.score) =
        if greedy_score > walk.score { (greedy, greedy_score) } else { (walk.best, walk.score) };
    if table.variables().len() <= MOST_OPTIMAL {
        let proven = optimum(&mut counter, constraints)?;
        // With a limit on parents for lack of time, the others may be better.
        if proven.score >= found.score - 1e-6 {
            (found.structure, found.score) = (proven.structure, proven.score);
            found.certificate = Some(proven.certificate);
        }
    } else {
        let good = good_structure(&mut counter, constraints)?;
        found.most_parents = Some(good.most_parents);
        if good.score > found.score {
            (found.structure, found.score) = (good.structure, good.score);
        }
    }
    Ok(found)
}
