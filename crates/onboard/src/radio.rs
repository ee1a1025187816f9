//! The radio module as the software on board sees it: its limits, its measurements and its predictions. Its knowledge comes from
//! received messages, a map and its own measurements, never from the world.

use crate::geometry::Vec2;
use crate::robot_id::RobotId;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// The last signal from a partner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastSignal {
    /// When, by the robot's clock.
    pub at: Time,
    /// Received power. [dBm]
    pub rssi: f64,
    /// Signal-to-interference-plus-noise ratio. [dB]
    pub sinr: f64,
}

/// The predicted quality of a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkQuality {
    /// Received power. [dBm]
    pub rx: f64,
    /// Signal-to-interference-plus-noise ratio. [dB]
    pub sinr: f64,
    /// Probability that a message of ordinary size arrives, 0 to 1.
    pub success: f64,
    /// Highest rate that the link carries; 0 if it carries none. [bit/s]
    pub rate: f64,
}

/// The route to a partner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The next hop.
    pub next: RobotId,
    /// Number of hops.
    pub hops: u32,
    /// Probability that a message arrives, 0 to 1.
    pub quality: f64,
}

/// A robot's queries to its own radio. `None` means unknown.
pub trait RadioModule {
    /// Largest message that it accepts, in bytes.
    fn largest_message(&self) -> usize {
        usize::MAX
    }

    /// True if it may deliver the same message twice, so that duplicates must be filtered.
    fn may_repeat(&self) -> bool {
        false
    }

    /// The noise at the robot, as its radio measures it. [dBm]
    fn noise(&self) -> Option<f64> {
        None
    }

    /// The last signal from a partner; `None` if it was never heard.
    fn heard(&self, _partner: RobotId) -> Option<LastSignal> {
        None
    }

    /// Predicts the link to a partner if the two were at these places.
    fn predict(&self, _partner: RobotId, _mine: Vec2, _theirs: Vec2) -> Option<LinkQuality> {
        None
    }

    /// Predicts the link to a partner at this distance. [m]
    fn predict_at(&self, _partner: RobotId, _distance: f64) -> Option<LinkQuality> {
        None
    }

    /// The route to a partner; `None` if there is none, or the radio does not forward messages.
    fn route(&self, _partner: RobotId) -> Option<Route> {
        None
    }
}

/// A radio without measurements or limits, such as an ideal one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoRadio;

impl RadioModule for NoRadio {}
