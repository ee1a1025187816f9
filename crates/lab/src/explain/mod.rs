//! Explanations of a finished run. For links and plans the run is repeated from its folder, up to the moment in question: same scenario,
//! same seed, same bytes. Auctions and agreements are read from its tables.

mod again;
mod agreements;
mod market;
mod messages;
mod plan;

pub use agreements::{AgreementAnswer, AgreementQuestion, Stand, agreements};
pub use market::{AuctionAnswer, AuctionQuestion, auctions};
pub use messages::MessageFate;
pub use plan::{PlanAnswer, PlanQuestion, plan};

use crate::budget::{Line, LinkBudget, table};
use again::Again;
use crewlab_figures::axis::time_label;
use crewlab_scenario::Problems;
use crewlab_scenario::text::did_you_mean;
use crewlab_sim::address::node;
use crewlab_sim::radio::{NodeId, Physical};
use messages::Around;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Default message size of a budget if none was sent. [bytes]
const USUAL_BYTES: u32 = 200;

/// Why an explanation fails.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// There is no such folder.
    #[error("there is no folder {0}: give a results folder of `crewlab run`")]
    NoFolder(PathBuf),
    /// The folder is not that of a finished run.
    #[error("{0} is not the folder of a finished run: it has no {1}")]
    NotARun(PathBuf, &'static str),
    /// A file could not be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, String),
    /// There is no such robot.
    #[error("there is no robot `{name}`{hint}; there are {}", shortened(.known))]
    NoRobot {
        /// The requested robot.
        name: String,
        /// A suggestion.
        hint: String,
        /// The robots.
        known: Vec<String>,
    },
    /// There was no auction.
    #[error(
        "nothing was auctioned in {0}: it has no auctions.csv. Run it with a coordinator that auctions, e.g. --set \
         team.coordinator=muroco"
    )]
    NoAuctions(PathBuf),
    /// The team had no plan.
    #[error(
        "nothing was agreed on in {0}: it has no agreements.csv. Run it with a coordinator that works by a plan, e.g. --set \
         team.coordinator=bite"
    )]
    NoAgreements(PathBuf),
    /// The team had a plan, and nothing to agree on.
    #[error(
        "nothing was agreed on in {0}: the team came to no point of its plan at which robots decide or share"
    )]
    NothingAgreed(PathBuf),
    /// The task was not auctioned.
    #[error("no task `{name}` was auctioned{hint}; there were {}", shortened(.known))]
    NoTask {
        /// The requested task.
        name: String,
        /// A suggestion.
        hint: String,
        /// The auctioned tasks.
        known: Vec<String>,
    },
    /// A robot's link to itself.
    #[error("a robot has no radio link to itself: name two robots")]
    Itself,
    /// The run was over by then.
    #[error("the run ended at {end}; {asked} is later than that")]
    TooLate {
        /// When it ended.
        end: String,
        /// The requested time.
        asked: String,
    },
    /// The scenario in the folder can no longer be loaded.
    #[error("the scenario in the folder cannot be loaded any more")]
    Scenario(#[source] Box<Problems>),
}

