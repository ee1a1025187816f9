//! Controllers: from "go there" to speeds, using percepts only. Each is one file here and one line in the registry below.

pub mod costs;
pub mod free_direction;
pub mod pilot;

pub use costs::CostField;
pub use free_direction::FreeDirection;
pub use pilot::Pilot;

use crewlab_onboard::{Controller, Identity, Speeds, Steering, Stream};
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

        #[deny(clippy::missing_trait_methods)]
        impl Controller for AnyController {
            fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
                match self { $(AnyController::$variant(controller) => controller.steer(steering, random),)* }
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

            fn effort(&self) -> u32 {
                match self { $(AnyController::$variant(controller) => controller.effort(),)* }
            }
        }
    };
}

registry! {
    "pilot" pilot => Pilot(Pilot),
    "free-direction" free_direction => FreeDirection(FreeDirection),
}

/// The page on writing controllers; its code is compiled by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/write-a-controller.md")]
pub struct WriteAController;
