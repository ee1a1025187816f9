//! The summary of a run.

use super::interactions::Interactions;
use super::localisation::Localisation;
use super::reallocation::Reallocation;
use super::stuck::{Incomplete, StuckSummary};
use super::teamwork::{Hours, Teamwork};
use crate::auctions::MarketSummary;
use crate::estimates::EstimatorSummary;
use crewlab_figures::axis::time_label;
use crewlab_figures::with_unit;
use crewlab_scenario::Scenario;
use crewlab_sim::address::node;
use crewlab_sim::missions::{MeasureSpec, SHARE};
use crewlab_sim::onboard::RobotId;
use crewlab_sim::radio::{Loss, Radio};
use crewlab_sim::world::Body;
use crewlab_sim::{Member, Simulation};
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Messages that were heard but could not be decoded.
    pub undecodable: u64,
    /// Broadcasts: messages handed to the radio for all others.
    pub broadcasts: u64,
    /// Unicasts: messages handed to the radio for one receiver.
    pub unicasts: u64,
    /// Bytes in all broadcasts and unicasts.
    pub bytes: u64,
}

/// Communication costs and outcomes. Counts of copies: a broadcast to n others makes n copies, each of which is delivered, lost or
/// in flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RadioSummary {
    /// Messages of robots and the operator, broadcast or unicast.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Copies addressed.
    pub copies: u64,
    /// Copies that arrived.
    pub delivered: u64,
    /// Copies lost.
    pub lost: u64,
    /// Copies lost by reason, if any; the names are those in radio.csv with `_` for spaces.
    pub lost_by_reason: BTreeMap<String, u64>,
    /// Copies on their way when the run ended.
    pub in_flight: u64,
    /// Messages that robots did not send because they were too large for the radio.
    pub refused: u64,
    /// Duplicates that were dropped.
    pub duplicates: u64,
    /// Frames sent on the air, including retries, forwarded copies, acknowledgements and hellos.
    pub transmissions: u64,
    /// Airtime of all senders together. [s]
    pub airtime_s: f64,
    /// Energy that all radios used, listening included. [J]
    pub energy_j: f64,
    /// Share of the settled copies that arrived; `None` if there are none.
    pub delivery_ratio: Option<f64>,
    /// Mean time from transmission request to arrival; `None` if none arrived. [ms]
    pub mean_latency_ms: Option<f64>,
    /// Tasks completed. A task that is done once counts if the operator wants it and it is finished at the end: because the
    /// referee says that the mission is completed, or because at least one robot knows that nothing of it is left to do. A
    /// recurring task counts each time a robot that works on it finishes it.
    pub completed_tasks: u64,
    /// The costs divided by `completed_tasks`; `None` if no task was completed.
    pub per_completed_task: Option<PerTask>,
}

/// Mean costs of one completed task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerTask {
    /// Messages handed to the radio.
    pub messages: f64,
    /// Bytes in them.
    pub bytes: f64,
    /// Time on the air. [s]
    pub airtime_s: f64,
    /// Energy that all radios used. [J]
    pub energy_j: f64,
}

impl RadioSummary {
    fn new(simulation: &Simulation, completed_tasks: u64) -> RadioSummary {
        let (radio, robots) = (&simulation.state.radio, &simulation.state.robots);
        let tally = radio.tally();
        let (airtime_s, energy_j) = (
            tally.airtime as f64 * 1e-9,
            RobotId::team(robots.len()).map(|robot| radio.usage(node(robot)).energy).sum::<f64>(),
        );
        let per = |amount: f64| rounded(amount / completed_tasks as f64);
        let key = |why: Loss| why.name().replace(' ', "_");
        RadioSummary {
            messages: tally.frames,
            bytes: tally.bytes,
            copies: tally.copies,
            delivered: tally.delivered,
            lost: tally.lost.total(),
            lost_by_reason: tally.lost.iter().map(|(why, count)| (key(why), count)).collect(),
            in_flight: tally.in_flight(),
            refused: robots.iter().map(|robot| robot.software.refused).sum(),
            duplicates: robots.iter().map(|robot| robot.software.duplicates).sum(),
            transmissions: tally.transmissions,
            airtime_s: rounded(airtime_s),
            energy_j: rounded(energy_j),
            delivery_ratio: tally.delivery_ratio().map(rounded),
            mean_latency_ms: tally.mean_latency().map(|seconds| rounded(seconds * 1e3)),
            completed_tasks,
            per_completed_task: (completed_tasks > 0).then(|| PerTask {
                messages: per(tally.frames as f64),
                bytes: per(tally.bytes as f64),
                airtime_s: per(airtime_s),
                energy_j: per(energy_j),
            }),
        }
    }

