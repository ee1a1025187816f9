//! Coordinators: who does what now. Each is one file or folder here and one line in the registry below.

pub mod alliance;
mod baseline;
pub mod bite;
pub mod cbba;
pub mod estimators;
mod greedy;
mod hearing;
mod memory;
pub mod muroco;
mod picture;
mod placed;
mod plugin;
mod progress;
mod random;
#[cfg(test)]
#[path = "../tests/team/mod.rs"]
mod team;
mod voice;

pub use crewlab_onboard::IndicatorSpec;
pub use memory::Memories;
pub use picture::{Picture, PictureNode, PicturePoint, PictureTeam, Standing, Wait};
pub use placed::{Misfit, Placed, PlacedValue};
pub use plugin::{
    Boot, FileContent, Finding, GaugeWords, Guarantee, LearningStrategy, Lesson, Missing, PlainTable, Plugin,
    Preparation, TextFile, overlay,
};

use crewlab_onboard::{
    Choice, Coordinator, Gauge, Level, Message, Output, Partner, Situation, Skills, TaskSpec, Time,
};
use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A coordinator for callers that do not know which one it is: [`Plugin`] with the parameters of all coordinators.
pub struct CoordinatorKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// [`Plugin::KEEPS`].
    pub keeps: bool,
    /// What its gauges measure: a motivation, a bid.
    pub gauge: GaugeWords,
    /// The numbers that it gives about how its work goes.
    pub indicators: &'static [IndicatorSpec],
    /// The parameter that names a file with all other parameters.
    pub file: Option<&'static str>,
    /// The parameter that may be the name of a file with its value.
    pub content: Option<FileContent>,
    /// Ways to learn, the default last.
    pub strategies: &'static [LearningStrategy],
    /// The schema of its parameters.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// [`Plugin::prepare`].
    pub prepare: fn(&mut Value, &mut Preparation),
    /// [`Plugin::picture`].
    pub picture: fn(&Params, &[TaskSpec]) -> Option<Picture>,
    /// [`Plugin::threshold`].
    pub threshold: fn(&Params) -> Option<f64>,
    /// [`Plugin::guarantee`].
    pub guarantee: fn(&Params, &[Boot]) -> Guarantee,
    /// [`Plugin::talks`].
    pub talks: fn(&Params) -> u32,
    /// [`Plugin::strategy`].
    pub strategy: fn(&Params) -> Option<&'static str>,
    /// [`Plugin::teach`].
    pub teach: fn(&mut Params, &Lesson),
    /// [`Plugin::unteach`].
    pub unteach: fn(&mut Params),
    /// [`Plugin::remembered`].
    pub remembered: fn(&Memories) -> Option<PlainTable>,
}

/// The coordinator of this name.
pub fn kind(name: &str) -> Option<&'static CoordinatorKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

macro_rules! registry {
    ($($name:literal $field:ident => $variant:ident($type:ty),)*) => {
        /// Any coordinator.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum AnyCoordinator { $(#[allow(missing_docs)] $variant($type),)* }

        /// All coordinators.
        pub const KINDS: &[CoordinatorKind] = &[$(CoordinatorKind {
            name: $name,
            summary: <$type as Plugin>::SUMMARY,
            keeps: <$type as Plugin>::KEEPS,
            gauge: <$type as Plugin>::GAUGE,
            indicators: <$type as Plugin>::INDICATORS,
            file: <$type as Plugin>::FILE,
            content: <$type as Plugin>::CONTENT,
            strategies: <$type as Plugin>::STRATEGIES,
            schema: |generator| generator.subschema_for::<<$type as Plugin>::Params>(),
            prepare: <$type as Plugin>::prepare,
            picture: |params, tasks| <$type as Plugin>::picture(&params.$field, tasks),
            threshold: |params| <$type as Plugin>::threshold(&params.$field),
            guarantee: |params, team| <$type as Plugin>::guarantee(&params.$field, team),
            talks: |params| <$type as Plugin>::talks(&params.$field),
            strategy: |params| <$type as Plugin>::strategy(&params.$field),
            teach: |params, lesson| <$type as Plugin>::teach(&mut params.$field, lesson),
            unteach: |params| <$type as Plugin>::unteach(&mut params.$field),
            remembered: <$type as Plugin>::remembered,
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

            /// [`Plugin::indicators`].
            pub fn indicators(&self, now: Time) -> Vec<Option<f64>> {
                match self { $(AnyCoordinator::$variant(c) => Plugin::indicators(c, now),)* }
            }

            /// [`Plugin::standing`].
            pub fn standing(&self) -> Option<Standing> {
                match self { $(AnyCoordinator::$variant(c) => Plugin::standing(c),)* }
            }

            /// [`Plugin::withdrawn`].
            pub fn withdrawn(&self) -> bool {
                match self { $(AnyCoordinator::$variant(c) => Plugin::withdrawn(c),)* }
            }

            /// The robot's memory for the next run; `None` if it does not learn.
            pub fn memory(&self, boot: &Boot, now: Time) -> Option<Value> {
                match self { $(AnyCoordinator::$variant(c) => Plugin::memory(c, boot, now),)* }
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

            fn beside(&self) -> &[Choice] {
                match self { $(AnyCoordinator::$variant(c) => c.beside(),)* }
            }

            fn halting(&self) -> bool {
                match self { $(AnyCoordinator::$variant(c) => c.halting(),)* }
            }

            fn gauges(&self, out: &mut Vec<Gauge>) {
                match self { $(AnyCoordinator::$variant(c) => c.gauges(out),)* }
            }

            fn levels(&self, out: &mut Vec<Level>) {
                match self { $(AnyCoordinator::$variant(c) => c.levels(out),)* }
            }

            fn effort(&self) -> u32 {
                match self { $(AnyCoordinator::$variant(c) => c.effort(),)* }
            }
        }
    };
}

registry! {
    "alliance" alliance => Alliance(alliance::Alliance),
    "muroco" muroco => Muroco(Box<muroco::Muroco>),
    "cbba" cbba => Cbba(cbba::Cbba),
    "greedy" greedy => Greedy(greedy::Greedy),
    "random" random => Random(random::Random),
    "bite" bite => Bite(Box<bite::Bite>),
}

/// The page on writing coordinators; its code is compiled by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/write-a-coordinator.md")]
pub struct WriteACoordinator;
