//! The team's state in parts small enough for any radio, for robots that know too little of the record to be told entry by entry.

use super::council::{Ballot, View};
use super::talk::Talk;
use super::team::Team;
use serde::{Deserialize, Serialize};

/// Size of a part. [bytes]
const PART: usize = 800;

/// Most parts that are believed: more than any team needs.
const MOST: u16 = 256;

/// The parts that were heard of one state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    slot: u32,
    parts: Vec<Vec<u8>>,
}

impl Snapshot {
    /// Says a state.
    pub fn tell(slot: u32, state: &(View, Ballot, Team), say: &mut Vec<Talk>) {
        // Serialising plain data into a growing vector cannot fail.
        let bytes = postcard::to_stdvec(state).unwrap_or_default();
        let parts = bytes.chunks(PART).count().min(usize::from(MOST)) as u16;
        let parts = (0..parts).zip(bytes.chunks(PART)).map(|(part, bytes)| (part, parts, bytes));
        say.extend(parts.map(|(part, parts, bytes)| Talk::State {
            slot,
            part: (part, parts),
            bytes: bytes.to_vec(),
        }));
    }

    /// Takes a part; gives the state once it is complete.
    pub fn collect(
        &mut self,
        slot: u32,
        (part, parts): (u16, u16),
        bytes: Vec<u8>,
    ) -> Option<(View, Ballot, Team)> {
        if parts > MOST || bytes.is_empty() || bytes.len() > PART || slot < self.slot {
            return None;
        }
        if slot > self.slot || self.parts.len() != usize::from(parts) {
            (self.slot, self.parts) = (slot, vec![Vec::new(); usize::from(parts)]);
        }
        *self.parts.get_mut(usize::from(part))? = bytes;
        if self.parts.iter().any(Vec::is_empty) {
            return None;
        }
        let whole = self.parts.concat();
        self.parts.clear();
        postcard::from_bytes(&whole).ok()
    }
}
