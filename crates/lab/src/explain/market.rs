//! Auctions of a finished run, from its table.

use super::{ExplainError, hint, read_manifest};
use crate::auctions::{self, Auction, Telling};
use crewlab_figures::axis::time_label;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A query for auctions.
#[derive(Clone, Debug)]
pub struct AuctionQuestion {
    /// The folder of the run.
    pub folder: PathBuf,
    /// Only those of this task.
    pub task: Option<String>,
    /// Only those around this time: for each piece of work the last one up to then and the next one. [s]
    pub at: Option<f64>,
}

/// The requested auctions.
#[derive(Clone, Debug, Serialize)]
pub struct AuctionAnswer {
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// Number of all auctions of the run.
    pub in_all: usize,
    /// The query.
    #[serde(skip)]
    asked: String,
    /// The auctions.
    pub auctions: Vec<Auction>,
}

/// Finds the requested auctions.
pub fn auctions(question: &AuctionQuestion) -> Result<AuctionAnswer, ExplainError> {
    let manifest = read_manifest(&question.folder)?;
    let path = question.folder.join("auctions.csv");
    let all = auctions::read(&path).map_err(|error| ExplainError::Read(path.clone(), error))?;
    let Some(mut all) = all else { return Err(ExplainError::NoAuctions(question.folder.clone())) };
    let in_all = all.len();
    let mut asked = String::new();
    if let Some(task) = &question.task {
        let mut known: Vec<String> = all.iter().map(|auction| auction.task.clone()).collect();
        known.sort();
        known.dedup();
        if !known.contains(task) {
            return Err(ExplainError::NoTask { name: task.clone(), hint: hint(task, &known), known });
        }
        all.retain(|auction| auction.task == *task);
        asked += &format!(" of {task}");
    }
    if let Some(at) = question.at {
        all = around(all, at);
        asked += &format!(" around {}", time_label(at));
    }
    Ok(AuctionAnswer {
        scenario: manifest["scenario"].as_str().unwrap_or_default().into(),
        seed: manifest["seed"].as_u64().unwrap_or_default(),
        in_all,
        asked,
        auctions: all,
    })
}

/// For each piece of work the last auction up to a time, and the next one.
fn around(all: Vec<Auction>, at: f64) -> Vec<Auction> {
    let mut last: BTreeMap<(String, u32), usize> = BTreeMap::new();
    let mut next: BTreeMap<(String, u32), usize> = BTreeMap::new();
    for (place, auction) in all.iter().enumerate() {
        let piece = (auction.task.clone(), auction.subject);
        if auction.time_s <= at + 1e-9 {
            last.insert(piece, place);
        } else {
            next.entry(piece).or_insert(place);
        }
    }
    let wanted = |place: usize| last.values().chain(next.values()).any(|kept| *kept == place);
    all.iter().enumerate().filter(|(place, _)| wanted(*place)).map(|(_, auction)| auction.clone()).collect()
}

impl AuctionAnswer {
    /// The auctions as text.
    pub fn readable(&self) -> String {
        let again = self.auctions.iter().filter(|auction| auction.again).count();
        let shown = match self.auctions.len() {
            count if count == self.in_all => format!("{count} auctions"),
            count => format!("{count} of {} auctions", self.in_all),
        };
        let mut text = format!("{shown}{} in {} (seed {})", self.asked, self.scenario, self.seed);
        text += &if again > 0 { format!(", {again} of them repeated\n") } else { "\n".to_string() };
        let mut telling = Telling::default();
        for auction in self.auctions.iter().filter(|auction| telling.tells(auction)) {
            text.push('\n');
            text += &auction.readable();
        }
        if telling.left_out > 0 {
            text += &format!(
                "\n{} further auctions of work that had found no taker before are left out; they are in auctions.csv.\n",
                telling.left_out
            );
        }
        text
    }
}
