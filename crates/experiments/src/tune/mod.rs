//! Tuning of parameters: candidates on common seeds, and the best of them against the default on seeds that the search has not
//! seen.

mod lookup;
mod page;
mod race;
mod results;
pub mod search;
pub mod space;
pub mod spec;
mod summary;
mod tuned_scenario;
mod tuner;
mod tuning;
pub mod verdict;
mod words;

pub use results::write;
pub use summary::{Chosen, SearchEffort, TuningSummary, summary};
pub use tuner::{Candidate, CandidateFate, TuneError, Tuned, TuningProgress, tune};
pub use tuning::{Given, Tuning, read, schema};

#[cfg(test)]
mod tests;
