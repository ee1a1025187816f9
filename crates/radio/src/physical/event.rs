//! Events on the air, in order of time.

use crate::NodeId;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// An event at a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum EventKind {
    /// The frame that the station is sending ends.
    End,
    /// Some jammer switches on or off. The number tells the valid event from replaced ones.
    JammersSwitch(u32),
    /// The others detect the frame that the station is sending.
    Notice,
    /// The station acknowledges a frame from another one.
    Acknowledge(NodeId),
    /// The station stops waiting for an acknowledgement. The number is that of the attempt.
    GiveUpWaiting(u32),
    /// A message arrives at the station's queue, with the hops it may still take.
    Arrive {
        /// Its index among the messages in flight.
        message: u32,
        /// Hops it may still take.
        hops: u8,
    },
    /// The station sends a hello.
    Hello,
    /// The station's backoff ends. The number tells the valid event from replaced ones.
    Access(u32),
}

impl EventKind {
    /// Order of events at the same moment. Frames end before others begin; queues fill before stations send.
    fn rank(self) -> u8 {
        match self {
            EventKind::End => 0,
            EventKind::JammersSwitch(_) => 1,
            EventKind::Notice => 2,
            EventKind::Acknowledge(_) => 3,
            EventKind::GiveUpWaiting(_) => 4,
            EventKind::Arrive { .. } => 5,
            EventKind::Hello => 6,
            EventKind::Access(_) => 7,
        }
    }
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Event {
    /// Time. [ns]
    pub(super) at: u64,
    /// The station.
    pub(super) station: NodeId,
    /// The kind of event.
    pub(super) what: EventKind,
    /// Position in the order in which the station created its events.
    count: u64,
}

impl Event {
    fn key(&self) -> (u64, u8, NodeId, u64) {
        (self.at, self.what.rank(), self.station, self.count)
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The pending events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<Event>>,
    count: u64,
}

impl Agenda {
    pub(super) fn add(&mut self, at: u64, station: NodeId, what: EventKind) {
        self.heap.push(Reverse(Event { at, station, what, count: self.count }));
        self.count += 1;
    }

    /// The next event up to a moment.
    pub(super) fn next(&mut self, until: u64) -> Option<Event> {
        let Reverse(first) = self.heap.peek()?;
        if first.at > until {
            return None;
        }
        self.heap.pop().map(|Reverse(event)| event)
    }
}
