//! Messages in flight, and the state of their copies.

use crate::NodeId;
use crate::fate::Loss;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A message that is not settled yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Message {
    /// Its number, for random draws.
    pub(super) number: u64,
    /// The station that sent it first.
    pub(super) sender: NodeId,
    /// The receiver; `None` for all.
    pub(super) to: Option<NodeId>,
    pub(super) payload: Arc<[u8]>,
    /// When it was handed to the radio. [ns]
    pub(super) sent: u64,
    /// Copies that are queued or on the air.
    pub(super) pending: u32,
    /// True if its receiver has it (unicast).
    pub(super) arrived: bool,
    /// Why its receiver missed the last transmission (unicast).
    pub(super) missed: Option<Loss>,
    /// The state of every receiver's copy, if it is flooded.
    pub(super) copies: Option<Box<Copies>>,
    /// True if it is a hello, which radios send to each other.
    pub(super) hello: bool,
    /// Stations that have relayed it (unicast).
    pub(super) relays: Vec<NodeId>,
}

impl Message {
    /// A new broadcast, waiting to be sent.
    pub(super) fn new(number: u64, sender: NodeId, sent: u64, payload: Arc<[u8]>) -> Message {
        Message {
            number,
            sender,
            to: None,
            payload,
            sent,
            pending: 1,
            arrived: false,
            missed: None,
            copies: None,
            hello: false,
            relays: Vec::new(),
        }
    }
}

/// Copies by receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Copies {
    state: Vec<Copy>,
}

/// The state of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Copy {
    /// No attempt yet.
    Open,
    /// Not arrived so far.
    Missed(Loss),
    /// It arrived.
    Arrived,
}

impl Copies {
    /// Copies for a team; the sender already has its own.
    pub(super) fn new(team: usize, sender: NodeId) -> Copies {
        let mut state = vec![Copy::Open; team];
        if let Some(own) = state.get_mut(sender.index()) {
            *own = Copy::Arrived;
        }
        Copies { state }
    }

    /// Records an arrival; false if it had arrived before.
    pub(super) fn arrive(&mut self, receiver: NodeId) -> bool {
        let fresh = self.state[receiver] != Copy::Arrived;
        self.state[receiver] = Copy::Arrived;
        fresh
    }

    /// Records a failure.
    pub(super) fn miss(&mut self, receiver: NodeId, why: Loss) {
        let copy = &mut self.state[receiver];
        if *copy != Copy::Arrived {
            *copy = Copy::Missed(why);
        }
    }

    /// Records the reason for all receivers that have not got it.
    pub(super) fn give_up(&mut self, why: Loss) {
        self.state.iter_mut().filter(|copy| **copy == Copy::Open).for_each(|copy| *copy = Copy::Missed(why));
    }

    /// Receivers that it did not reach, with the latest reason.
    pub(super) fn missing(&self) -> impl Iterator<Item = (NodeId, Option<Loss>)> + '_ {
        NodeId::enumerate(&self.state).filter_map(|(receiver, copy)| match copy {
            Copy::Arrived => None,
            Copy::Open => Some((receiver, None)),
            Copy::Missed(why) => Some((receiver, Some(*why))),
        })
    }
}

/// A slab: items with indices that are reused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Places<T> {
    list: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Places { list: Vec::new(), free: Vec::new() }
    }
}

impl<T> Places<T> {
    pub(super) fn put(&mut self, thing: T) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.list[place as usize] = Some(thing);
                place
            }
            None => {
                self.list.push(Some(thing));
                self.list.len() as u32 - 1
            }
        }
    }

    pub(super) fn take(&mut self, place: u32) -> Option<T> {
        let thing = self.list.get_mut(place as usize)?.take();
        if thing.is_some() {
            self.free.push(place);
        }
        thing
    }

    pub(super) fn get(&self, place: u32) -> Option<&T> {
        self.list.get(place as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.list.get_mut(place as usize)?.as_mut()
    }
}
