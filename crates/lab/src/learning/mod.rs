//! Teams that learn from run to run: learned values as files, and chains of runs compared with hand-set values.

mod chain;
mod results;
mod values;

pub use chain::{Career, Ending, Experiment, LearnError, Pair, Plan, learn};
pub use crewlab_statistics::Mean;
pub use results::{LearningSummary, RunRow, ensure_free};
pub use values::{LearnedValues, odd_time, parse};
