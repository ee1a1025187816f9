//! One file per command.

pub mod bench;
pub mod check;
pub mod list;
pub mod new;
pub mod run;
pub mod schema;

use crewlab_lab::scenario::{Request, Scenario, load};

/// Which scenario, and what to change about it.
#[derive(clap::Args)]
pub struct Which {
    /// The name of a shipped scenario (see `crewlab list scenarios`) or a scenario file
    #[arg(value_name = "NAME_OR_FILE")]
    scenario: String,
    /// Change a value, e.g. --set team.alliance.threshold=50 (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl Which {
    fn load(self, seed: Option<u64>) -> anyhow::Result<Scenario> {
        let scenario = load(&Request { scenario: self.scenario, sets: self.sets, seed })?;
        crate::terminal::warn(&scenario.warnings);
        Ok(scenario)
    }
}
