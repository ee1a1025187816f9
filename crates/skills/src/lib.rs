//! The on-board half of every mission: behaviours, what robots know, and what they tell each other. Each mission is one
//! folder here and one line in the registry below; its other half (furnishing, referee, defaults) is in `missions`.
//!
//! Nothing here can see the world: this crate knows neither the simulator nor the other half of a mission. What robots
//! are told before the start is the mission's [`Briefing`].

pub mod bounding_overwatch;
pub mod diffusion;
pub mod janitorial;
pub mod service;
mod view;
pub mod waste_cleanup;

pub use crewlab_control::CostField;
use crewlab_control::avoidance;
use crewlab_onboard::{
    BehaviourId, Choice, Command, Duty, Identity, Message, Outcome, Output, Piece, Setback, Situation,
    Skills, Subject, TaskId, Time, Vec2,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What the robots of a mission are told before the start, as plain data.
pub trait Briefing: Clone + Serialize + DeserializeOwned {
    /// Free distance that the steering of these robots keeps to obstacles. [m]
    const MARGIN: f64 = avoidance::MARGIN;
    /// The software of one robot.
    type Skills: Skills;

    /// The software of one robot that has been told this.
    fn boot(&self, me: &Identity) -> Self::Skills;
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
            /// The software of one robot that has been told this.
            pub fn boot(&self, me: &Identity) -> AnySkills {
                match self { $(AnyBriefing::$variant(briefing) => AnySkills::$variant(briefing.boot(me)),)* }
            }
        }

        impl AnySkills {
            /// Free distance that the robot's steering keeps to obstacles. [m]
            fn margin(&self) -> f64 {
                match self { $(AnySkills::$variant(_) => <$module::$briefing as Briefing>::MARGIN,)* }
            }
        }

        impl Skills for AnySkills {
            #[inline]
            fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
                match self { $(AnySkills::$variant(skills) => skills.learn(situation, inbox, out),)* }
            }

            #[inline]
            fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
                match self { $(AnySkills::$variant(skills) => skills.applicable(behaviour, situation),)* }
            }

            #[inline]
            fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
                match self { $(AnySkills::$variant(skills) => skills.subjects(behaviour, situation, subjects),)* }
            }

            fn together(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
                match self { $(AnySkills::$variant(skills) => skills.together(behaviour, situation, subjects),)* }
            }

            fn issued(&self, situation: &Situation, pieces: &mut Vec<Piece>) {
                match self { $(AnySkills::$variant(skills) => skills.issued(situation, pieces),)* }
            }

            fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
                match self { $(AnySkills::$variant(skills) => skills.cost(choice, situation),)* }
            }

            fn action_costs(&self, choice: Choice, situation: &Situation, costs: &mut Vec<(usize, f64)>) {
                match self { $(AnySkills::$variant(skills) => skills.action_costs(choice, situation, costs),)* }
            }

            fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
                match self { $(AnySkills::$variant(skills) => skills.outcome(choice, situation),)* }
            }

            fn setback(&self, choice: Choice, situation: &Situation) -> Option<Setback> {
                match self { $(AnySkills::$variant(skills) => skills.setback(choice, situation),)* }
            }

            fn finished(&self, task: TaskId, situation: &Situation) -> Option<Time> {
                match self { $(AnySkills::$variant(skills) => skills.finished(task, situation),)* }
            }

            fn urgency(&self, task: TaskId) -> f64 {
                match self { $(AnySkills::$variant(skills) => skills.urgency(task),)* }
            }

            fn leads(&self) -> bool {
                match self { $(AnySkills::$variant(skills) => skills.leads(),)* }
            }

            fn stage(&self) -> Option<usize> {
                match self { $(AnySkills::$variant(skills) => skills.stage(),)* }
            }

            fn plan(&self, points: &mut Vec<Vec2>) {
                match self { $(AnySkills::$variant(skills) => skills.plan(points),)* }
            }

            #[inline]
            fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
                match self { $(AnySkills::$variant(skills) => skills.act(duty, situation, out),)* }
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
}
