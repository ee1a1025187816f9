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
        // Serialising plain data into a growing vector cannot fail, and every test would detect it.
        let bytes = postcard::to_stdvec(value).unwrap_or_else(|error| {
            debug_assert!(false, "not plain data: {error}");
            Vec::new()
        });
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(&bytes);
    }

    /// Adds events without their words.
    pub fn events(&mut self, events: &[Logged]) {
        events.iter().for_each(|Logged { time, robot, event }| self.add(&(time, robot, event.facts())));
    }

    /// Adds the final state without texts for people and returns the hash as hexadecimal text.
    pub fn finish(mut self, state: &State) -> String {
        let mut state = state.clone();
        state.forget_words();
        self.add(&state.facts());
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Event, EventKind, Reason, Time};

    fn of(event: Event) -> Vec<u8> {
        let mut hash = ResultHash::default();
        hash.events(&[Logged { time: Time::ZERO, robot: None, event }]);
        hash.0.finalize().to_vec()
    }

    #[test]
    fn fields_are_hashed_and_words_are_not() {
        let event = || Event::new(EventKind::Ended).reason(Reason::Done).with("took", 3.0);
        assert_eq!(of(event().saying("it is done")), of(event().saying("it is over")));
        let others = [
            Event { kind: EventKind::Failed, ..event() },
            event().reason(Reason::Unwanted),
            event().with("cost", 1.0),
            event().subject(1),
            event().thing("crate"),
        ];
        for other in others {
            assert_ne!(of(other.clone()), of(event()), "{other:?}");
        }
    }
}
