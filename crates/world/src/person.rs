//! A person who can be asked for an order and served.

use crate::body::BodyId;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A person in an area: what they can reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The kind of item that the person wants. Only a dialog reveals it.
    pub wants: Arc<str>,
    /// How the person says it: a number that the mission gives a meaning.
    pub says: u32,
    /// When the person comes in; `None` once that has happened.
    pub arrives: Option<Time>,
    /// How long the dialog has lasted that is under way. [s]
    pub talked: f64,
    /// Who took the order last.
    pub ordered: Option<BodyId>,
    /// The item that the person was given.
    pub has: Option<u32>,
    /// How long the person has had it without anybody speaking. [s]
    pub alone: f64,
    /// True once somebody has spoken to the person after that.
    pub attended: bool,
}

impl Person {
    /// A person who wants this and comes at this time; `None` for one who is there from the start.
    pub fn new(wants: &str, says: u32, arrives: Option<Time>) -> Person {
        Person {
            wants: wants.into(),
            says,
            arrives,
            talked: 0.0,
            ordered: None,
            has: None,
            alone: 0.0,
            attended: false,
        }
    }
}
