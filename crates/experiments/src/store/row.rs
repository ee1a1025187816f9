//! One finished run, as stored.

use crate::metrics::METRICS;
use crewlab_lab::run::{Incomplete, Summary};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fmt;

/// The key of a run: the scenario without its name and seed, and the seed. The version of the program is the third part; rows
/// of other versions are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Fingerprint of the resolved scenario without its name and seed.
    pub scenario: u128,
    /// The seed.
    pub seed: u64,
}

impl Key {
    /// The fingerprint of a resolved scenario.
    pub fn fingerprint(resolved: &Value) -> u128 {
        let mut rest = resolved.clone();
        if let Value::Object(map) = &mut rest {
            map.remove("name");
            if let Some(Value::Object(run)) = map.get_mut("run") {
                run.remove("seed");
            }
        }
        let digest = Sha256::digest(in_order(rest).to_string().as_bytes());
        digest.iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte))
    }
}

/// The value with sorted keys: the order in a file does not matter.
fn in_order(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> =
                map.into_iter().map(|(key, value)| (key, in_order(value))).collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => items.into_iter().map(in_order).collect(),
        other => other,
    }
}

/// Why a run has no results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The program panicked: a bug.
    Panicked,
    /// It exceeded the time limit per run.
    TimedOut,
    /// It could not be started with this seed.
    Refused,
}

impl Failure {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Failure::Panicked => "panicked",
            Failure::TimedOut => "timed-out",
            Failure::Refused => "refused",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunOutcome {
    /// It ended; the values tell whether the mission was completed.
    Done {
        /// One value per metric; NaN where it is undefined.
        values: Vec<f64>,
        /// The result hash.
        result: String,
        /// Why the mission was not completed, if it was not.
        incomplete: Option<Incomplete>,
    },
    /// It has no results.
    Failed {
        /// The kind of failure.
        failure: Failure,
        /// The reason.
        reason: String,
    },
}

impl RunOutcome {
    /// The stored form of a summary.
    pub fn of(summary: &Summary) -> RunOutcome {
        let values = METRICS.iter().map(|metric| metric.value(summary).unwrap_or(f64::NAN)).collect();
        let (result, incomplete) = (summary.result_hash.clone(), summary.incomplete.clone());
        RunOutcome::Done { values, result, incomplete }
    }

    /// The value of a metric, by its index; `None` if it is undefined in this run, or if the run failed.
    pub fn value(&self, metric: usize) -> Option<f64> {
        match self {
            RunOutcome::Done { values, .. } => values.get(metric).copied().filter(|value| value.is_finite()),
            RunOutcome::Failed { .. } => None,
        }
    }
}

/// A run and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Which run.
    pub key: Key,
    /// How it ended.
    pub outcome: RunOutcome,
}

/// A line of a journal.
pub(super) enum Line {
    /// A row of the requested version.
    Row(StoredRun),
    /// A row of another version.
    Stranger,
}

impl StoredRun {
    /// As a line of a journal: a checksum, a space, JSON.
    pub(super) fn line(&self, version: &str) -> String {
        let mut map = Map::new();
        map.insert("scenario".into(), format!("{:032x}", self.key.scenario).into());
        map.insert("seed".into(), self.key.seed.into());
        map.insert("version".into(), version.into());
        match &self.outcome {
            RunOutcome::Done { values, result, incomplete } => {
                let named = METRICS.iter().zip(values).filter(|(_, value)| value.is_finite());
                let values: Map<String, Value> =
                    named.map(|(metric, value)| (metric.name.into(), json!(value))).collect();
                map.insert("result".into(), result.clone().into());
                map.insert("values".into(), values.into());
                if let Some(why) = incomplete {
                    map.insert("incomplete".into(), json!(why));
                }
            }
            RunOutcome::Failed { failure, reason } => {
                map.insert("failed".into(), json!(failure));
                map.insert("reason".into(), reason.clone().into());
            }
        }
        let text = Value::Object(map).to_string();
        format!("{} {text}\n", checksum(&text))
    }

    /// Parses a line; `None` if it is damaged.
    pub(super) fn read(line: &str, version: &str) -> Option<Line> {
        let (sum, text) = line.split_once(' ')?;
        if sum != checksum(text) {
            return None;
        }
        let map: Value = serde_json::from_str(text).ok()?;
        if map["version"] != version {
            return Some(Line::Stranger);
        }
        let scenario = u128::from_str_radix(map["scenario"].as_str()?, 16).ok()?;
        let key = Key { scenario, seed: map["seed"].as_u64()? };
        let outcome = match map.get("failed") {
            Some(failure) => RunOutcome::Failed {
                failure: serde_json::from_value(failure.clone()).ok()?,
                reason: map["reason"].as_str()?.to_string(),
            },
            None => RunOutcome::Done {
                values: METRICS
                    .iter()
                    .map(|metric| map["values"][metric.name].as_f64().unwrap_or(f64::NAN))
                    .collect(),
                result: map["result"].as_str()?.to_string(),
                incomplete: match map.get("incomplete") {
                    Some(why) => Some(serde_json::from_value(why.clone()).ok()?),
                    None => None,
                },
            },
        };
        Some(Line::Row(StoredRun { key, outcome }))
    }
}

fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_lab::VERSION;

    fn read(line: &str) -> Option<Line> {
        StoredRun::read(line, VERSION)
    }

    fn row() -> StoredRun {
        let mut values = vec![f64::NAN; METRICS.len()];
        values[0] = 1.0;
        values[1] = 0.1 + 0.2;
        let key = Key { scenario: 7 << 100, seed: u64::MAX };
        StoredRun { key, outcome: RunOutcome::Done { values, result: "abc".into(), incomplete: None } }
    }

    #[test]
    fn a_row_round_trips() {
        let line = row().line(VERSION);
        let Some(Line::Row(read)) = read(line.trim_end()) else { panic!("not read: {line}") };
        assert_eq!(read.key, row().key);
        assert_eq!(read.outcome.value(1), Some(0.1 + 0.2));
        assert_eq!(read.outcome.value(2), None);
    }

    #[test]
    fn a_damaged_line_is_refused() {
        let line = row().line(VERSION);
        let line = line.trim_end();
        for at in 0..line.len() {
            assert!(read(&line[..at]).is_none(), "cut at {at}");
            let mut bytes = line.as_bytes().to_vec();
            bytes[at] ^= 1;
            assert!(String::from_utf8(bytes).is_ok_and(|line| read(&line).is_none()), "bit at {at}");
        }
    }

    #[test]
    fn neither_name_nor_seed_make_another_scenario() {
        let one = json!({"name": "a", "run": {"seed": 1, "tick": 0.1}});
        let two = json!({"name": "b", "run": {"seed": 2, "tick": 0.1}});
        let three = json!({"name": "b", "run": {"seed": 2, "tick": 0.2}});
        let four = json!({"run": {"tick": 0.1, "seed": 2}, "name": "b"});
        assert_eq!(Key::fingerprint(&one), Key::fingerprint(&four), "the order of keys");
        assert_eq!(Key::fingerprint(&one), Key::fingerprint(&two));
        assert_ne!(Key::fingerprint(&one), Key::fingerprint(&three));
    }
}
