//! Disturbances. Each kind is one file in [`kinds`] and one line in the registry below; *when* it happens ([`When`]), to *whom*
//! ([`Target`]) and how it is undone (`layers.rs`) is the same for all.

pub mod about;
mod condition;
mod inventory;
pub mod kinds;
mod layers;
mod plain;
mod scene;
mod schedule;
mod setting;
mod spec;
pub mod stress;
mod target;
mod when;

pub use about::About;
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
use stress::{Ground, Stressor};

/// A kind of disturbance. Its fields are its parameters, as in the scenario.
pub trait Disturb: Clone + Serialize + DeserializeOwned + JsonSchema {
    /// What it says about itself.
    const ABOUT: About;

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

    /// The ways in which it can hit a scenario, if `crewlab break` tries it.
    fn stressors(_ground: &Ground) -> Vec<Stressor> {
        Vec::new()
    }
}

/// A kind of disturbance.
pub struct DisturbanceKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it says about itself.
    pub about: About,
    stressors: fn(&Ground) -> Vec<Stressor>,
}

macro_rules! registry {
    ($($name:literal => $variant:ident,)*) => {
        /// Any disturbance, by its key in scenario files.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[allow(missing_docs)]
        pub enum AnyDisturbance { $(#[serde(rename = $name)] $variant(kinds::$variant),)* }

        /// All kinds of disturbances.
        pub const KINDS: &[DisturbanceKind] = &[$(DisturbanceKind {
            name: $name,
            about: <kinds::$variant as Disturb>::ABOUT,
            stressors: <kinds::$variant as Disturb>::stressors,
        },)*];

        impl AnyDisturbance {
            /// Its name in scenario files.
            pub fn name(&self) -> &'static str {
                match self { $(AnyDisturbance::$variant(_) => $name,)* }
            }

            /// What its kind says about itself.
            pub fn about(&self) -> About {
                match self { $(AnyDisturbance::$variant(_) => <kinds::$variant as Disturb>::ABOUT,)* }
            }

            fn check(&self, inventory: &Inventory) -> Result<(), Complaint> {
                self.about().needs.iter().try_for_each(|need| need.check(inventory))?;
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
