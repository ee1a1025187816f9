//! The truth half of every mission: its tasks, its world, and its referee. Each mission is one folder here and one line in the
//! registry below. Its other half, which runs on its robots, is in `skills`: it gets a [`Briefing`] and never sees the
//! world.

pub mod bounding_overwatch;
pub mod box_pushing;
pub mod city;
pub mod detour;
pub mod diffusion;
pub mod explore_building;
pub mod formation;
pub mod janitorial;
mod leftover;
mod measure;
mod scaling;
pub mod service;
pub mod swarm;
pub mod traffic;
pub mod waste_cleanup;

pub use leftover::{Leftover, Remains};
pub use measure::{Better, MeasureSpec, SHARE};
pub use scaling::{OWN_ROOM, RoomKind, Scaling};

use crewlab_learn::Model;
use crewlab_onboard::{
    BehaviourSpec, Choice, Constraint, Datasheet, Event, Findings, IndicatorSpec, LayerSpec, Pose, RobotId,
    SignalSpec, Stream, TaskSpec, Time, Vec2,
};
use crewlab_skills::{AnyBriefing, Briefing};
use crewlab_world::World;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The progress of a mission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Share that is done, from 0 to 1.
    pub progress: f64,
    /// True when nothing is left to do.
    pub completed: bool,
}

/// A robot that runs, as the referee sees it.
#[derive(Clone, Copy, Debug)]
pub struct RunningRobot<'a> {
    /// Which one.
    pub id: RobotId,
    /// Its hardware.
    pub datasheet: &'a Datasheet,
    /// True if its radio receives.
    pub hears: bool,
}

/// The radio network as a referee sees it.
pub trait Air {
    /// Probability that a message of a robot reaches another one directly; `None` if there is no link.
    fn quality(&self, from: RobotId, to: RobotId) -> Option<f64>;

    /// Bit rate of the link from a robot to another one; `None` if there is no link, or if the radio has no rates. [bit/s]
    fn rate(&self, from: RobotId, to: RobotId) -> Option<f64>;
}

/// What robots have found out and decided, as a referee sees it.
pub trait Minds {
    /// What a robot works on; `None` if it idles or does not run.
    fn active(&self, robot: RobotId) -> Option<Choice>;

    /// A robot's map; `None` if it has none or does not run.
    fn findings(&self, robot: RobotId) -> Option<&dyn Findings>;
}

/// Something that must be done for the mission to be completed, and that no robot can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Hindrance {
    /// Where it is. [m]
    pub place: Vec2,
    /// What it is, and why nobody can do it.
    pub words: String,
    /// The reason alone, as for any such thing.
    pub why: &'static str,
}

/// A mistake in the parameters of a mission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The key below `parameters`, such as `guides.truck`.
    pub key: String,
    /// What was found and what is accepted.
    pub message: String,
}

