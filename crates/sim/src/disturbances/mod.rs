//! Disturbances. Each kind is one file in [`kinds`] and one line in the registry below; *when* it happens ([`When`]), to *whom*
//! ([`Target`]) and how it is undone (`layers.rs`) is the same for all.

mod condition;
mod inventory;
pub mod kinds;
mod layers;
mod plain;
mod scene;
mod schedule;
mod setting;
mod spec;
mod target;
mod when;

pub use condition::{Condition, Fact};
use inventory::among;
pub use inventory::{Complaint, Inventory};
pub use scene::{Attempt, Done, Scene};
pub use schedule::Schedule;
pub use spec::{DisturbanceSpec, Timing};
pub use target::Target;
pub use when::When;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A kind of disturbance. Its fields are its parameters, as in the scenario.
pub trait Disturb: Clone + Serialize + DeserializeOwned + JsonSchema {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// An example, as an entry of a scenario's `disturbances`.
    const EXAMPLE: &'static str;

    /// Refuses what can never work.
    fn check(&self, inventory: &Inventory) -> Result<(), Complaint>;

    /// Applies it.
    fn apply(&self, scene: &mut Scene) -> Attempt;

    /// Default duration; for good if `None`. [s]
    fn lasts(&self) -> Option<f64> {
        None
    }

    /// The name of an object or area that it adds, so that other disturbances can refer to it.
    fn adds(&self) -> Option<&str> {
        None
    }
}

/// A kind of disturbance as `crewlab list` and the schema show it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// An example, as an entry of a scenario's `disturbances`.
    pub example: &'static str,
}

macro_rules! registry {
    ($($name:literal => $variant:ident,)*) => {
        /// Any disturbance, by its key in scenario files.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs)]
        pub enum AnyDisturbance { $(#[serde(rename = $name)] $variant(kinds::$variant),)* }

        /// All kinds of disturbances.
        pub const KINDS: &[Kind] = &[$(Kind {
            name: $name,
            summary: <kinds::$variant as Disturb>::SUMMARY,
            example: <kinds::$variant as Disturb>::EXAMPLE,
        },)*];

        impl AnyDisturbance {
            /// Its name in scenario files.
            pub fn name(&self) -> &'static str {
                match self { $(AnyDisturbance::$variant(_) => $name,)* }
            }

            fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
                match self { $(AnyDisturbance::$variant(kind) => kind.check(inventory),)* }
            }

            fn apply(&self, scene: &mut Scene) -> Attempt {
                match self { $(AnyDisturbance::$variant(kind) => kind.apply(scene),)* }
            }

            /// The name of an object or area that it adds.
            pub fn adds(&self) -> Option<&str> {
                match self { $(AnyDisturbance::$variant(kind) => kind.adds(),)* }
            }

            fn lasts(&self) -> Option<f64> {
                match self { $(AnyDisturbance::$variant(kind) => kind.lasts(),)* }
            }
        }
    };
}

registry! {
    "sensor" => Sensor,
    "drive" => Drive,
    "effector" => Effector,
    "battery" => Battery,
    "stop" => Stop,
    "emergency-stop" => EmergencyStop,
    "crash" => Crash,
    "radio" => Radio,
    "clock" => Clock,
    "trap" => Trap,
    "robot-added" => RobotAdded,
    "robot-removed" => RobotRemoved,
    "robot-moved" => RobotMoved,
    "take-over" => TakeOver,
    "release" => Release,
    "repair" => Repair,
    "coordinator" => Coordinator,
    "object-added" => ObjectAdded,
    "object-moved" => ObjectMoved,
    "object-removed" => ObjectRemoved,
    "object-changed" => ObjectChanged,
    "person" => Person,
    "items-added" => ItemsAdded,
    "items-removed" => ItemsRemoved,
    "items-moved" => ItemsMoved,
    "item-turned" => ItemTurned,
    "area-added" => AreaAdded,
    "area-moved" => AreaMoved,
    "area-removed" => AreaRemoved,
    "area-changed" => AreaChanged,
    "terrain" => Terrain,
    "jammer" => Jammer,
    "link-cut" => LinkCut,
    "partition" => Partition,
    "noise" => Noise,
    "bandwidth" => Bandwidth,
    "task-added" => TaskAdded,
    "task-cancelled" => TaskCancelled,
    "task-priority" => TaskPriority,
    "answer" => Answer,
}

/// A disturbance, checked and ready to happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// When.
    pub when: When,
    /// How long it lasts; for good if `None`. [s]
    pub lasts: Option<f64>,
    /// Largest number of occurrences; without limit if `None`.
    pub times: Option<u32>,
    /// What.
    pub what: AnyDisturbance,
}
