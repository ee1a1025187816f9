//! The hash of a run's results.

use crate::log::Logged;
use crate::state::State;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Hashes events as they come and the state at the end.
#[derive(Clone, Default)]
pub struct ResultHash(Sha256);

impl ResultHash {
    fn add(&mut self, value: &impl Serialize) {
        // Serialising plain data into a growing vector cannot fail, and every test would notice if it did.
        let bytes = postcard::to_stdvec(value).unwrap_or_else(|error| {
            debug_assert!(false, "not plain data: {error}");
            Vec::new()
        });
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(&bytes);
    }

    /// Adds events.
    pub fn events(&mut self, events: &[Logged]) {
        events.iter().for_each(|event| self.add(event));
    }

    /// Adds the final state and returns the hash as hexadecimal text.
    pub fn finish(mut self, state: &State) -> String {
        self.add(state);
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
