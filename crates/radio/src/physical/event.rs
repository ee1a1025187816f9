//! What happens on the air, in order of time.

use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Something that happens at a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum What {
    /// The frame that the station sends is over.
    End,
    /// Some jammer goes on or off. The number tells an event that still counts from one that was replaced.
    JammersSwitch(u32),
    /// The others notice the frame that the station sends.
    Notice,
    /// The station answers a frame from another one.
    Acknowledge(u32),
    /// The station has waited long enough for an answer. The number is that of the attempt.
    GiveUpWaiting(u32),
    /// A message comes into the station's queue, with the hops it may still take.
    Arrive {
        /// Its place among the messages in flight.
        message: u32,
        /// Hops it may still take.
        hops: u8,
    },
    /// The station says hello.
    Hello,
    /// The station's waiting time is over. The number tells an event that still counts from one that was replaced.
    Access(u32),
}

impl What {
    /// What comes first of events at the same moment. Frames end before others begin; queues fill before stations send.
    fn rank(self) -> u8 {
        match self {
            What::End => 0,
            What::JammersSwitch(_) => 1,
            What::Notice => 2,
            What::Acknowledge(_) => 3,
            What::GiveUpWaiting(_) => 4,
            What::Arrive { .. } => 5,
            What::Hello => 6,
            What::Access(_) => 7,
        }
    }
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Event {
    /// When. [ns]
    pub(super) at: u64,
    /// Where.
    pub(super) station: u32,
    /// What.
    pub(super) what: What,
    /// In which order a station made its events.
    count: u64,
}

impl Event {
    fn key(&self) -> (u64, u8, u32, u64) {
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

/// What is still to happen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<Event>>,
    count: u64,
}

impl Agenda {
    pub(super) fn add(&mut self, at: u64, station: u32, what: What) {
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
