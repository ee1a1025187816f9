//! Missions: what must get done, how robots do it, and who judges it. Each is one folder here and one line in the
//! registry below.
//!
//! A mission's behaviours are on-board code: they get a situation (percept, time, identity) and messages, never the
//! world. Only the referee and what happens before the start see it: [`Mission::judge`], [`Mission::furnish`],
//! [`Mission::survey`] and [`Mission::berth`].

pub mod bounding_overwatch;
pub mod diffusion;
pub mod janitorial;
pub mod service;
mod view;
pub mod waste_cleanup;

pub use crewlab_control::CostField;
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Choice, Command, Constraint, Datasheet, Duty, Identity, Message, Outcome,
    Output, Piece, Pose, Setback, Situation, Skills, Stream, Subject, TaskId, TaskSpec, Time, Vec2,
};
use crewlab_world::World;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far a mission is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Share that is done, from 0 to 1.
    pub progress: f64,
    /// True when nothing is left to do.
    pub completed: bool,
}

/// A mission. The implementing type holds its parameters, as in the scenario under `parameters`.
pub trait Mission: Default + Clone + Serialize + DeserializeOwned + JsonSchema {
    /// What it is about, in one line.
    const SUMMARY: &'static str;
    /// What a scenario of this mission takes for granted, as a scenario file.
    const DEFAULTS: &'static str;
    /// The kinds of items that scenarios can give numbers of, under `world.items`.
    const ITEMS: &'static [&'static str] = &[];
    /// True if there is nothing to complete: only the clock ends a run.
    const ENDLESS: bool = false;
    /// True if its robots have leaders, so that disturbances can aim at them.
    const LEADERS: bool = false;
    /// Its robots' software.
    type Skills: Skills;

    /// Its tasks.
    fn tasks(&self) -> Vec<TaskSpec>;

    /// Its behaviour sets: a robot has those it is equipped for.
    fn sets(&self) -> Vec<BehaviourSpec>;

    /// Puts areas and items into the world. `supplies` says how many items of each kind in [`Mission::ITEMS`].
    fn furnish(&self, world: &mut World, supplies: &BTreeMap<String, u32>, random: &mut Stream);

    /// Takes from the world what its robots are told before they start, such as the places on a map. Called once,
    /// after [`Mission::furnish`].
    fn survey(&mut self, _world: &World) {}

    /// Where robot number `robot` of `team` starts if the scenario does not say; anywhere free if `None`. `radius` is
    /// that of the largest robot.
    fn berth(&self, _world: &World, _robot: usize, _team: usize, _radius: f64) -> Option<Pose> {
        None
    }

    /// One robot's software.
    fn skills(&self, me: &Identity) -> Self::Skills;

    /// How far the mission is, measured in the world. `open` says of each task whether the operator still wants it.
    fn judge(&self, world: &World, open: &[bool]) -> Verdict;
}

/// A scenario that comes with the program.
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in one line.
    pub summary: &'static str,
    /// The scenario file.
    pub text: &'static str,
}

/// A mission as `crewlab list` and the schema show it.
pub struct Kind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it is about, in one line.
    pub summary: &'static str,
    /// Its default scenario.
    pub defaults: &'static str,
    /// The kinds of items that scenarios can give numbers of.
    pub items: &'static [&'static str],
    /// True if there is nothing to complete.
    pub endless: bool,
    /// The scenarios that come with it.
    pub shipped: &'static [Shipped],
    /// The schema of its parameters.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

