//! Commands of viewers.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A layer that the studio computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Links between robots and their quality.
    Links,
    /// Waypoints of robots.
    Plans,
    /// Beams of range sensors.
    Rays,
    /// The noise map.
    Noise,
    /// Where robots stand in the team's plan.
    Stacks,
    /// The cost field around the watched robot.
    Field,
    /// A layer of the mission, by its place in the scene's list.
    Sketch(u8),
}

/// A command of a viewer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Plays.
    Play {},
    /// Pauses.
    Pause {},
    /// Steps a few ticks.
    Step {
        /// How many; one by default.
        ticks: Option<u32>,
    },
    /// Sets the speed.
    Speed {
        /// Multiple of real time; `None` for as fast as possible.
        factor: Option<f64>,
    },
    /// Restarts, optionally with changes.
    Restart {
        /// Another seed.
        seed: Option<u64>,
        /// Another coordinator.
        coordinator: Option<String>,
    },
    /// Shows another moment of the run.
    Seek {
        /// The time. [s]
        time: f64,
    },
    /// Switches to another branch.
    Branch {
        /// Its number.
        branch: usize,
    },
    /// Applies a disturbance now.
    Disturb {
        /// An entry of a scenario's `disturbances`, without its time.
        entry: Map<String, Value>,
        /// The lane it applies to; all by default.
        lane: Option<usize>,
    },
    /// Adds a robot.
    AddRobot {
        /// A robot like this one, by its place in the team.
        like: usize,
        /// Its place. [m]
        place: [f64; 2],
    },
    /// Adds a second lane with another coordinator, or removes it.
    Compare {
        /// The other coordinator.
        coordinator: Option<String>,
    },
    /// Sets what this viewer watches.
    Watch {
        /// The lane.
        lane: usize,
        /// The robot, by its place in the team.
        robot: Option<usize>,
        /// The layers.
        layers: Vec<Layer>,
    },
    /// Saves a scenario that reproduces the run.
    Save {
        /// The lane; the first by default.
        lane: Option<usize>,
    },
    /// Opens another run from the shelf.
    Open {
        /// Its key.
        key: String,
    },
    /// Exports all results of the run so far.
    Export {
        /// The lane; the first by default.
        lane: Option<usize>,
    },
}

/// A command and its number, which the answer repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The number.
    pub id: u64,
    /// The command, or an error.
    pub command: Result<Command, String>,
}

/// Parses a text message. One without a readable number gets number 0.
pub fn parse(text: &str) -> Letter {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Letter { id: 0, command: Err(format!("this is not JSON: {error}")) },
    };
    let Value::Object(mut map) = value else {
        let error = r#"a command is an object such as {"id": 1, "do": "play"}"#;
        return Letter { id: 0, command: Err(error.into()) };
    };
    let Some(id) = map.remove("id").as_ref().and_then(Value::as_u64) else {
        return Letter { id: 0, command: Err("a command needs a number `id`, for its answer".into()) };
    };
    let command = serde_json::from_value(Value::Object(map));
    Letter { id, command: command.map_err(|error| format!("this is not a command: {error}")) }
}
