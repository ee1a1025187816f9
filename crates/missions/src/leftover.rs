//! What is left to do, as the referee sees it in the world.

use crewlab_onboard::{RobotId, TaskId, Vec2};
use crewlab_world::ObjectId;
use serde::{Deserialize, Serialize};

/// A thing that still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Remains {
    /// An item, by its number.
    Item(u32),
    /// An object.
    Object(ObjectId),
    /// An area, by its number: a person who waits, a place to be visited.
    Area(u32),
    /// A robot that has to get somewhere.
    Robot(RobotId),
    /// A stock that lies all over the floor, by its number.
    Floor(u32),
}

/// Something that is left to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Leftover {
    /// What.
    pub what: Remains,
    /// Where it is. [m]
    pub place: Vec2,
    /// The number of the area that it has to be taken to, if it has to be.
    pub goal: Option<u32>,
    /// Tasks that would take care of it; empty if the mission does not tell.
    pub tasks: Vec<TaskId>,
}
