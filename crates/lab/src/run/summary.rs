//! A run in a few numbers.

use crate::report::axis::time_label;
use crate::scenario::Scenario;
use crewlab_sim::Simulation;
use crewlab_sim::radio::Radio;
use serde::Serialize;

/// Message counts. A broadcast to n others counts as n messages, each of which is delivered, lost or in flight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Messages {
    /// Messages addressed.
    pub sent: u64,
    /// Messages heard.
    pub delivered: u64,
    /// Messages lost.
    pub lost: u64,
    /// Messages on their way when the run ended.
    pub in_flight: u64,
    /// Messages that were heard but not understood.
    pub undecodable: u64,
    /// Broadcasts.
    pub broadcasts: u64,
    /// Bytes in all broadcasts.
    pub bytes: u64,
}

/// One robot in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotSummary {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub robot_type: String,
    /// Distance driven. [m]
    pub travelled_m: f64,
    /// Times it ran into something.
    pub collisions: u64,
}

/// A run in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The scenario's name.
    pub scenario: String,
    /// The mission.
    pub mission: String,
    /// The coordinator.
    pub coordinator: String,
    /// The seed.
    pub seed: u64,
    /// True if the mission was completed.
    pub completed: bool,
    /// Simulated time at the end. [s]
    pub time_s: f64,
    /// Share of the mission that was done, from 0 to 1.
    pub progress: f64,
    /// Ticks.
    pub ticks: u64,
    /// Number of robots.
    pub robots: usize,
    /// Message counts.
    pub messages: Messages,
    /// Times a robot ran into something.
    pub collisions: u64,
    /// Fingerprint of all events and of the final state: equal for equal scenario and seed.
    pub result_hash: String,
    /// The robots.
    pub team: Vec<RobotSummary>,
    /// Disturbances that were planned and did not happen: their places in the list, from 0, and their kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never_happened: Vec<String>,
    /// The file beside this one that holds what the team has learned, if it learns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<&'static str>,
    /// True if the mission has nothing to complete.
    #[serde(skip)]
    pub endless: bool,
}

fn learns(scenario: &Scenario) -> bool {
    let setup = &scenario.setup;
    setup.coordinator == "alliance" && setup.parameters.alliance.learning.is_some()
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl Summary {
    pub(super) fn new(scenario: &Scenario, simulation: &Simulation, result_hash: String) -> Summary {
        let (model, state) = (&simulation.model, &simulation.state);
        let tally = state.radio.tally();
        let robot = |(member, body): (&crewlab_sim::Member, &crewlab_sim::world::Body)| RobotSummary {
            name: member.identity.name.clone(),
            robot_type: member.identity.robot_type.clone(),
            travelled_m: rounded(body.travelled),
            collisions: body.contacts,
        };
        Summary {
            scenario: scenario.name.clone(),
            mission: scenario.mission.clone(),
            coordinator: scenario.setup.coordinator.clone(),
            seed: model.seed,
            completed: state.verdict.completed,
            time_s: rounded(simulation.now().seconds()),
            progress: rounded(state.verdict.progress),
            ticks: state.tick,
            robots: model.team.len(),
            messages: Messages {
                sent: tally.copies,
                delivered: tally.delivered,
                lost: tally.lost.total(),
                in_flight: tally.in_flight(),
                undecodable: state.robots.iter().map(|robot| robot.software.undecodable).sum(),
                broadcasts: tally.frames,
                bytes: tally.bytes,
            },
            collisions: state.world.collisions(),
            result_hash,
            endless: scenario.endless,
            team: model.team.iter().zip(&state.world.bodies).map(robot).collect(),
            never_happened: state
                .schedule
                .not_happened()
                .map(|index| format!("{index} ({})", state.schedule.disturbances()[index].what.name()))
                .collect(),
            learned: learns(scenario).then_some("learned.json"),
        }
    }

    /// The outcome in one sentence.
    pub fn sentence(&self) -> String {
        let team = match self.robots {
            1 => "One robot".to_string(),
            n => format!("{n} robots"),
        };
        let time = time_label(self.time_s);
        let start = format!("{team} coordinated by {}", self.coordinator);
        if self.completed {
            format!("{start} completed {} in {time} of simulated time.", self.mission)
        } else if self.endless {
            format!("{start} ran {} for {time} of simulated time.", self.mission)
        } else {
            let share = self.progress * 100.0;
            format!(
                "{start} did not complete {} within {time} of simulated time; {share:.0} % was done.",
                self.mission
            )
        }
    }
}
