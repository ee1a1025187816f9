//! Estimates: what robots expected of their alternatives, and what became of those that they took. Everything is derived from events, so
//! any bidder is supported that tells an [`Appraisal`] when it decides and a [`Settlement`] when it knows the outcome.

mod accuracy;
mod table;

pub use accuracy::{Accuracy, EstimatorSummary};
pub use table::{read, write};

use crewlab_sim::onboard::{Appraisal, Reason, RobotId, Settlement};
use crewlab_sim::{Logged, Model};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one estimator expected of one alternative of a decision: a row of estimates.csv.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateRow {
    /// When it was decided. [s]
    pub time_s: f64,
    /// Who decided.
    pub robot: String,
    /// The robot's number of the decision.
    pub decision: u32,
    /// The task; empty if the decision is not about one.
    pub task: String,
    /// The piece of it; 0 if it is not divided.
    pub subject: u32,
    /// What the robot knew.
    pub evidence: String,
    /// The alternative.
    pub alternative: String,
    /// True if the robot took it.
    pub chosen: bool,
    /// The estimator; empty if the robot decided without one.
    pub estimator: String,
    /// The share of outcomes that should not be worse; `None` for a mean.
    pub sigma: Option<f64>,
    /// The reward that it expected.
    pub estimate: Option<f64>,
    /// `done`, `failed`, or `open` at the end of the run; empty for what was not taken.
    pub status: String,
    /// What it has cost from the decision on.
    pub cost: Option<f64>,
    /// The reward.
    pub reward: Option<f64>,
    /// When the outcome was known. [s]
    pub ended_s: Option<f64>,
}

/// All estimates of a run.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    rows: Vec<EstimateRow>,
    /// The rows of decisions whose outcome is not known yet.
    open: BTreeMap<(RobotId, u32), Vec<usize>>,
}

impl Estimates {
    /// Takes in the events of a tick.
    pub fn tick(&mut self, log: &[Logged], model: &Model) {
        for logged in log {
            let Some(robot) = logged.robot else { continue };
            match &logged.event.reason {
                Some(Reason::Estimated(appraisal)) => self.enter(robot, appraisal, logged, model),
                Some(Reason::Settled(settlement)) => self.close(robot, settlement, logged.time.seconds()),
                _ => {}
            }
        }
    }

    fn enter(&mut self, robot: RobotId, appraisal: &Appraisal, logged: &Logged, model: &Model) {
        let mut taken = Vec::new();
        for estimate in &appraisal.estimates {
            if estimate.chosen {
                taken.push(self.rows.len());
            }
            self.rows.push(EstimateRow {
                time_s: logged.time.seconds(),
                robot: model.robot_name(robot).to_string(),
                decision: appraisal.decision,
                task: logged.event.task.map_or(String::new(), |task| model.task_name(task).to_string()),
                subject: logged.event.subject,
                evidence: appraisal.evidence(),
                alternative: estimate.alternative.to_string(),
                chosen: estimate.chosen,
                estimator: estimate.estimator.to_string(),
                sigma: estimate.level,
                estimate: estimate.reward,
                status: if estimate.chosen { "open".into() } else { String::new() },
                cost: None,
                reward: None,
                ended_s: None,
            });
        }
        self.open.insert((robot, appraisal.decision), taken);
    }

    fn close(&mut self, robot: RobotId, settlement: &Settlement, now: f64) {
        for place in self.open.remove(&(robot, settlement.decision)).unwrap_or_default() {
            let row = &mut self.rows[place];
            row.status = if settlement.success { "done" } else { "failed" }.into();
            (row.cost, row.reward) = (Some(settlement.cost), Some(settlement.reward));
            row.ended_s = Some(now);
        }
    }

    /// The rows, in the order of decisions.
    pub fn rows(&self) -> &[EstimateRow] {
        &self.rows
    }

    /// How good each estimator was, at each level.
    pub fn summary(&self) -> Vec<EstimatorSummary> {
        EstimatorSummary::all(&self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_scenario::Request;
    use crewlab_sim::onboard::{Estimate, Time};

    fn model() -> std::sync::Arc<Model> {
        let request = Request { scenario: "waste-cleanup".into(), ..Request::default() };
        crewlab_scenario::load(&request).expect("a scenario").start.0
    }

    fn logged(seconds: u64, event: crewlab_sim::onboard::Event) -> Logged {
        Logged { time: Time(seconds * 1_000_000_000), robot: Some(RobotId(0)), event }
    }

    fn appraisal(decision: u32, reward: f64) -> Logged {
        let estimate = |alternative: &'static str, chosen| Estimate {
            alternative: alternative.into(),
            estimator: "oracle".into(),
            level: Some(0.5),
            reward: Some(reward),
            chosen,
        };
        let estimates = vec![estimate("left", true), estimate("right", false)];
        let evidence = vec![("trial".into(), decision.to_string())];
        logged(u64::from(decision), Appraisal { decision, evidence, estimates }.event())
    }

    fn settlement(decision: u32, reward: f64) -> Logged {
        logged(100, Settlement { decision, success: true, cost: 100.0 - reward, reward }.event())
    }

    #[test]
    fn what_was_taken_is_closed_by_its_outcome() {
        let model = &model();
        let mut estimates = Estimates::default();
        estimates.tick(&[appraisal(1, 30.0), appraisal(2, 30.0), appraisal(3, 30.0)], model);
        estimates.tick(&[settlement(1, 40.0), settlement(2, 20.0), settlement(9, 0.0)], model);
        let [first, left, second, _, open, _] = estimates.rows() else { panic!("six rows") };
        assert_eq!((first.status.as_str(), first.cost, first.reward), ("done", Some(60.0), Some(40.0)));
        assert_eq!((left.status.as_str(), left.cost, left.ended_s), ("", None, None));
        assert_eq!((second.reward, second.ended_s), (Some(20.0), Some(100.0)));
        assert_eq!((open.status.as_str(), open.reward), ("open", None));
        let [summary] = &estimates.summary()[..] else { panic!("one estimator at one level") };
        // One of two estimates was not above the reward; both are off by 10, and rewards vary by 10 around 30.
        assert_eq!((summary.decisions, summary.reliability), (2, 0.5));
        assert_eq!(summary.relative_error, Some(1.0));
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let mut estimates = Estimates::default();
        estimates.tick(&[appraisal(1, 1.0 / 3.0), settlement(1, 0.1)], &model());
        let path = std::env::temp_dir().join(format!("crewlab-estimates-{}.csv", std::process::id()));
        write(estimates.rows(), std::fs::File::create(&path).expect("a file")).expect("written");
        let rows = read(&path).expect("readable").expect("there");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(rows, estimates.rows());
    }
}
