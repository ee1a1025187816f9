//! Controllers: from "go there" to speeds, using percepts only. Each is one file here and one line in the registry below.

pub mod costs;
pub mod deadlock;
mod detour;
pub mod free_direction;
mod hesitation;
pub mod human_like;
pub mod neighbours;
pub mod orca;
pub mod pilot;
pub mod planned;
pub mod planning;
pub mod pursuit;
mod trip;
pub mod vfh;

pub use costs::CostField;
pub use deadlock::Deadlock;
pub use free_direction::FreeDirection;
pub use human_like::HumanLike;
pub use neighbours::Neighbours;
pub use orca::Orca;
pub use pilot::Pilot;
pub use planned::Planned;
pub use pursuit::{Pursuit, Wish};
pub use trip::Considered;
pub use vfh::Vfh;

use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{Controller, Identity, Speeds, Steering, Stream, Time};
use planning::costs::Knot;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A controller that a scenario can choose by name.
pub trait Plugin: Controller + Sized {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// Its parameters, as in the scenario under `team.controllers.<name>`.
    type Params: Default + Clone + std::fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Boots it on one robot.
    fn boot(params: &Self::Params, me: &Identity) -> Self;

    /// Speeds in this tick for a robot that is driven by costs: towards the cheapest place around, unless the controller can do better.
    fn pursue(&mut self, pursuit: &Pursuit, random: &mut Stream) -> Speeds {
        let Pursuit { pose, scan, neighbours, limits, situation, .. } = *pursuit;
        match pursuit::cheapest(pursuit) {
            Some(goal) => {
                self.steer(&Steering { goal, pose: Some(pose), scan, neighbours, limits, situation }, random)
            }
            None => {
                self.rest();
                (0.0, 0.0)
            }
        }
    }

    /// The plan and the cheapest other trajectory that was considered, with what each costs; nothing without a plan.
    fn considered(&self, _wish: &dyn Wish, _pose: &Pose, _now: Time) -> Vec<Considered> {
        Vec::new()
    }

    /// Appends where the robot will be at `count` times from now on, as it has planned; nothing without a plan.
    fn trajectory(&self, _pose: &Pose, _now: Time, _count: usize, _knots: &mut Vec<Knot>) {}
}

/// A controller as `crewlab list` and the schema show it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

macro_rules! registry {
    ($($name:literal $field:ident => $variant:ident($type:ty),)*) => {
        /// Any controller.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyController { $(#[allow(missing_docs)] $variant($type),)* }

        /// All controllers. The first one is used where a scenario names none.
        pub const KINDS: &[Kind] = &[$(Kind { name: $name, summary: <$type as Plugin>::SUMMARY },)*];

        /// The parameters of all controllers.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
        pub struct ControllerParams { $(#[doc = concat!("Parameters of `", $name, "`.")] pub $field: <$type as Plugin>::Params,)* }

        impl AnyController {
            /// Boots the controller of this name on one robot; `None` if there is no such controller.
            pub fn boot(name: &str, params: &ControllerParams, me: &Identity) -> Option<AnyController> {
                match name {
                    $($name => Some(AnyController::$variant(<$type>::boot(&params.$field, me))),)*
                    _ => None,
                }
            }
        }

        impl AnyController {
            /// Speeds in this tick for a robot that is driven by costs.
            pub fn pursue(&mut self, pursuit: &Pursuit, random: &mut Stream) -> Speeds {
                match self { $(AnyController::$variant(controller) => controller.pursue(pursuit, random),)* }
            }

            /// The plan and the cheapest other trajectory that was considered, with what each costs; nothing without a plan.
            pub fn considered(&self, wish: &dyn Wish, pose: &Pose, now: Time) -> Vec<Considered> {
                match self { $(AnyController::$variant(controller) => controller.considered(wish, pose, now),)* }
            }

            /// Appends where the robot will be at `count` times from now on, as it has planned; nothing without a plan.
            pub fn trajectory(&self, pose: &Pose, now: Time, count: usize, knots: &mut Vec<Knot>) {
                match self { $(AnyController::$variant(controller) => controller.trajectory(pose, now, count, knots),)* }
            }
        }

        #[deny(clippy::missing_trait_methods)]
        impl Controller for AnyController {
            /// Nonsense in, such as a bearing that is no number, must not give nonsense out: then the robot stands still.
            fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
                let (speed, turn) = match self {
                    $(AnyController::$variant(controller) => controller.steer(steering, random),)*
                };
                if speed.is_finite() && turn.is_finite() { (speed, turn) } else { (0.0, 0.0) }
            }

            fn set_out(&mut self) {
                match self { $(AnyController::$variant(controller) => controller.set_out(),)* }
            }

            fn rest(&mut self) {
                match self { $(AnyController::$variant(controller) => controller.rest(),)* }
            }

            fn margin(&self) -> f64 {
                match self { $(AnyController::$variant(controller) => controller.margin(),)* }
            }

            fn look_ahead(&self) -> f64 {
                match self { $(AnyController::$variant(controller) => controller.look_ahead(),)* }
            }

            fn tells(&self) -> Option<f64> {
                match self { $(AnyController::$variant(controller) => controller.tells(),)* }
            }

            fn effort(&self) -> u32 {
                match self { $(AnyController::$variant(controller) => controller.effort(),)* }
            }
        }
    };
}

registry! {
    "pilot" pilot => Pilot(Pilot),
    "free-direction" free_direction => FreeDirection(FreeDirection),
    "cpbp" cpbp => Cpbp(Planned<planning::Cpbp>),
    "mppi" mppi => Mppi(Planned<planning::Mppi>),
    "vfh" vfh => Vfh(Vfh),
    "orca" orca => Orca(Orca),
    "human-like" human_like => HumanLike(HumanLike),
}

/// The page on writing controllers; its code is compiled by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/write-a-controller.md")]
pub struct WriteAController;
