//! Bayesian networks from tables: which quantities depend on each other, what is likely given what is known, and what it will cost.
//!
//! Self-contained and fit to run on board: no threads, no clock, no files, and randomness only from a given seed. Equal input gives
//! equal bits. What the variables mean is up to the caller.
//!
//! | question | item |
//! | --- | --- |
//! | what is data? | [`Variable`], [`Table`], [`Discretisation`] |
//! | what depends on what? | [`Structure`], [`Constraints`], [`Scores`] |
//! | which structure is the best one? | [`optimum`] up to 28 variables, [`chain`] and [`k2`] for more |
//! | how sure is an edge? | [`edge_probabilities`] |
//! | how strongly are two variables tied? | [`eta()`], [`ranking`] |
//! | what is likely, given evidence? | [`Network`], [`Question`], [`Posterior`] |
//! | what will it cost? | [`CostDistribution`] |
//! | what is in a file, and where is it valid? | [`Model`] |
//!
//! Nothing here panics: input that cannot be used is refused with an [`Error`]. No result is NaN.

#![warn(missing_docs)]

mod association;
mod best_parents;
mod chain;
mod constraints;
mod cost;
mod counter;
mod discretise;
mod edges;
mod error;
mod families;
mod graphs;
mod k2;
mod model;
mod network;
mod optimum;
mod orders;
mod posterior;
mod prior;
mod question;
mod random;
mod ranks;
mod score;
mod structure;
mod table;
mod tallies;
mod variable;
pub mod workload;

pub use association::{WEAK, eta, eta_of_network, eta_of_table, loners, ranking};
pub use chain::{Chain, ChainParams, chain};
pub use constraints::Constraints;
pub use cost::{CostDistribution, Rounding};
pub use counter::Counter;
pub use discretise::Discretisation;
pub use edges::{EdgeMethod, EdgeProbabilities, MOST_EXACT, edge_probabilities};
pub use error::Error;
pub use graphs::acyclic_graphs;
pub use k2::k2;
pub use model::{MOST_BYTES, Model, Validity};
pub use network::{MOST_CELLS, Network};
pub use optimum::{Certificate, GoodStructure, MOST_OPTIMAL, Optimum, good_structure, optimum};
pub use posterior::Posterior;
pub use prior::Prior;
pub use question::Question;
pub use random::Generator;
pub use score::Scores;
pub use structure::Structure;
pub use table::Table;
pub use variable::{MOST_STATES, MOST_VARIABLES, Variable, level_names};
