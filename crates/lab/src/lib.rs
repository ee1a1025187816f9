//! The laboratory: scenario files in, runs, results and reports out.

pub mod auctions;
pub mod bench;
pub mod catalog;
pub mod check;
pub mod coverage;
pub mod explain;
pub mod learning;
pub mod link;
pub mod report;
pub mod run;
pub mod scenario;

/// The version of the program: the package's, and a fingerprint of the sources that decide how runs end (build.rs).
pub const VERSION: &str = env!("CREWLAB_VERSION");

pub use crewlab_allocation as allocation;
pub use crewlab_sim as sim;
