//! Many runs and their analysis: sweeps over factors and seeds, comparisons of coordinators, teams that learn from run to run,
//! tuning of parameters, the search for disturbances that defeat a team, and campaigns for settings in which teams do not finish.

pub mod analysis;
pub mod bench;
pub mod breaking;
pub mod campaign;
pub mod compare;
pub mod file;
pub mod folder;
pub mod hq;
pub mod learning;
pub mod metrics;
pub mod page;
#[cfg(feature = "parquet")]
mod parquet;
pub mod plan;
pub mod pool;
pub mod results;
pub mod runner;
pub mod store;
pub mod sweep;
pub mod table;
pub mod text;
pub mod trials;
pub mod tune;
