//! Teams that learn from run to run: chains of runs, compared with runs with hand-set values.

mod chain;
mod results;

pub use chain::{Career, ChainPlan, LearnError, LearningChains, MissionEnd, Pair, learn};
pub use crewlab_statistics::Mean;
pub use results::{LearningSummary, RunRow, ensure_free};