macro_rules! registry {
    ($($name:literal => $variant:ident($module:ident),)*) => {
        /// Any mission.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyMission { $(#[allow(missing_docs)] $variant($module::$variant),)* }

        /// Any mission's software on one robot.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum AnySkills { $(#[allow(missing_docs)] $variant(<$module::$variant as Mission>::Skills),)* }

        /// All missions.
        pub const KINDS: &[Kind] = &[$(Kind {
            name: $name,
            summary: <$module::$variant as Mission>::SUMMARY,
            defaults: <$module::$variant as Mission>::DEFAULTS,
            items: <$module::$variant as Mission>::ITEMS,
            endless: <$module::$variant as Mission>::ENDLESS,
            shipped: $module::SHIPPED,
            schema: |generator| generator.subschema_for::<$module::$variant>(),
        },)*];

        impl AnyMission {
            /// The mission of this name with these parameters; `None` if there is no such mission.
            pub fn parse<'de, D: serde::Deserializer<'de>>(name: &str, parameters: D) -> Option<Result<AnyMission, D::Error>> {
                match name {
                    $($name => Some(<$module::$variant>::deserialize(parameters).map(AnyMission::$variant)),)*
                    _ => None,
                }
            }

            /// Its parameters, with everything that a scenario left out.
            pub fn parameters(&self) -> serde_json::Value {
                // Plain data: it can always be written down.
                match self { $(AnyMission::$variant(mission) => serde_json::to_value(mission).unwrap_or_default(),)* }
            }

            /// Its tasks, as the mission declares them.
            fn declared(&self) -> Vec<TaskSpec> {
                match self { $(AnyMission::$variant(mission) => mission.tasks(),)* }
            }

            /// Its behaviour sets.
            pub fn sets(&self) -> Vec<BehaviourSpec> {
                match self { $(AnyMission::$variant(mission) => mission.sets(),)* }
            }

            /// Its kinds of items.
            pub fn items(&self) -> &'static [&'static str] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::ITEMS,)* }
            }

            /// Puts areas and items into the world.
            pub fn furnish(&self, world: &mut World, supplies: &BTreeMap<String, u32>, random: &mut Stream) {
                match self { $(AnyMission::$variant(mission) => mission.furnish(world, supplies, random),)* }
            }

            /// Takes from the world what its robots are told before they start.
            pub fn survey(&mut self, world: &World) {
                match self { $(AnyMission::$variant(mission) => mission.survey(world),)* }
            }

            /// Where a robot starts if the scenario does not say.
            pub fn berth(&self, world: &World, robot: usize, team: usize, radius: f64) -> Option<Pose> {
                match self { $(AnyMission::$variant(mission) => mission.berth(world, robot, team, radius),)* }
            }

            /// One robot's software.
            pub fn skills(&self, me: &Identity) -> AnySkills {
                match self { $(AnyMission::$variant(mission) => AnySkills::$variant(mission.skills(me)),)* }
            }

            /// How far the mission is.
            pub fn judge(&self, world: &World, open: &[bool]) -> Verdict {
                match self { $(AnyMission::$variant(mission) => mission.judge(world, open),)* }
            }

            /// True if its robots have leaders.
            pub fn leaders(&self) -> bool {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::LEADERS,)* }
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

            fn effort(&self) -> u32 {
                match self { $(AnySkills::$variant(skills) => skills.effort(),)* }
            }

            #[inline]
            fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
                match self { $(AnySkills::$variant(skills) => skills.act(duty, situation, out),)* }
            }
        }
    };
}

registry! {
    "waste-cleanup" => WasteCleanup(waste_cleanup),
    "bounding-overwatch" => BoundingOverwatch(bounding_overwatch),
    "janitorial" => Janitorial(janitorial),
    "diffusion" => Diffusion(diffusion),
    "service" => Service(service),
}

impl AnyMission {
    /// Its tasks, with what a robot needs to do each of them alone: one of the ways there are.
    pub fn tasks(&self) -> Vec<TaskSpec> {
        let (mut tasks, sets) = (self.declared(), self.sets());
        for (place, task) in tasks.iter_mut().enumerate() {
            let ways = sets.iter().filter(|set| usize::from(set.task.0) == place);
            task.most = ways.clone().filter_map(|way| way.utility).fold(task.utility, f64::max);
            task.needs = Constraint::Any(ways.map(BehaviourSpec::needs).collect());
        }
        tasks
    }

    /// The behaviour sets of a robot with this equipment.
    pub fn behaviours(&self, datasheet: &Datasheet) -> Vec<BehaviourSpec> {
        let equipped = |set: &BehaviourSpec| set.needs().met(&|name| datasheet.has(name));
        self.sets().into_iter().filter(equipped).collect()
    }
}

/// The page on writing missions; its code is compiled by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/write-a-mission.md")]
pub struct WriteAMission;
