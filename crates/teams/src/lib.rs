//! Coordinators: who does what now. Each is one file or folder here and one line in the registry below.

pub mod alliance;
mod baseline;
pub mod cbba;
mod greedy;
mod hearing;
pub mod muroco;
mod random;
#[cfg(test)]
#[path = "../tests/team/mod.rs"]
mod team;
mod voice;

use crewlab_onboard::{
    Choice, Coordinator, Gauge, Identity, Message, Output, Partner, RobotId, Situation, Skills, TaskSpec,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The environment in which a coordinator boots.
pub struct Boot<'a> {
    /// The robot.
    pub me: &'a Identity,
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// Names and numbers of the robots known in advance, for parameters that concern one of them. More may join.
    pub roster: &'a [(String, RobotId)],
}

/// A missing parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its key.
    pub key: String,
    /// The behaviour set it is missing for; `None` if it is needed in any case.
    pub behaviour: Option<String>,
}

/// A coordinator that a scenario can choose by name.
pub trait Plugin: Coordinator + Sized {
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// What its gauges measure.
    const GAUGE: &'static str = "level";
    /// Its parameters, as in the scenario under `team.<name>`.
    type Params: Default + Clone + std::fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Boots it on one robot, or returns the missing parameters.
    fn boot(params: &Self::Params, boot: &Boot) -> Result<Self, Vec<Missing>>;
}

/// Boxed, so that small coordinators of many robots do not pay for the size of large ones.
impl<P: Plugin> Plugin for Box<P> {
    const SUMMARY: &'static str = P::SUMMARY;
    const GAUGE: &'static str = P::GAUGE;
    type Params = P::Params;

    fn boot(params: &P::Params, boot: &Boot) -> Result<Box<P>, Vec<Missing>> {
        P::boot(params, boot).map(Box::new)
    }
}

/// A coordinator as `crewlab list` and the schema show it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What its gauges measure: a motivation, a bid.
    pub gauge: &'static str,
    /// The schema of its parameters.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

macro_rules! registry {
    ($($name:literal $field:ident => $variant:ident($type:ty),)*) => {
        /// Any coordinator.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum AnyCoordinator { $(#[allow(missing_docs)] $variant($type),)* }

        /// All coordinators.
        pub const KINDS: &[Kind] = &[$(Kind {
            name: $name,
            summary: <$type as Plugin>::SUMMARY,
            gauge: <$type as Plugin>::GAUGE,
            schema: |generator| generator.subschema_for::<<$type as Plugin>::Params>(),
        },)*];

        /// The parameters of all coordinators.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case")]
        pub struct Params { $(#[allow(missing_docs)] pub $field: <$type as Plugin>::Params,)* }

        impl AnyCoordinator {
            /// Boots the coordinator of this name on one robot; `None` if there is no such coordinator.
            pub fn boot(name: &str, params: &Params, boot: &Boot) -> Option<Result<AnyCoordinator, Vec<Missing>>> {
                match name {
                    $($name => Some(<$type>::boot(&params.$field, boot).map(AnyCoordinator::$variant)),)*
                    _ => None,
                }
            }
        }

        impl Coordinator for AnyCoordinator {
            #[inline]
            fn decide(
                &mut self,
                situation: &Situation,
                skills: &dyn Skills,
                inbox: &[Message],
                out: &mut Output,
            ) -> Option<Choice> {
                match self { $(AnyCoordinator::$variant(c) => c.decide(situation, skills, inbox, out),)* }
            }

            fn partners(&self) -> &[Partner] {
                match self { $(AnyCoordinator::$variant(c) => c.partners(),)* }
            }

            fn gauges(&self, out: &mut Vec<Gauge>) {
                match self { $(AnyCoordinator::$variant(c) => c.gauges(out),)* }
            }

            fn effort(&self) -> u32 {
                match self { $(AnyCoordinator::$variant(c) => c.effort(),)* }
            }
        }
    };
}

/// What the gauges of the coordinator of this name measure.
pub fn gauge_of(coordinator: &str) -> &'static str {
    KINDS.iter().find(|kind| kind.name == coordinator).map_or("level", |kind| kind.gauge)
}

registry! {
    "alliance" alliance => Alliance(alliance::Alliance),
    "muroco" muroco => Muroco(Box<muroco::Muroco>),
    "cbba" cbba => Cbba(cbba::Cbba),
    "greedy" greedy => Greedy(greedy::Greedy),
    "random" random => Random(random::Random),
}

/// The page on writing coordinators; its code is compiled by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/write-a-coordinator.md")]
pub struct WriteACoordinator;
