//! A run as a scenario that reproduces it, and its results as files.

use super::branch::{Deed, Past};
use super::lane::Lane;
use crewlab_lab::run::{RunOptions, run};
use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Request, load};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run up to a moment, as a scenario.
pub(super) struct Saved {
    /// Its name.
    pub name: String,
    /// The scenario file.
    pub text: String,
    /// The result hash of `crewlab run` with it.
    pub result_hash: String,
}

/// A scenario that reproduces the run of lane number `index` up to now, with its deeds.
pub(super) fn save(index: usize, lane: &Lane, past: &Past, deeds: &[Arc<Deed>]) -> Result<Saved, String> {
    let simulation = &lane.simulation;
    if simulation.state.tick == 0 {
        return Err("the run has not started yet, so there is nothing to save".into());
    }
    let mut resolved = past.start.scenario.resolved.clone();
    let done = |deed: &&Arc<Deed>| {
        deed.lane.is_none_or(|lane| lane == index) && !past.refused.contains(&deed.number)
    };
    let deeds: Vec<&Arc<Deed>> = deeds.iter().filter(done).collect();
    let list = deeds.iter().map(|deed| serde_json::to_value(&deed.spec));
    let list = list.collect::<Result<Vec<Value>, _>>().map_err(|error| error.to_string())?;
    match &mut resolved["disturbances"] {
        Value::Array(already) => already.extend(list),
        missing => *missing = Value::Array(list),
    }
    let (seed, result_hash) = (simulation.model.seed, lane.fingerprint());
    let now = simulation.now().seconds();
    // Writing into a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(
        text,
        "# {}, seed {seed}, run live with {} by hand, at the end of `disturbances`.",
        past.start.scenario.name,
        match deeds.len() {
            1 => "one intervention".to_string(),
            many => format!("{many} interventions"),
        }
    );
    let _ = writeln!(text, "# `crewlab run` with this file ends after {now} s with the result hash");
    let _ = writeln!(text, "# {result_hash}");
    if !simulation.finished() {
        let until = std::mem::replace(&mut resolved["run"]["until"], json!(now));
        let _ =
            writeln!(text, "# The run had not ended: set `until` back to {until} s to run it to its end.");
    }
    text.push_str(&to_yaml(&resolved));
    Ok(Saved { name: format!("{}-{seed}-live", past.start.scenario.name), text, result_hash })
}

/// Repeats a saved run with all its results; returns the folder and its name.
pub(super) fn export(saved: &Saved, into: &Path, threads: usize) -> Result<(PathBuf, String), String> {
    let request =
        Request { scenario: saved.name.clone(), text: Some(saved.text.clone()), ..Request::default() };
    let scenario = load(&request).map_err(|problems| problems.brief())?;
    let mut name = saved.name.clone();
    let mut number = 1;
    while into.join(&name).exists() {
        number += 1;
        name = format!("{}-{number}", saved.name);
    }
    let out = into.join(&name);
    let options = RunOptions {
        out: Some(out.clone()),
        force: false,
        threads,
        timing: false,
        scan_logs: false,
        stop: Arc::new(AtomicBool::new(false)),
    };
    let summary = run(&scenario, &options, &mut |_| {}).map_err(|error| error.to_string())?;
    if summary.result_hash != saved.result_hash {
        return Err(format!(
            "repeating the run gave another result ({} instead of {}): {} is not what was shown",
            summary.result_hash,
            saved.result_hash,
            out.display()
        ));
    }
    Ok((out, name))
}
