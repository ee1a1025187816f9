//! Repeats a finished run up to a given time.

use super::{ExplainError, hint, read_manifest};
use crate::run::scenario_hash;
use crate::table::Reader;
use crewlab_figures::axis::time_label;
use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Request, load};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::world::Body;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Positions that differ by more than the rounding of tables count as different. [m]
const SAME: f64 = 1e-3;

/// The recorded position of a robot.
struct Record {
    /// When. [s]
    at: f64,
    robot: RobotId,
    place: [f64; 2],
}

/// The needed columns of robots.csv.
#[derive(Deserialize)]
struct Place {
    time_s: f64,
    robot: String,
    x_m: f64,
    y_m: f64,
}

/// A repeated run.
pub(super) struct Again {
    pub simulation: Simulation,
    pub scenario: String,
    /// The radio's name.
    pub radio: String,
    /// Reasons to doubt that it is the same run.
    pub warnings: Vec<String>,
    records: Vec<Record>,
}

pub(super) fn read(folder: &Path, name: &'static str) -> Result<String, ExplainError> {
    let path = folder.join(name);
    if !path.is_file() {
        return Err(ExplainError::NotARun(folder.to_path_buf(), name));
    }
    fs::read_to_string(&path).map_err(|error| ExplainError::Read(path, error.to_string()))
}

impl Again {
    /// Loads the scenario of a run's folder.
    pub(super) fn prepare(folder: &Path) -> Result<Again, ExplainError> {
        let manifest = read_manifest(folder)?;
        let written = read(folder, "scenario.yaml")?;
        let file = folder.join("scenario.yaml").display().to_string();
        let scenario = load(&Request { scenario: file, ..Request::default() })
            .map_err(|problems| ExplainError::Scenario(Box::new(problems)))?;
        let warnings = doubts(&manifest, &written, &to_yaml(&scenario.resolved));
        let radio = scenario.radio().to_string();
        let (model, state) = scenario.start;
        let mut again = Again {
            simulation: Simulation::new(model, state, false),
            scenario: scenario.name,
            radio,
            warnings,
            records: Vec::new(),
        };
        again.records = again.recorded(folder)?;
        Ok(again)
    }

    /// The robot of this name.
    pub(super) fn robot(&self, name: &str) -> Result<RobotId, ExplainError> {
        let model = &self.simulation.model;
        model.robot(name).ok_or_else(|| {
            let known: Vec<String> = model.team.iter().map(|member| member.identity.name.clone()).collect();
            ExplainError::NoRobot { name: name.into(), hint: hint(name, &known), known }
        })
    }

    /// Runs to the end of the tick that contains this time, so that the radio knows the world of that time.
    pub(super) fn go(&mut self, until: f64) -> Result<(), ExplainError> {
        let mut log = Vec::new();
        let mut next = 0;
        // A time on the border of two ticks belongs to the later one, give or take a rounding error.
        while self.simulation.now().seconds() <= until + 1e-9 {
            if self.simulation.finished() {
                let end = self.simulation.now().seconds();
                // Users copy the end time from the results, so it is accepted.
                if until <= end + 1e-9 && self.simulation.state.tick > 0 {
                    break;
                }
                return Err(ExplainError::TooLate { end: time_label(end), asked: time_label(until) });
            }
            log.clear();
            self.simulation.tick(&mut log);
            self.compare(&mut next);
        }
        Ok(())
    }

    /// Compares the robots' positions with the recorded ones.
    fn compare(&mut self, next: &mut usize) {
        let now = self.simulation.now().seconds();
        while let Some(record) = self.records.get(*next).filter(|record| record.at <= now + 1e-6) {
            *next += 1;
            let body: &Body = &self.simulation.state.world.bodies[record.robot];
            let at = [body.pose.position.x, body.pose.position.y];
            let apart = (at[0] - record.place[0]).abs().max((at[1] - record.place[1]).abs());
            if (record.at - now).abs() < 1e-6 && apart > SAME {
                let name = &self.simulation.model.team[record.robot].identity.name;
                let when = time_label(record.at);
                self.warnings.push(format!(
                    "this is not the run that was recorded: at {when} {name} was at [{:.2} m, {:.2} m] but is now at \
                     [{:.2} m, {:.2} m]; the messages below are those of the record",
                    record.place[0], record.place[1], at[0], at[1]
                ));
                self.records.clear();
            }
        }
    }

    /// The recorded positions of robots; `None` if there is no record.
    fn recorded(&self, folder: &Path) -> Result<Vec<Record>, ExplainError> {
        let path = folder.join("robots.csv");
        let model = &self.simulation.model;
        let wrong = |error: String| ExplainError::Read(path.clone(), error);
        let Some(mut rows) = Reader::open(&path).map_err(wrong)? else { return Ok(Vec::new()) };
        let mut records = Vec::new();
        while rows.advance().map_err(wrong)? {
            let place: Place = rows.row().map_err(wrong)?;
            // A few robots are enough to detect a different run.
            if let Some(robot) = model.robot(&place.robot).filter(|robot| robot.index() < 8) {
                records.push(Record { at: place.time_s, robot, place: [place.x_m, place.y_m] });
            }
        }
        Ok(records)
    }
}

/// Why a repeated run may differ.
fn doubts(manifest: &serde_json::Value, written: &str, resolved: &str) -> Vec<String> {
    let mut doubts = Vec::new();
    let version = manifest["crewlab"].as_str().unwrap_or("an unknown version");
    doubts.extend(crate::doubt("the run", version));
    let hash = manifest["scenario_hash"].as_str().unwrap_or_default();
    if hash != scenario_hash(written) {
        doubts.push("scenario.yaml was changed after the run".into());
    } else if hash != scenario_hash(resolved) {
        doubts.push("this version of crewlab reads the scenario differently".into());
    }
    doubts
}