/// A mission. The implementing type holds its parameters, as in the scenario under `parameters`.
pub trait Mission: Default + Clone + Serialize + DeserializeOwned + JsonSchema {
    /// A one-line description.
    const SUMMARY: &'static str;
    /// The defaults of its scenarios, as a scenario file.
    const DEFAULTS: &'static str;
    /// The kinds of items whose numbers scenarios can set, under `world.items`.
    const ITEMS: &'static [&'static str] = &[];
    /// True if there is nothing to complete: only the time limit ends a run.
    const ENDLESS: bool = false;
    /// True if its robots have leaders, so that disturbances can target them.
    const LEADERS: bool = false;
    /// False if its robots drive without a controller, so that none can be chosen.
    const CONTROLLED: bool = true;
    /// Its measures, besides progress.
    const MEASURES: &'static [MeasureSpec] = &[];
    /// The layers on which its robots draw, for people who watch.
    const LAYERS: &'static [LayerSpec] = &[];
    /// The numbers that its robots give about how their work goes.
    const INDICATORS: &'static [IndicatorSpec] = &[];
    /// The estimators that its robots choose by, besides those that all bidders have: name and one-line description.
    const ESTIMATORS: &'static [(&'static str, &'static str)] = &[];
    /// What its robots' software offers to the conditions and bids of a team's plan, in the order of [`crewlab_onboard::Skills::signal`].
    const SIGNALS: &'static [SignalSpec] = &[];
    /// How it is tried with other teams and in other rooms; `None` if only with its own.
    const SCALING: Option<Scaling> = None;
    /// True if its referee acts in every tick, by [`Mission::officiate`].
    const OFFICIATED: bool = false;
    /// The type of its briefing, which boots the robots' software.
    type Briefing: Briefing;

    /// Its tasks.
    fn tasks(&self) -> Vec<TaskSpec>;

    /// Its behaviour sets: a robot has those it is equipped for.
    fn sets(&self) -> Vec<BehaviourSpec>;

    /// What is wrong with its parameters, beyond what their schema says. `team` has the names of the robots.
    fn check(&self, _team: &[&str]) -> Vec<Mistake> {
        Vec::new()
    }

    /// Adds areas and items to the world, before its `team` robots are placed. `supplies` gives the number of items of each kind in
    /// [`Mission::ITEMS`].
    fn furnish(&self, world: &mut World, team: usize, supplies: &BTreeMap<String, u32>, random: &mut Stream);

    /// The robots' briefing: parameters, and what they know of the world beforehand, such as the places on a map. Called once, after
    /// [`Mission::furnish`] and when all robots have their places.
    fn brief(&self, world: &World) -> Self::Briefing;

    /// The default start of a robot in a team of this size; anywhere free if `None`. `radius` is that of the largest
    /// robot.
    fn berth(&self, _world: &World, _robot: RobotId, _team: usize, _radius: f64) -> Option<Pose> {
        None
    }

    /// What in the furnished world with all robots in their places will keep the team from completing the mission, or may do so.
    fn warnings(&self, _world: &World) -> Vec<String> {
        Vec::new()
    }

    /// Compares what robots have found out with the world and keeps the result there, if the mission is about that. Called about once per
    /// second.
    fn inspect(&self, _world: &mut World, _minds: &dyn Minds) {}

    /// Prepares the first trial, once all robots have their places.
    fn open(&self, _world: &mut World, _seed: u64) {}

    /// Acts in the world: ends trials, and puts robots and objects back to where the next one begins. Called at the end of every tick of
    /// a mission that is [`Mission::OFFICIATED`]; gives what has happened.
    fn officiate(
        &self,
        _world: &mut World,
        _minds: &dyn Minds,
        _seed: u64,
        _now: Time,
    ) -> Vec<(Option<RobotId>, Event)> {
        Vec::new()
    }

    /// Learns a model from the events of trials, for scenarios to use under `parameters.model`; `None` if the mission has none. `source`
    /// says where the trials are from.
    fn learn(&self, _trials: &[Event], _source: &str) -> Option<Result<Model, String>> {
        None
    }

    /// The progress of the mission, measured in the world. `open` tells for each task whether the operator still wants it.
    fn judge(&self, world: &World, open: &[bool]) -> Verdict;

    /// What is left to do, as [`Mission::judge`] counts it; `None` if the mission does not tell. Called every few seconds and
    /// when a run ends: stuck teams are recognised by it.
    fn left(&self, _world: &World, _open: &[bool]) -> Option<Vec<Leftover>> {
        None
    }

    /// The current values of its measures, in the order of [`Mission::MEASURES`]; `None` where one is undefined. Called on
    /// demand, not in every tick.
    fn measure(&self, _world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        Vec::new()
    }

    /// What keeps the mission from being completed whatever its robots do. `team` has the robots that run. Called when progress has stood
    /// still for a while, and at the end of a run.
    fn hindrances(&self, _world: &World, _team: &[RunningRobot]) -> Vec<Hindrance> {
        Vec::new()
    }
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
pub struct MissionKind {
    /// Its name in scenario files.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Its default scenario.
    pub defaults: &'static str,
    /// The kinds of items whose numbers scenarios can set.
    pub items: &'static [&'static str],
    /// True if there is nothing to complete.
    pub endless: bool,
    /// False if its robots drive without a controller.
    pub controlled: bool,
    /// Its measures, besides progress.
    pub measures: &'static [MeasureSpec],
    /// The numbers that its robots give about how their work goes.
    pub indicators: &'static [IndicatorSpec],
    /// The estimators that its robots choose by.
    pub estimators: &'static [(&'static str, &'static str)],
    /// What its robots' software offers to plans.
    pub signals: &'static [SignalSpec],
    /// How it scales.
    pub scaling: Option<Scaling>,
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

        /// All missions.
        pub const KINDS: &[MissionKind] = &[$(MissionKind {
            name: $name,
            summary: <$module::$variant as Mission>::SUMMARY,
            defaults: <$module::$variant as Mission>::DEFAULTS,
            items: <$module::$variant as Mission>::ITEMS,
            endless: <$module::$variant as Mission>::ENDLESS,
            controlled: <$module::$variant as Mission>::CONTROLLED,
            measures: <$module::$variant as Mission>::MEASURES,
            indicators: <$module::$variant as Mission>::INDICATORS,
            estimators: <$module::$variant as Mission>::ESTIMATORS,
            signals: <$module::$variant as Mission>::SIGNALS,
            scaling: <$module::$variant as Mission>::SCALING,
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

            /// Its name in scenario files.
            pub fn name(&self) -> &'static str {
                match self { $(AnyMission::$variant(_) => $name,)* }
            }

            /// Its parameters, with everything that a scenario left out.
            pub fn parameters(&self) -> serde_json::Value {
                // Plain data can always be serialised.
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

            /// What is wrong with its parameters.
            pub fn check(&self, team: &[&str]) -> Vec<Mistake> {
                match self { $(AnyMission::$variant(mission) => mission.check(team),)* }
            }

            /// Its kinds of items.
            pub fn items(&self) -> &'static [&'static str] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::ITEMS,)* }
            }

            /// Puts areas and items into the world.
            pub fn furnish(&self, world: &mut World, team: usize, supplies: &BTreeMap<String, u32>, random: &mut Stream) {
                match self { $(AnyMission::$variant(mission) => mission.furnish(world, team, supplies, random),)* }
            }

            /// Its robots' briefing.
            pub fn brief(&self, world: &World) -> AnyBriefing {
                match self { $(AnyMission::$variant(mission) => AnyBriefing::$variant(mission.brief(world)),)* }
            }

            /// The default start of a robot.
            pub fn berth(&self, world: &World, robot: RobotId, team: usize, radius: f64) -> Option<Pose> {
                match self { $(AnyMission::$variant(mission) => mission.berth(world, robot, team, radius),)* }
            }

            /// What may keep the team from completing it.
            pub fn warnings(&self, world: &World) -> Vec<String> {
                match self { $(AnyMission::$variant(mission) => mission.warnings(world),)* }
            }

            /// Its measures.
            pub fn measures(&self) -> &'static [MeasureSpec] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::MEASURES,)* }
            }

            /// Its layers.
            pub fn layers(&self) -> &'static [LayerSpec] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::LAYERS,)* }
            }

            /// The numbers that its robots give about how their work goes.
            pub fn indicators(&self) -> &'static [IndicatorSpec] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::INDICATORS,)* }
            }

            /// What its robots' software offers to plans.
            pub fn signals(&self) -> &'static [SignalSpec] {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::SIGNALS,)* }
            }

            /// The values of its measures now.
            pub fn measure(&self, world: &World, air: &dyn Air) -> Vec<Option<f64>> {
                match self { $(AnyMission::$variant(mission) => mission.measure(world, air),)* }
            }

            /// What keeps it from being completed.
            pub fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
                match self { $(AnyMission::$variant(mission) => mission.hindrances(world, team),)* }
            }

            /// Compares what robots have found out with the world.
            pub fn inspect(&self, world: &mut World, minds: &dyn Minds) {
                match self { $(AnyMission::$variant(mission) => mission.inspect(world, minds),)* }
            }

            /// True if its referee acts in every tick.
            pub fn officiated(&self) -> bool {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::OFFICIATED,)* }
            }

            /// Prepares the first trial.
            pub fn open(&self, world: &mut World, seed: u64) {
                match self { $(AnyMission::$variant(mission) => mission.open(world, seed),)* }
            }

            /// Acts in the world, and gives what has happened.
            pub fn officiate(&self, world: &mut World, minds: &dyn Minds, seed: u64, now: Time) -> Vec<(Option<RobotId>, Event)> {
                match self { $(AnyMission::$variant(mission) => mission.officiate(world, minds, seed, now),)* }
            }

            /// Learns a model from the events of trials.
            pub fn learn(&self, trials: &[Event], source: &str) -> Option<Result<Model, String>> {
                match self { $(AnyMission::$variant(mission) => mission.learn(trials, source),)* }
            }

            /// Its progress.
            pub fn judge(&self, world: &World, open: &[bool]) -> Verdict {
                match self { $(AnyMission::$variant(mission) => mission.judge(world, open),)* }
            }

            /// What is left to do.
            pub fn left(&self, world: &World, open: &[bool]) -> Option<Vec<Leftover>> {
                match self { $(AnyMission::$variant(mission) => mission.left(world, open),)* }
            }

            /// True if there is nothing to complete.
            pub fn endless(&self) -> bool {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::ENDLESS,)* }
            }

            /// True if its robots have leaders.
            pub fn leaders(&self) -> bool {
                match self { $(AnyMission::$variant(_) => <$module::$variant as Mission>::LEADERS,)* }
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
    "box-pushing" => BoxPushing(box_pushing),
    "swarm" => Swarm(swarm),
    "traffic" => Traffic(traffic),
    "explore-building" => ExploreBuilding(explore_building),
    "city" => City(city),
    "detour" => Detour(detour),
    "formation" => Formation(formation),
}

impl AnyMission {
    /// Its tasks, with the requirements for doing each of them alone: one of its ways.
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
