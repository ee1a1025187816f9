//! The service scenario on board: robots take orders from persons and serve them cups with their drinks (MUROCO 3.6).
//!
//! Only a dialog reveals what a person wants. Cups stand near the edge of a counter, so that robots can take them only from the
//! front; a gripper with two fingers needs the handle, one with three does not. A cup is served well if the robot that brings it
//! says a kind word; a robot that cannot grasp it may have it fetched by one that can, and handed over.

mod grasping;
mod idle;
mod knowledge;
mod passage;
mod room;
mod skills;
mod step;
mod talk;
mod trouble;
mod work;

pub use knowledge::{Cup, Guest, Knowledge};
pub use room::{FRONT, Room};
pub use skills::{ServiceSkills, sets};
pub use talk::{Claim, Order, ServiceReport};

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::{Identity, TaskId};
use serde::{Deserialize, Serialize};

/// The drinks, by number.
pub const DRINKS: [&str; 3] = ["coffee", "tea", "water"];
/// The kind of area that a person is.
pub const PERSON: &str = "person";

/// The task of taking an order.
pub const ORDER: TaskId = TaskId(0);
/// The task of serving a person.
pub const SERVE: TaskId = TaskId(1);
/// The part of serving that takes a cup to the partner.
pub const FETCH_TO_PARTNER: TaskId = TaskId(2);
/// The part of serving that takes a cup from the partner to the person.
pub const BRING_FROM_PARTNER: TaskId = TaskId(3);

/// The service robots' briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceBriefing {
    /// The room, which determines all places.
    pub room: Room,
    /// How long a robot takes to grasp a cup. [s]
    pub grasp_time: f64,
    /// How long a robot takes to hand a cup over. [s]
    pub handover_time: f64,
    /// Robots' estimate of the duration of a dialog. [s]
    pub dialog_time: f64,
}

impl Briefing for ServiceBriefing {
    // Boxed, so that small missions with many robots do not pay for its size.
    type Skills = Box<ServiceSkills>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<ServiceSkills> {
        Box::new(ServiceSkills::new(self, me, controller))
    }
}
