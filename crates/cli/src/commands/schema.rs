//! `crewlab schema`.

use crate::terminal::print;
use crewlab_lab::scenario::schema;
use std::process::ExitCode;

pub fn run() -> anyhow::Result<ExitCode> {
    print(&format!("{}\n", serde_json::to_string_pretty(&schema::of_everything())?))?;
    Ok(ExitCode::SUCCESS)
}
