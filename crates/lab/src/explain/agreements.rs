//! What a team agreed on at the points of its plan, and where its robots stood, from the tables of a run.

use super::{ExplainError, read_manifest};
use crate::run::Agreement;
use crate::table::Reader;
use crewlab_figures::axis::time_label;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Agreements shown before and after the time in question.
const AROUND: usize = 3;

/// A query for agreements.
#[derive(Clone, Debug)]
pub struct AgreementQuestion {
    /// The folder of the run.
    pub folder: PathBuf,
    /// Only those around this time, and where robots stood then. [s]
    pub at: Option<f64>,
}

/// Where a robot stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stand {
    /// Since when. [s]
    pub time_s: f64,
    /// The robot.
    pub robot: String,
    /// The behaviours that it executed.
    pub stack: String,
    /// The point at which it waited; empty for none.
    pub waits_at: String,
    /// For whom.
    pub missing: String,
    /// What was contributed there.
    pub said: String,
}

/// The requested agreements.
#[derive(Clone, Debug, Serialize)]
pub struct AgreementAnswer {
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// Number of all agreements of the run.
    pub in_all: usize,
    /// The time in question. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// Where robots stood at that time.
    pub stands: Vec<Stand>,
    /// The agreements.
    pub agreements: Vec<Agreement>,
}

/// Finds the requested agreements.
pub fn agreements(question: &AgreementQuestion) -> Result<AgreementAnswer, ExplainError> {
    let manifest = read_manifest(&question.folder)?;
    let all: Option<Vec<Agreement>> = read(&question.folder, "agreements.csv")?;
    let Some(mut all) = all else {
        let folder = question.folder.clone();
        // Only teams with a plan have stacks.
        return Err(match folder.join("stacks.csv").exists() {
            true => ExplainError::NothingAgreed(folder),
            false => ExplainError::NoAgreements(folder),
        });
    };
    let in_all = all.len();
    let mut stands: Vec<Stand> = Vec::new();
    if let Some(at) = question.at {
        let later = all.partition_point(|agreement| agreement.time_s <= at + 1e-9);
        all = all[later.saturating_sub(AROUND)..(later + AROUND).min(in_all)].to_vec();
        let rows: Vec<Stand> = read(&question.folder, "stacks.csv")?.unwrap_or_default();
        for row in rows.into_iter().take_while(|row| row.time_s <= at + 1e-9) {
            match stands.iter_mut().find(|known| known.robot == row.robot) {
                Some(known) => *known = row,
                None => stands.push(row),
            }
        }
    }
    Ok(AgreementAnswer {
        scenario: manifest["scenario"].as_str().unwrap_or_default().into(),
        seed: manifest["seed"].as_u64().unwrap_or_default(),
        in_all,
        at_s: question.at,
        stands,
        agreements: all,
    })
}

/// A table of the run; `None` if there is none.
fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<Vec<T>>, ExplainError> {
    let path = folder.join(name);
    let rows = Reader::open(&path).and_then(|table| table.map(Reader::all).transpose());
    rows.map_err(|error| ExplainError::Read(path, error))
}

impl AgreementAnswer {
    /// The agreements as text.
    pub fn readable(&self) -> String {
        let around = self.at_s.map_or(String::new(), |at| format!(" around {}", time_label(at)));
        let count = match self.agreements.len() {
            count if count == self.in_all => format!("{count} agreements"),
            count => format!("{count} of {} agreements", self.in_all),
        };
        let mut text = format!("{count}{around} in {} (seed {})\n", self.scenario, self.seed);
        for agreement in &self.agreements {
            let Agreement { time_s, behaviour, event, how, .. } = agreement;
            let preposition = if event == "allocated" { "of" } else { "after" };
            let took = match agreement.seconds {
                Some(seconds) if seconds > 0.0 => format!(", in {seconds:.2} s"),
                Some(_) => ", at once".into(),
                None => String::new(),
            };
            text += &format!("\n{:>9}  {event} {preposition} {behaviour}, {how}{took}", time_label(*time_s));
        }
        text.push('\n');
        if let Some(at) = self.at_s {
            text += &format!("\nAt {}:\n", time_label(at));
        }
        for Stand { robot, stack, waits_at, missing, said, .. } in &self.stands {
            let stack = if stack.is_empty() { "executes nothing" } else { stack };
            text += &format!("{robot:>9}  {stack}");
            if !waits_at.is_empty() {
                text += &format!("; waits at `{waits_at}`");
                text += &if missing.is_empty() {
                    String::new()
                } else {
                    format!(" for {}", missing.replace(';', ","))
                };
                text += &if said.is_empty() { String::new() } else { format!(" ({said})") };
            }
            text.push('\n');
        }
        text
    }
}