fn shortened(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

/// A query about a link.
#[derive(Clone, Debug)]
pub struct LinkQuestion {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// When. [s]
    pub at: f64,
    /// Message size; by default that of the last one, or 200. [bytes]
    pub bytes: Option<u32>,
}

/// The explanation of a link.
#[derive(Clone, Debug, Serialize)]
pub struct LinkAnswer {
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// When. [s]
    pub at_s: f64,
    /// The radio's name in the scenario.
    pub radio: String,
    /// Size of the message that the budget is for. [bytes]
    pub bytes: u32,
    /// Why the link does not work at all, whatever its budget.
    pub out_of_order: Vec<String>,
    /// The budget line by line; empty with the ideal radio.
    pub budget: Vec<Line>,
    /// The last message from sender to receiver up to then.
    pub before: Option<MessageFate>,
    /// The next message after that.
    pub after: Option<MessageFate>,
    /// Reasons to doubt that the repeated run is the same.
    pub warnings: Vec<String>,
}

/// Explains a link at one moment of a run.
pub fn link(question: &LinkQuestion) -> Result<LinkAnswer, ExplainError> {
    let mut again = Again::prepare(&question.folder)?;
    let from = node(again.robot(&question.from)?);
    let to = node(again.robot(&question.to)?);
    if from == to {
        return Err(ExplainError::Itself);
    }
    again.go(question.at)?;
    let Around { before, after } =
        messages::around(&question.folder, &question.from, &question.to, question.at)?;
    let said = before.as_ref().or(after.as_ref()).map(|told| told.bytes);
    let bytes = question.bytes.or(said).unwrap_or(USUAL_BYTES);
    let physical = again.simulation.state.radio.as_physical();
    Ok(LinkAnswer {
        scenario: again.scenario.clone(),
        seed: again.simulation.model.seed,
        from: question.from.clone(),
        to: question.to.clone(),
        at_s: question.at,
        radio: again.radio.clone(),
        bytes,
        out_of_order: physical.map_or(Vec::new(), |radio| out_of_order(radio, question, [from, to])),
        budget: physical
            .and_then(|radio| radio.budget(from, to, bytes))
            .map_or(Vec::new(), |budget| LinkBudget::from(budget).lines),
        before,
        after,
        warnings: again.warnings,
    })
}

/// What separates two robots, apart from physics.
fn out_of_order(radio: &Physical, question: &LinkQuestion, [from, to]: [NodeId; 2]) -> Vec<String> {
    let mut why = Vec::new();
    for (node, name, sends) in [(from, &question.from, true), (to, &question.to, false)] {
        let Some(node) = radio.node(node) else { continue };
        if !node.alive {
            why.push(format!("{name} is not there, is stopped or has no power"));
        } else if sends && !node.speaks {
            why.push(format!("{name}'s radio does not send"));
        } else if !sends && !node.hears {
            why.push(format!("{name}'s radio does not receive"));
        } else if node.loss > 0.0 {
            why.push(format!("{name}'s radio is broken and loses {:.0} % of all frames", node.loss * 100.0));
        }
    }
    if radio.is_cut(from, to) {
        why.push("the link is cut or the team is split".into());
    }
    why
}

impl LinkAnswer {
    /// The explanation as text.
    pub fn readable(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{} to {} after {} of {} (seed {}, radio {})\n",
            self.from,
            self.to,
            time_label(self.at_s),
            self.scenario,
            self.seed,
            self.radio
        );
        for why in &self.out_of_order {
            let _ = writeln!(text, "  Out of order: {why}.");
        }
        if !self.out_of_order.is_empty() {
            text.push('\n');
        }
        if self.budget.is_empty() {
            text += "  The ideal radio has no link budget: every robot in range hears every message, except for \
                     random losses.\n";
        } else {
            let _ =
                writeln!(text, "  Link budget for a message of {} bytes, if nobody else sends:", self.bytes);
            text += &table(&self.budget, "    ");
        }
        let _ = writeln!(text, "\n  Messages from {} to {}:", self.from, self.to);
        let told = |told: &Option<MessageFate>, none: &str| {
            told.as_ref().map_or(none.to_string(), MessageFate::readable)
        };
        let _ = writeln!(text, "    last one before:  {}", told(&self.before, "none"));
        let _ = writeln!(text, "    next one after:   {}", told(&self.after, "none"));
        text
    }
}

/// The manifest of a finished run.
fn read_manifest(folder: &Path) -> Result<serde_json::Value, ExplainError> {
    if !folder.is_dir() {
        return Err(ExplainError::NoFolder(folder.to_path_buf()));
    }
    let manifest = again::read(folder, "manifest.json")?;
    serde_json::from_str(&manifest)
        .map_err(|error| ExplainError::Read(folder.join("manifest.json"), error.to_string()))
}

/// A suggestion for a robot's name.
fn hint(name: &str, known: &[String]) -> String {
    let near = did_you_mean(name, known.iter().map(String::as_str));
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
