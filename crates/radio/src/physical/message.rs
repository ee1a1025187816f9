//! Messages in flight, and what is known of their copies.

use crate::fate::Loss;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A message that was handed to the radio and is not settled yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Message {
    /// Its number, for draws of chance.
    pub(super) number: u64,
    /// The station that said it first.
    pub(super) sender: u32,
    /// For whom it is; for all if for nobody.
    pub(super) to: Option<u32>,
    pub(super) payload: Arc<[u8]>,
    /// When it was handed over. [ns]
    pub(super) sent: u64,
    /// Copies of it that wait or are on the air.
    pub(super) pending: u32,
    /// True if its one receiver has it.
    pub(super) arrived: bool,
    /// Why its one receiver did not get it when it was last sent.
    pub(super) missed: Option<Loss>,
    /// What is known of every receiver's copy, if it is forwarded to all.
    pub(super) copies: Option<Box<Copies>>,
    /// True if it is a hello, which radios say to each other.
    pub(super) hello: bool,
    /// Stations that have sent it on to its one receiver.
    pub(super) relays: Vec<u32>,
}

impl Message {
    /// A message to all that was just handed over and waits.
    pub(super) fn new(number: u64, sender: u32, sent: u64, payload: Arc<[u8]>) -> Message {
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

/// What is known of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Copy {
    /// Nobody tried yet.
    Open,
    /// It did not arrive so far.
    Missed(Loss),
    /// It arrived.
    Arrived,
}

impl Copies {
    /// Copies for a team; the sender has its own.
    pub(super) fn new(team: usize, sender: u32) -> Copies {
        let mut state = vec![Copy::Open; team];
        if let Some(own) = state.get_mut(sender as usize) {
            *own = Copy::Arrived;
        }
        Copies { state }
    }

    /// Notes an arrival; false if it had arrived before.
    pub(super) fn arrive(&mut self, receiver: u32) -> bool {
        let fresh = self.state[receiver as usize] != Copy::Arrived;
        self.state[receiver as usize] = Copy::Arrived;
        fresh
    }

    /// Notes a failure.
    pub(super) fn miss(&mut self, receiver: u32, why: Loss) {
        let copy = &mut self.state[receiver as usize];
        if *copy != Copy::Arrived {
            *copy = Copy::Missed(why);
        }
    }

    /// Notes for all that are still open why they will not get it.
    pub(super) fn give_up(&mut self, why: Loss) {
        self.state.iter_mut().filter(|copy| **copy == Copy::Open).for_each(|copy| *copy = Copy::Missed(why));
    }

    /// Receivers that it did not reach, with the reason known last.
    pub(super) fn missing(&self) -> impl Iterator<Item = (u32, Option<Loss>)> + '_ {
        self.state.iter().enumerate().filter_map(|(receiver, copy)| match copy {
            Copy::Arrived => None,
            Copy::Open => Some((receiver as u32, None)),
            Copy::Missed(why) => Some((receiver as u32, Some(*why))),
        })
    }
}

/// Things with places that are used again.
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
