//! The recorded fates of messages.

use super::ExplainError;
use crate::table::Reader;
use crewlab_sim::radio::Loss;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The fate of one copy of a message: a row of radio.csv.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageFate {
    /// When it was handed to the radio. [s]
    pub sent_s: f64,
    /// The kind of message.
    pub kind: String,
    /// Its size. [bytes]
    pub bytes: u32,
    /// Its number among the sender's messages.
    pub number: u64,
    /// `delivered`, or why it was lost.
    pub outcome: String,
    /// When it arrived or was lost. [s]
    pub settled_s: f64,
    /// Time from sending to arrival, if it arrived. [ms]
    pub latency_ms: Option<f64>,
    /// Received power, if there was a signal. [dBm]
    pub rssi_dbm: Option<f64>,
    /// Signal-to-interference-plus-noise ratio, if there was a signal. [dB]
    pub sinr_db: Option<f64>,
}

/// The messages around a moment.
#[derive(Default)]
pub(super) struct Around {
    /// The last one sent before.
    pub before: Option<MessageFate>,
    /// The next one.
    pub after: Option<MessageFate>,
}

/// The messages from one robot to another around a time; `None` without a record.
pub(super) fn around(folder: &Path, from: &str, to: &str, at: f64) -> Result<Around, ExplainError> {
    let path = folder.join("radio.csv");
    let wrong = |error: String| ExplainError::Read(path.clone(), error);
    let Some(mut rows) = Reader::open(&path).map_err(wrong)? else { return Ok(Around::default()) };
    let (mut before, mut after): (Option<MessageFate>, Option<MessageFate>) = (None, None);
    while rows.advance().map_err(wrong)? {
        if rows.cell("sender") != Some(from) || rows.cell("receiver") != Some(to) {
            continue;
        }
        let told: MessageFate = rows.row().map_err(wrong)?;
        // Rows are in the order in which copies were settled.
        if told.sent_s <= at + 1e-9 {
            if before.as_ref().is_none_or(|known| known.sent_s <= told.sent_s) {
                before = Some(told);
            }
        } else if after.as_ref().is_none_or(|known| told.sent_s < known.sent_s) {
            after = Some(told);
        }
    }
    Ok(Around { before, after })
}

impl MessageFate {
    /// A description of the row.
    pub(super) fn readable(&self) -> String {
        let outcome = if self.outcome == "delivered" {
            format!("delivered after {:.3} ms", self.latency_ms.unwrap_or(0.0))
        } else {
            format!("lost: {}", meaning(&self.outcome))
        };
        let signal = match (self.rssi_dbm, self.sinr_db) {
            (Some(rssi), Some(sinr)) => {
                format!(" ({rssi:.1} dBm, {sinr:.1} dB above noise and interference)")
            }
            (Some(rssi), None) => format!(" ({rssi:.1} dBm)"),
            _ => String::new(),
        };
        format!("{} of {} bytes sent at {:.6} s, {outcome}{signal}", self.kind, self.bytes, self.sent_s)
    }
}

/// A description of a reason; an unknown one is left unchanged.
fn meaning(outcome: &str) -> String {
    let known = Loss::ALL.into_iter().find(|why| why.name() == outcome);
    known.map_or(outcome.to_string(), |why| format!("{outcome} ({})", why.meaning()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sent_s: f64, outcome: &str) -> MessageFate {
        MessageFate {
            sent_s,
            kind: "heartbeat".into(),
            bytes: 21,
            number: 7,
            outcome: outcome.into(),
            settled_s: sent_s + 0.001,
            latency_ms: Some(1.0),
            rssi_dbm: Some(-71.25),
            sinr_db: None,
        }
    }

    #[test]
    fn a_fate_is_readable() {
        let said = told(41.2, "delivered").readable();
        assert_eq!(said, "heartbeat of 21 bytes sent at 41.200000 s, delivered after 1.000 ms (-71.2 dBm)");
        let said = told(41.2, "jammed").readable();
        assert!(said.contains("lost: jammed (a jammer)"), "{said}");
    }
}
