//! The kinds of disturbances, one file each.

mod answer;
mod area_added;
mod area_changed;
mod area_moved;
mod area_removed;
mod bandwidth;
mod battery;
mod clock;
mod coordinator;
mod crash;
mod drive;
mod effector;
mod emergency_stop;
mod item_turned;
mod items_added;
mod items_moved;
mod items_removed;
mod jammer;
mod link_cut;
mod noise;
mod object_added;
mod object_changed;
mod object_moved;
mod object_removed;
mod partition;
mod person;
mod place;
mod radio;
mod release;
mod repair;
mod robot_added;
mod robot_moved;
mod robot_removed;
mod sensor;
mod stop;
mod take_over;
mod task_added;
mod task_cancelled;
mod task_priority;
mod terrain;
mod trap;

pub use answer::Answer;
pub use area_added::AreaAdded;
pub use area_changed::AreaChanged;
pub use area_moved::AreaMoved;
pub use area_removed::AreaRemoved;
pub use bandwidth::Bandwidth;
pub use battery::Battery;
pub use clock::Clock;
pub use coordinator::Coordinator;
pub use crash::Crash;
pub use drive::Drive;
pub use effector::Effector;
pub use emergency_stop::EmergencyStop;
pub use item_turned::ItemTurned;
pub use items_added::ItemsAdded;
pub use items_moved::ItemsMoved;
pub use items_removed::ItemsRemoved;
pub use jammer::Jammer;
pub use link_cut::LinkCut;
pub use noise::Noise;
pub use object_added::ObjectAdded;
pub use object_changed::ObjectChanged;
pub use object_moved::ObjectMoved;
pub use object_removed::ObjectRemoved;
pub use partition::Partition;
pub use person::Person;
pub use radio::Radio;
pub use release::Release;
pub use repair::{REPAIRABLE, Repair};
pub use robot_added::RobotAdded;
pub use robot_moved::RobotMoved;
pub use robot_removed::RobotRemoved;
pub use sensor::Sensor;
pub use stop::Stop;
pub use take_over::TakeOver;
pub use task_added::TaskAdded;
pub use task_cancelled::TaskCancelled;
pub use task_priority::TaskPriority;
pub use terrain::Terrain;
pub use trap::{TRAP_AROUND, Trap};

/// Returns an outcome that waits for the next tick, with the reason.
macro_rules! or_wait {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(why) => return super::super::Attempt::NotYet(why),
        }
    };
}
use or_wait;

/// The default severity.
fn half() -> f64 {
    0.5
}

/// The default count.
fn one() -> u32 {
    1
}
