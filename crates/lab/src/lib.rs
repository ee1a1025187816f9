//! The laboratory: a scenario in, one run with its results and its report out.

pub mod analysis;
pub mod auctions;
pub mod bench;
pub mod budget;
pub mod catalog;
pub mod check;
pub mod coverage;
pub mod estimates;
pub mod explain;
pub mod link;
pub mod mapping;
pub mod plan;
pub mod run;
pub mod sketch;
pub mod table;

/// The version of the program: the package's, and a fingerprint of the sources that decide results (build.rs).
pub const VERSION: &str = env!("CREWLAB_VERSION");

/// Why a run of another version may differ when it is repeated; `None` for this version.
pub fn doubt(what: &str, version: &str) -> Option<String> {
    let words = format!(
        "{what} was run by crewlab {version} and is repeated by {VERSION}, which may give other results"
    );
    (version != VERSION).then_some(words)
}

pub use crewlab_allocation as allocation;
pub use crewlab_learn as learn;
pub use crewlab_navigation as navigation;
pub use crewlab_sim as sim;