    /// Reasons of losses, the most frequent first.
    pub fn reasons(&self) -> Vec<(String, u64)> {
        let mut reasons: Vec<(String, u64)> =
            self.lost_by_reason.iter().map(|(why, count)| (why.replace('_', " "), *count)).collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// A one-sentence summary; `None` if there were no messages.
    pub fn sentence(&self) -> Option<String> {
        let ratio = self.delivery_ratio?;
        if self.lost == 0 {
            return Some(format!("All of {} copies arrived.", self.delivered));
        }
        let all = self.reasons();
        let mut parts: Vec<String> =
            all.iter().take(3).map(|(why, count)| format!("{why} {count}")).collect();
        if all.len() > 3 {
            parts.push(format!("other reasons {}", all[3..].iter().map(|(_, count)| count).sum::<u64>()));
        }
        Some(format!("{} of all copies arrived; lost: {}.", percent(ratio), parts.join(", ")))
    }
}

/// A share in per cent. Only exact values are shown as 0 % or 100 %.
fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    match text.as_str() {
        "100.0" if share < 1.0 => "more than 99.9 %".into(),
        "0.0" if share > 0.0 => "less than 0.1 %".into(),
        _ => format!("{text} %"),
    }
}

/// The summary of one robot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotSummary {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub robot_type: String,
    /// Distance driven. [m]
    pub travelled_m: f64,
    /// Number of collisions.
    pub collisions: u64,
    /// Time with a task while it was present and not lost. [s]
    pub working_s: f64,
    /// Time without a task while it was present and not lost. [s]
    pub idle_s: f64,
}

/// The summary of a run.
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
    /// The goal of a mission without an end, if it has one: it counts as completed if the goal holds at the time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Simulated time at the end. [s]
    pub time_s: f64,
    /// Share of the mission that was done, from 0 to 1.
    pub progress: f64,
    /// Why the mission was not completed; `None` if it was, or if it has nothing to complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Incomplete>,
    /// Who and what was stuck at the end.
    pub stuck: Vec<StuckSummary>,
    /// How often a robot or a piece of work got stuck during the run.
    pub stuck_episodes: u64,
    /// The mission's measures at the end.
    pub measures: Vec<Measure>,
    /// Ticks.
    pub ticks: u64,
    /// Number of robots.
    pub robots: usize,
    /// Message counts.
    pub messages: Messages,
    /// The radio.
    pub radio: RadioSummary,
    /// Number of collisions of robots.
    pub collisions: u64,
    /// How often two robots blocked each other where only one could pass, and one backed out.
    pub deadlocks: u64,
    /// Hash of all events and of the final state: equal for equal scenario and seed.
    pub result_hash: String,
    /// The robots.
    pub team: Vec<RobotSummary>,
    /// The diversity of the robots, from 0 (all have the same capabilities) to 1 (nobody shares any).
    pub heterogeneity: f64,
    /// Teamwork measures.
    pub teamwork: Teamwork,
    /// The reallocation of lost robots' work; `None` if none was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reallocation: Option<Reallocation>,
    /// How well robots that locate themselves know where they are; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub localisation: Option<Localisation>,
    /// The agreements at the points of the team's plan; `None` if it has none, or never came to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactions: Option<Interactions>,
    /// The market; `None` if the coordinator does not auction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auctions: Option<MarketSummary>,
    /// How good estimates were, by estimator and level; empty if nobody estimates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub estimates: Vec<EstimatorSummary>,
    /// Planned disturbances that did not happen: their indices in the list, and their kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never_happened: Vec<String>,
    /// The file with the learned values beside this one, if the team learns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<&'static str>,
    /// True if there is nothing to complete.
    #[serde(skip)]
    pub endless: bool,
}

/// A measure of the mission at the end of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What is measured.
    #[serde(flatten)]
    pub spec: MeasureSpec,
    /// Its value; `None` if it is undefined.
    pub value: Option<f64>,
}

