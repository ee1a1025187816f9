//! The kinds of disturbances: one file each, and one line in the registry below.

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
mod object_copied;
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

pub use repair::REPAIRABLE;
pub use trap::TRAP_AROUND;

use super::about::About;
use super::stress::{Ground, Stressor};
use super::{Attempt, Complaint, Disturb, Inventory, Scene};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of disturbance.
pub struct DisturbanceKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// Its self-description.
    pub about: About,
    pub(super) stressors: fn(&Ground) -> Vec<Stressor>,
}

macro_rules! registry {
    ($($name:literal => $module:ident::$variant:ident,)*) => {
        /// Any disturbance, by its key in scenario files.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs)]
        pub enum AnyDisturbance { $(#[serde(rename = $name)] $variant($module::$variant),)* }

        /// All kinds of disturbances.
        pub const KINDS: &[DisturbanceKind] = &[$(DisturbanceKind {
            name: $name,
            about: <$module::$variant as Disturb>::ABOUT,
            stressors: <$module::$variant as Disturb>::stressors,
        },)*];

        impl AnyDisturbance {
            /// Its name in scenario files.
            pub fn name(&self) -> &'static str {
                match self { $(AnyDisturbance::$variant(_) => $name,)* }
            }

            /// The self-description of its kind.
            pub fn about(&self) -> About {
                match self { $(AnyDisturbance::$variant(_) => <$module::$variant as Disturb>::ABOUT,)* }
            }

            pub(super) fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
                self.about().needs.iter().try_for_each(|need| need.check(inventory))?;
                match self { $(AnyDisturbance::$variant(kind) => kind.check(inventory),)* }
            }

            pub(super) fn apply(&self, scene: &mut Scene) -> Attempt {
                match self { $(AnyDisturbance::$variant(kind) => kind.apply(scene),)* }
            }

            /// The name of an object or area that it adds.
            pub fn adds(&self) -> Option<&str> {
                match self { $(AnyDisturbance::$variant(kind) => kind.adds(),)* }
            }

            pub(super) fn lasts(&self) -> Option<f64> {
                match self { $(AnyDisturbance::$variant(kind) => kind.lasts(),)* }
            }
        }
    };
}

registry! {
    "sensor" => sensor::Sensor,
    "drive" => drive::Drive,
    "effector" => effector::Effector,
    "battery" => battery::Battery,
    "stop" => stop::Stop,
    "emergency-stop" => emergency_stop::EmergencyStop,
    "crash" => crash::Crash,
    "radio" => radio::Radio,
    "clock" => clock::Clock,
    "trap" => trap::Trap,
    "robot-added" => robot_added::RobotAdded,
    "robot-removed" => robot_removed::RobotRemoved,
    "robot-moved" => robot_moved::RobotMoved,
    "take-over" => take_over::TakeOver,
    "release" => release::Release,
    "repair" => repair::Repair,
    "coordinator" => coordinator::Coordinator,
    "object-added" => object_added::ObjectAdded,
    "object-copied" => object_copied::ObjectCopied,
    "object-moved" => object_moved::ObjectMoved,
    "object-removed" => object_removed::ObjectRemoved,
    "object-changed" => object_changed::ObjectChanged,
    "person" => person::Person,
    "items-added" => items_added::ItemsAdded,
    "items-removed" => items_removed::ItemsRemoved,
    "items-moved" => items_moved::ItemsMoved,
    "item-turned" => item_turned::ItemTurned,
    "area-added" => area_added::AreaAdded,
    "area-moved" => area_moved::AreaMoved,
    "area-removed" => area_removed::AreaRemoved,
    "area-changed" => area_changed::AreaChanged,
    "terrain" => terrain::Terrain,
    "jammer" => jammer::Jammer,
    "link-cut" => link_cut::LinkCut,
    "partition" => partition::Partition,
    "noise" => noise::Noise,
    "bandwidth" => bandwidth::Bandwidth,
    "task-added" => task_added::TaskAdded,
    "task-cancelled" => task_cancelled::TaskCancelled,
    "task-priority" => task_priority::TaskPriority,
    "answer" => answer::Answer,
}

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
