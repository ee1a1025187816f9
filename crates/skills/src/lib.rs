//! The on-board half of every mission: behaviours, robots' knowledge, and their messages. Each mission is one folder here and one
//! line in the registry below; its other half (furnishing, referee, defaults) is in `missions`.
//!
//! Nothing here can see the world: this crate knows neither the simulator nor the other half of a mission. Before the start the
//! robots get the mission's [`Briefing`].

pub mod bounding_overwatch;
pub mod box_pushing;
pub mod city;
pub mod detour;
pub mod diffusion;
pub mod explore_building;
pub mod formation;
pub mod janitorial;
pub mod service;
pub mod swarm;
pub mod traffic;
mod view;
pub mod waste_cleanup;

use crewlab_control::AnyController;
pub use crewlab_control::{Considered, CostField};
pub use crewlab_driving::Navigator;
use crewlab_onboard::{Command, Controller, Duty, Identity, Message, Output, Performer, Situation, Skills};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What the robots of a mission know before the start, as plain data.
pub trait Briefing: Clone + Serialize + DeserializeOwned {
    /// The software of one robot.
    type Skills: Performer;

    /// The software of one robot with this briefing; `controller` steers it.
    fn boot(&self, me: &Identity, controller: AnyController) -> Self::Skills;
}

macro_rules! registry {
    ($($variant:ident($module:ident::$briefing:ident),)*) => {
        /// Any mission's briefing.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyBriefing { $(#[allow(missing_docs)] $variant($module::$briefing),)* }

        /// Any mission's software on one robot.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum AnySkills { $(#[allow(missing_docs)] $variant(<$module::$briefing as Briefing>::Skills),)* }

        impl AnyBriefing {
            /// The software of one robot with this briefing; `controller` steers it.
            pub fn boot(&self, me: &Identity, controller: AnyController) -> AnySkills {
                match self { $(AnyBriefing::$variant(briefing) => AnySkills::$variant(briefing.boot(me, controller)),)* }
            }
        }

        #[deny(clippy::missing_trait_methods)]
        impl Performer for AnySkills {
            #[inline]
            fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
                match self { $(AnySkills::$variant(performer) => performer.learn(situation, inbox, out),)* }
            }

            #[inline]
            fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
                match self { $(AnySkills::$variant(performer) => performer.act(duty, situation, out),)* }
            }

            #[inline]
            fn skills(&self) -> &dyn Skills {
                match self { $(AnySkills::$variant(performer) => performer.skills(),)* }
            }

            fn controller(&self) -> Option<&dyn Controller> {
                match self { $(AnySkills::$variant(performer) => performer.controller(),)* }
            }

            fn effort(&self) -> u32 {
                match self { $(AnySkills::$variant(performer) => performer.effort(),)* }
            }
        }
    };
}

registry! {
    WasteCleanup(waste_cleanup::CleanupBriefing),
    BoundingOverwatch(bounding_overwatch::OverwatchBriefing),
    Janitorial(janitorial::JanitorBriefing),
    Diffusion(diffusion::DiffusionBriefing),
    Service(service::ServiceBriefing),
    BoxPushing(box_pushing::PushingBriefing),
    Swarm(swarm::SwarmBriefing),
    Traffic(traffic::TrafficBriefing),
    ExploreBuilding(explore_building::ExploreBriefing),
    City(city::CityBriefing),
    Detour(detour::DetourBriefing),
    Formation(formation::FormationBriefing),
}
