//! The state of the whole run: the message `status`.

use crewlab_lab::sim::onboard::RobotId;
use serde::Serialize;

/// The message `status`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "status")]
pub(crate) struct Status {
    pub playing: bool,
    pub speed: Option<f64>,
    pub time: f64,
    pub tick: u64,
    pub end: f64,
    pub end_tick: u64,
    pub factor: f64,
    pub wall: f64,
    pub busy: Option<&'static str>,
    pub lanes: Vec<Lane>,
    pub branches: Vec<Branch>,
    pub branch: usize,
    pub questions: Vec<Question>,
    pub snapshots: Snapshots,
    pub orders: u64,
    pub viewers: usize,
}

/// A summary of a lane.
#[derive(Debug, Serialize)]
pub(crate) struct Lane {
    pub epoch: u64,
    pub coordinator: String,
    pub progress: f64,
    pub completed: bool,
    pub finished: bool,
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    /// What the operator has ordered differently than at the start: tasks, whether they are open, and their weights.
    pub operator: Vec<(usize, bool, f64)>,
    pub result_hash: Option<String>,
}

/// A summary of a branch.
#[derive(Debug, Serialize)]
pub(crate) struct Branch {
    pub id: usize,
    pub parent: Option<usize>,
    pub from: f64,
    pub end: f64,
    pub title: String,
}

/// A robot's question.
#[derive(Debug, Serialize)]
pub(crate) struct Question {
    pub lane: usize,
    pub robot: RobotId,
    pub number: u32,
    pub text: String,
    pub choices: Vec<String>,
    pub asked: f64,
}

/// The snapshots.
#[derive(Debug, Serialize)]
pub(crate) struct Snapshots {
    pub count: usize,
    pub bytes: usize,
    pub bound: usize,
}

/// A deed.
#[derive(Debug, Serialize)]
pub(crate) struct Deed<'a> {
    pub number: usize,
    pub at: f64,
    pub text: &'a str,
    pub entry: serde_json::Value,
}
