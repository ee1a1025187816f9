//! The sending side of a node: its queue, and its access to the medium.

use crate::NodeId;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A queued message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// Its index among the messages in flight.
    pub(super) message: u32,
    /// Hops it may still take.
    pub(super) hops: u8,
    /// When it was queued. [ns]
    pub(super) queued: u64,
    /// When it expires. [ns]
    pub(super) expires: u64,
}

/// Timing of the medium access. [ns]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    pub(super) slot: u64,
    pub(super) difs: u64,
    /// Pause after a frame that could not be decoded.
    pub(super) eifs: u64,
    /// Time from the end of a frame until software has it.
    pub(super) processing: u64,
    pub(super) window: u32,
    pub(super) largest_window: u32,
}

/// The sending side of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Station {
    pub(super) queue: VecDeque<Waiting>,
    /// Index of the frame that it is sending, among the frames on the air.
    pub(super) sending: Option<u32>,
    /// True while it waits for an acknowledgement.
    pub(super) awaiting: bool,
    /// Next hop of the last unicast frame.
    pub(super) next_hop: Option<NodeId>,
    /// Number of attempts for the first message in the queue.
    pub(super) attempts: u32,
    /// True if the medium seems busy.
    pub(super) busy: bool,
    /// True if the last frame it detected could not be decoded.
    pub(super) spoilt: bool,
    /// Since when the medium seems idle. [ns]
    idle_since: u64,
    /// Backoff slots left when the medium became idle.
    slots: u32,
    /// Contention window; 0 for the first one.
    window: u32,
    /// Tells the valid access event from replaced ones.
    plan: u32,
    /// True if an access is planned.
    planned: bool,
    /// Random waiting times drawn so far.
    pub(super) draws: u64,
}

impl Station {
    /// True if it has something to send and may do so.
    fn eager(&self) -> bool {
        !self.queue.is_empty() && self.sending.is_none() && !self.awaiting
    }

    fn pause(&self, turns: &Turns) -> u64 {
        if self.spoilt { turns.eifs } else { turns.difs }
    }

    /// The moment of the next access and its number, if one must be planned now. Without backoff the station sends as soon as the
    /// medium has been free for a pause from now on.
    pub(super) fn plan(&mut self, now: u64, turns: &Turns) -> Option<(u64, u32)> {
        if self.busy || self.planned || !self.eager() {
            return None;
        }
        let waited = self.idle_since + self.pause(turns) + u64::from(self.slots) * turns.slot;
        let at = if self.slots > 0 && waited >= now { waited } else { waited.max(now + turns.difs) };
        self.planned = true;
        self.plan = self.plan.wrapping_add(1);
        Some((at, self.plan))
    }

    /// True if a planned access is still valid; consumes it.
    pub(super) fn takes(&mut self, plan: u32) -> bool {
        let counts = self.planned && self.plan == plan;
        if counts {
            (self.planned, self.slots) = (false, 0);
        }
        counts
    }

    /// The medium has become busy: the backoff stops, and whole slots that have passed count. A station without backoff still has
    /// none afterwards.
    pub(super) fn hold(&mut self, now: u64, turns: &Turns) {
        self.busy = true;
        let counted = now.saturating_sub(self.idle_since + self.pause(turns)) / turns.slot.max(1);
        self.slots = self.slots.saturating_sub(u32::try_from(counted).unwrap_or(u32::MAX));
        self.planned = false;
    }

    /// The medium has become idle.
    pub(super) fn release(&mut self, now: u64) {
        (self.busy, self.idle_since) = (false, now);
    }

    /// True if a message that arrives at the empty queue now finds the medium busy, so that a backoff is drawn.
    pub(super) fn must_wait(&self) -> bool {
        self.busy && self.slots == 0 && self.queue.is_empty()
    }

    /// Takes a random number of backoff slots.
    pub(super) fn wait(&mut self, random: u32, turns: &Turns) {
        let window = if self.window == 0 { turns.window } else { self.window };
        self.slots = ((u64::from(random) * (u64::from(window) + 1)) >> 32) as u32;
    }

    /// Doubles the contention window after a failure.
    pub(super) fn widen(&mut self, turns: &Turns) {
        let window = if self.window == 0 { turns.window } else { self.window };
        self.window = (2 * window + 1).min(turns.largest_window.max(turns.window));
    }

    /// Resets the contention window.
    pub(super) fn narrow(&mut self) {
        (self.window, self.attempts) = (0, 0);
    }
}