impl Measure {
    /// The mission's measures now.
    pub(super) fn all(simulation: &Simulation) -> Vec<Measure> {
        let specs = simulation.model.mission.measures().iter();
        let value =
            |(spec, value): (&MeasureSpec, Option<f64>)| Measure { spec: *spec, value: value.map(rounded) };
        specs.zip(simulation.measures()).map(value).collect()
    }

    /// Its value with its unit, for people.
    pub fn words(&self) -> String {
        match (self.value, self.spec.unit) {
            (None, _) => "-".into(),
            (Some(value), SHARE) => percent(value),
            (Some(value), unit) => with_unit(value, unit),
        }
    }
}

/// The counts of a run.
pub(super) struct Books {
    pub teamwork: Teamwork,
    /// Every robot's times.
    pub hours: Vec<Hours>,
    pub completed_tasks: u64,
    pub reallocation: Option<Reallocation>,
    pub auctions: Option<MarketSummary>,
    pub estimates: Vec<EstimatorSummary>,
    pub deadlocks: u64,
    pub localisation: Option<Localisation>,
    pub interactions: Option<Interactions>,
}

/// The diversity of a team. Robots with the same capabilities are compared once: teams may be large.
pub(crate) fn heterogeneity(team: &[Member]) -> f64 {
    let sheets = team.iter().map(|member| &member.identity.datasheet);
    let names: Vec<Vec<&str>> =
        sheets.map(|sheet| sheet.capabilities().map(|(name, _)| name).collect()).collect();
    rounded(crewlab_sim::onboard::heterogeneity(&names))
}

fn learns(scenario: &Scenario) -> bool {
    let setup = &scenario.setup;
    crewlab_sim::teams::kind(&setup.coordinator)
        .is_some_and(|kind| (kind.strategy)(&setup.parameters).is_some())
}

/// Rounded to a millionth: smaller differences are noise.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl Summary {
    pub(super) fn new(
        scenario: &Scenario,
        simulation: &Simulation,
        books: Books,
        result_hash: String,
    ) -> Summary {
        let (model, state) = (&simulation.model, &simulation.state);
        let tally = state.radio.tally();
        let robot = |(member, (body, hours)): (&Member, (&Body, &Hours))| RobotSummary {
            name: member.identity.name.clone(),
            robot_type: member.identity.robot_type.clone(),
            travelled_m: rounded(body.travelled),
            collisions: body.contacts,
            working_s: hours.working_s,
            idle_s: hours.idle_s,
        };
        Summary {
            scenario: scenario.name.clone(),
            mission: scenario.mission.clone(),
            coordinator: scenario.setup.coordinator.clone(),
            seed: model.seed,
            completed: state.verdict.completed,
            goal: model.goal.as_ref().map(|goal| goal.text().to_string()),
            time_s: rounded(simulation.now().seconds()),
            progress: rounded(state.verdict.progress),
            incomplete: Incomplete::of(simulation),
            stuck: StuckSummary::all(simulation),
            stuck_episodes: state.stuck.episodes(),
            measures: Measure::all(simulation),
            ticks: state.tick,
            robots: model.team.len(),
            messages: Messages {
                sent: tally.copies,
                delivered: tally.delivered,
                lost: tally.lost.total(),
                in_flight: tally.in_flight(),
                undecodable: state.robots.iter().map(|robot| robot.software.undecodable).sum(),
                broadcasts: tally.broadcasts(),
                unicasts: tally.unicasts,
                bytes: tally.bytes,
            },
            radio: RadioSummary::new(simulation, books.completed_tasks),
            collisions: state.world.collisions(),
            deadlocks: books.deadlocks,
            result_hash,
            endless: scenario.endless,
            team: model.team.iter().zip(state.world.bodies.iter().zip(&books.hours)).map(robot).collect(),
            heterogeneity: heterogeneity(&model.team),
            teamwork: books.teamwork,
            reallocation: books.reallocation,
            localisation: books.localisation,
            interactions: books.interactions,
            auctions: books.auctions,
            estimates: books.estimates,
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
        if let Some(goal) = &self.goal {
            let end = if self.completed { "reached" } else { "missed" };
            format!("{start} ran {} for {time} of simulated time and {end} the goal `{goal}`.", self.mission)
        } else if self.completed {
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
