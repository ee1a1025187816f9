//! Commands of viewers.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A layer that the studio has to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Who hears whom, and how well.
    Links,
    /// Where robots are heading.
    Plans,
    /// What range sensors see.
    Rays,
    /// The noise on the air.
    Noise,
    /// The cost field around the watched robot.
    Field,
}

/// What a viewer can ask for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Goes on.
    Play {},
    /// Stands still.
    Pause {},
    /// A few ticks.
    Step {
        /// How many; one without it.
        ticks: Option<u32>,
    },
    /// Another speed.
    Speed {
        /// Times real time; as fast as possible without it.
        factor: Option<f64>,
    },
    /// From the start, perhaps otherwise.
    Restart {
        /// Another seed.
        seed: Option<u64>,
        /// Another coordinator.
        coordinator: Option<String>,
    },
    /// Shows another moment of the run.
    Seek {
        /// When. [s]
        time: f64,
    },
    /// Goes to another branch.
    Branch {
        /// Which.
        branch: usize,
    },
    /// Lets something happen now.
    Disturb {
        /// An entry of a scenario's `disturbances`, without its time.
        entry: Map<String, Value>,
        /// The only lane it happens to; all without it.
        lane: Option<usize>,
    },
    /// One more robot joins.
    AddRobot {
        /// A robot like this one.
        like: usize,
        /// Where. [m]
        place: [f64; 2],
    },
    /// A second lane with another coordinator, or none.
    Compare {
        /// The other coordinator.
        coordinator: Option<String>,
    },
    /// What this viewer looks at.
    Watch {
        /// In which lane.
        lane: usize,
        /// Which robot.
        robot: Option<usize>,
        /// Which layers.
        layers: Vec<Layer>,
    },
    /// A scenario that does the run again.
    Save {
        /// Which lane; the first without it.
        lane: Option<usize>,
    },
    /// Another run, from the shelf, instead of this one.
    Open {
        /// Its key.
        key: String,
    },
    /// All results of the run so far.
    Export {
        /// Which lane; the first without it.
        lane: Option<usize>,
    },
}

/// A command and the number its answer gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The number.
    pub id: u64,
    /// The command, or what is wrong with it.
    pub command: Result<Command, String>,
}

/// What a text message says. One without a number that can be read gets number 0.
pub fn parse(text: &str) -> Letter {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Letter { id: 0, command: Err(format!("this is no JSON: {error}")) },
    };
    let Value::Object(mut map) = value else {
        let error = r#"a command is an object such as {"id": 1, "do": "play"}"#;
        return Letter { id: 0, command: Err(error.into()) };
    };
    let Some(id) = map.remove("id").as_ref().and_then(Value::as_u64) else {
        return Letter { id: 0, command: Err("a command needs a number `id`, for its answer".into()) };
    };
    let command = serde_json::from_value(Value::Object(map));
    Letter { id, command: command.map_err(|error| format!("this is no command: {error}")) }
}
