//! The radio module as the program on board sees it: what it takes, what it has measured, and what it makes of that.
//! What it knows comes from what was heard, from a map and from its own measurements, never from the world.

use crate::geometry::Vec2;
use crate::hardware::RobotId;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// How a partner was heard last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// When, by the robot's clock.
    pub at: Time,
    /// Received power. [dBm]
    pub rssi: f64,
    /// Signal against noise and interference. [dB]
    pub sinr: f64,
}

/// What a link is expected to be like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkQuality {
    /// Received power. [dBm]
    pub rx: f64,
    /// Signal against noise and interference. [dB]
    pub sinr: f64,
    /// Probability that a message of ordinary size arrives, 0 to 1.
    pub success: f64,
    /// Highest rate that the link carries; 0 if it carries none. [bit/s]
    pub rate: f64,
}

/// The way to a partner, over others if need be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Who gets it first.
    pub next: RobotId,
    /// How many hops it is to the partner.
    pub hops: u32,
    /// Probability that a message gets there, 0 to 1.
    pub quality: f64,
}

/// What a robot can ask its own radio. What is not answered is not known.
pub trait RadioModule {
    /// Largest message that it takes, in bytes.
    fn largest_message(&self) -> usize {
        usize::MAX
    }

    /// True if it may bring the same message twice, so that somebody must look out for that.
    fn may_repeat(&self) -> bool {
        false
    }

    /// The noise where the robot is, as its radio measures it. [dBm]
    fn noise(&self) -> Option<f64> {
        None
    }

    /// How a partner was heard last; `None` if it never was.
    fn heard(&self, _partner: RobotId) -> Option<Heard> {
        None
    }

    /// What the link to a partner would be like if the two were there.
    fn predict(&self, _partner: RobotId, _mine: Vec2, _theirs: Vec2) -> Option<LinkQuality> {
        None
    }

    /// What the link to a partner would be like at this distance, wherever that is. [m]
    fn predict_at(&self, _partner: RobotId, _distance: f64) -> Option<LinkQuality> {
        None
    }

    /// The way to a partner; `None` if there is none, or the radio does not forward messages.
    fn route(&self, _partner: RobotId) -> Option<Route> {
        None
    }
}

/// A radio that measures nothing and takes everything, such as an ideal one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoRadio;

impl RadioModule for NoRadio {}
