//! Model files: a network, and where it is valid.

use crate::discretise::Discretisation;
use crate::error::Error;
use crate::network::Network;
use serde::{Deserialize, Serialize};

/// The largest model file. [bytes]
pub const MOST_BYTES: usize = 64 << 20;

/// The kind of file, and the version of its format.
const FORMAT: &str = "crewlab-model";
const VERSION: u32 = 1;

/// A network with the circumstances that it was learned in. It is valid only there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Where it is valid.
    pub validity: Validity,
    /// The network.
    pub network: Network,
}

/// Where a model was learned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validity {
    /// What it was learned from, for people: a file, or the names of runs.
    pub source: String,
    /// The hashes of the scenarios of these runs; empty if there was no scenario.
    pub scenarios: Vec<String>,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows with missing values among them.
    pub incomplete: u64,
    /// How measured values became states; the bounds are in the network's variables.
    pub discretisation: Option<Discretisation>,
}

impl Validity {
    /// A warning if the model was learned in other scenarios than this one.
    pub fn warning(&self, scenario: &str) -> Option<String> {
        if self.scenarios.is_empty() || self.scenarios.iter().any(|known| known == scenario) {
            return None;
        }
        Some(format!(
            "the model was learned from {} ({} rows), in another scenario than this one: its answers may be wrong here",
            self.source, self.rows
        ))
    }
}

/// What every version of the format begins with.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<M> {
    format: String,
    version: u32,
    model: M,
}

impl Model {
    /// The text of a model file.
    pub fn to_json(&self) -> String {
        let file = File { format: FORMAT.into(), version: VERSION, model: self };
        // Plain data with text keys and finite numbers can always be written.
        serde_json::to_string(&file).unwrap_or_default() + "\n"
    }

    /// Reads the text of a model file.
    pub fn from_json(text: &str) -> Result<Model, Error> {
        let accepted = "a model file as `crewlab learn-model` writes it";
        if text.len() > MOST_BYTES {
            let accepted = format!("at most {MOST_BYTES} bytes");
            return Err(Error::new("model file", format!("{} bytes", text.len()), accepted));
        }
        let header: Header = serde_json::from_str(text)
            .map_err(|error| Error::new("model file", format!("damaged JSON ({error})"), accepted))?;
        match (header.format.as_deref(), header.version) {
            (Some(FORMAT), Some(VERSION)) => (),
            (Some(FORMAT), Some(other)) => {
                let accepted = format!("version {VERSION}; learn the model again");
                return Err(Error::new("model file", format!("version {other} of the format"), accepted));
            }
            _ => return Err(Error::new("model file", "another kind of JSON", accepted)),
        }
        let file: File<Model> = serde_json::from_str(text)
            .map_err(|error| Error::new("model file", format!("a damaged model ({error})"), accepted))?;
        Ok(file.model)
    }
}
