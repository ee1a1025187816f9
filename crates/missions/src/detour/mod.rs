//! Detour: a robot takes the short or the long way around an obstacle, past objects that do not wait for it (the navigation experiment
//! of ESTIMATION, section 4.5.2 and appendix C). A run is a series of maps, each tried up to three times.

mod referee;

use crate::{Air, Better, MeasureSpec, Minds, Mission, Mistake, SHARE, Shipped, Verdict};
use crewlab_learn::Model;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{BehaviourSpec, Event, LayerSpec, RobotId, Stream, TaskSpec, Time};
use crewlab_skills::detour::course::{CORRIDOR, HALL, WALL, hall};
use crewlab_skills::detour::model::{self, Trial};
use crewlab_skills::detour::{self, COURSES, Course, DetourBriefing, Estimator, Policy, Venue, Way};
use crewlab_world::{Object, Shape, World};
use referee::{CONDITIONS, ERRORS, MAPS, REACHED, SECONDS, score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[Shipped {
    name: "detour",
    summary: "twenty maps with an unknown and twenty with a known crowd: the short or the long way?",
    text: include_str!("scenarios/detour.yaml"),
}];

/// What the robot knows about the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// Nothing.
    Limited,
    /// How many there are on either way.
    Overview,
}

/// Parameters of the detour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Detour {
    /// Speed of the objects.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "m/s"))]
    pub object_speed: f64,
    /// How the robot chooses its way.
    pub policy: Policy,
    /// Whose estimates count if it chooses by inference.
    pub estimator: Estimator,
    /// The share of outcomes that should not be worse than estimated; without it, estimates are means.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.01, max = 0.99))]
    pub sigma: Option<f64>,
    /// True if the robot leaves a map when it expects less than nothing of another trial.
    pub stops: bool,
    /// What was learned about trials: a file that `crewlab trials --learn` has written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub model: Option<Arc<Model>>,
    /// The maps of the table, by number from 1 to 20, in their order.
    #[schemars(length(min = 1, max = 1000), inner(range(min = 1, max = 20)))]
    pub maps: Vec<u8>,
    /// What the robot knows: all maps are driven in each of these conditions, one after the other.
    #[schemars(length(min = 1, max = 10))]
    pub conditions: Vec<Condition>,
    /// How often a map is tried.
    #[schemars(range(min = 1, max = 10))]
    pub trials: u8,
    /// How long a trial may take.
    #[schemars(range(min = 1.0, max = 3600.0), extend("x-unit" = "s"))]
    pub time_limit: f64,
    /// How near to the goal it is reached.
    #[schemars(range(min = 0.05, max = 1.0), extend("x-unit" = "m"))]
    pub near: f64,
    /// What reaching the goal is worth. A second costs 1.
    #[schemars(range(min = 0.0, max = 1e4))]
    pub utility: f64,
}

impl Default for Detour {
    fn default() -> Self {
        Detour {
            object_speed: 0.3,
            policy: Policy::Random,
            estimator: Estimator::default(),
            sigma: None,
            stops: false,
            model: None,
            maps: (1..=20).collect(),
            conditions: vec![Condition::Limited, Condition::Overview],
            trials: 3,
            time_limit: 120.0,
            near: 0.3,
            utility: 100.0,
        }
    }
}

impl Detour {
    /// The number of the map in the table that is driven at this place of the run.
    fn number(&self, place: usize) -> u8 {
        self.maps.get(place % self.maps.len().max(1)).copied().unwrap_or_default()
    }

    /// All maps of a run in their order, with the place of their condition.
    fn program(&self) -> Vec<(usize, Course)> {
        let course = |number: &u8| COURSES.get(usize::from(*number).wrapping_sub(1)).copied();
        let courses: Vec<Course> = self.maps.iter().filter_map(course).collect();
        let maps = self.conditions.iter().flat_map(|condition| {
            courses.iter().map(|course| (usize::from(*condition == Condition::Overview), *course))
        });
        maps.collect()
    }

    /// Where a model learned here is valid.
    fn place(&self) -> String {
        let Detour { object_speed, near, time_limit, .. } = self;
        format!(
            "objects move at {object_speed} m/s, goals are {near} m wide and trials take {time_limit} s at most"
        )
    }

    /// Mean reward per map as a share of the utility, over some conditions.
    fn performance(&self, world: &World, conditions: &[usize]) -> Option<f64> {
        let sum = |name: &str| conditions.iter().map(|c| score(world, *c, name)).sum::<f64>();
        let maps = sum(MAPS);
        let reward = self.utility * sum(REACHED) - sum(SECONDS);
        (maps > 0.0 && self.utility > 0.0).then(|| reward / maps / self.utility)
    }

    /// Collisions per map, over some conditions.
    fn error_rate(&self, world: &World, conditions: &[usize]) -> Option<f64> {
        let sum = |name: &str| conditions.iter().map(|c| score(world, *c, name)).sum::<f64>();
        let maps = sum(MAPS);
        (maps > 0.0).then(|| sum(ERRORS) / maps)
    }
}

const fn performance(name: &'static str, title: &'static str, summary: &'static str) -> MeasureSpec {
    MeasureSpec { name, title, unit: "", summary, better: Better::More }
}

const fn errors(name: &'static str, title: &'static str, summary: &'static str) -> MeasureSpec {
    MeasureSpec { name, title, unit: "", summary, better: Better::Less }
}

impl Mission for Detour {
    const SUMMARY: &'static str = "a robot takes the short or the long way past objects that do not wait for it, and learns which one pays";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const LAYERS: &'static [LayerSpec] = detour::LAYERS;
    const OFFICIATED: bool = true;
    const ESTIMATORS: &'static [(&'static str, &'static str)] = &detour::ESTIMATORS;
    const MEASURES: &'static [MeasureSpec] = &[
        performance("q", "performance", "mean reward of the maps so far, as a share of the utility"),
        performance("q_limited", "performance, limited", "the same where the objects are not known"),
        performance("q_overview", "performance, overview", "the same where they are known"),
        errors("errors_per_map", "errors per map", "collisions per map so far"),
        errors("errors_limited", "errors, limited", "the same where the objects are not known"),
        errors("errors_overview", "errors, overview", "the same where they are known"),
        MeasureSpec {
            name: "maps_reached",
            title: "maps reached",
            unit: SHARE,
            summary: "share of the maps so far on which the goal was reached",
            better: Better::More,
        },
    ];
    type Briefing = DetourBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let task = TaskSpec::new("goto", "reach the goal, on the short or on the long way");
        vec![task.worth(self.utility).shared()]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        detour::sets()
    }

    fn check(&self, team: &[&str]) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        if team.len() != 1 {
            let message = format!("the experiment is for one robot, and the team has {}", team.len());
            mistakes.push(Mistake { key: String::new(), message });
        }
        let mut mistake = |key: &str, message: String| mistakes.push(Mistake { key: key.into(), message });
        match &self.model {
            None if self.policy == Policy::Inference => {
                let message = "a robot that chooses by inference needs a `model`: learn one with `crewlab trials --learn`";
                mistake("policy", message.into());
            }
            None => {}
            Some(model) => {
                let objection = model::objection(model, &self.place());
                objection.into_iter().for_each(|message| mistake("model", message));
            }
        }
        mistakes
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        _supplies: &BTreeMap<String, u32>,
        _random: &mut Stream,
    ) {
        let (long, wide) = HALL;
        let block = |name: &str, [width, height]: [f64; 2], center: Vec2| {
            Object::obstacle(name, Shape::rectangle(width, height), Pose { position: center, heading: 0.0 })
        };
        let (inner, outer) = (long - 2.0 * CORRIDOR, wide - 2.0 * CORRIDOR);
        world.add_object(block("obstacle", [inner, outer], hall(false)));
        world.add_object(block("standing obstacle", [outer, inner], hall(true)));
        let between = vec2(long + WALL / 2.0, long / 2.0);
        world.add_object(block("wall between the halls", [WALL, long], between));
        let above = vec2(long / 2.0, (wide + long) / 2.0);
        world.add_object(block("wall behind the lying hall", [long, long - wide], above));
        world.areas.insert(0, referee::board());
    }

    fn warnings(&self, world: &World) -> Vec<String> {
        let needed = (HALL.0 + WALL + HALL.1, HALL.0);
        let (low, high) = (world.bounds.min, world.bounds.max);
        let fits = low.x == 0.0 && low.y == 0.0 && high.x >= needed.0 - 1e-9 && high.y >= needed.1 - 1e-9;
        let words = format!(
            "the two halls need a world of {:.2} m x {:.2} m with the origin in its corner: without it, maps do not fit",
            needed.0, needed.1
        );
        let idle = self.policy != Policy::Inference;
        let said = [
            ("sigma", self.sigma.is_some()),
            ("estimator", self.estimator != Estimator::default()),
            ("stops", self.stops && self.model.is_none()),
        ];
        let unused = said.into_iter().filter(|(_, said)| idle && *said).map(|(key, _)| {
            format!("`parameters.{key}` changes nothing here: it is for robots that choose by inference (`policy`)")
        });
        (!fits).then_some(words).into_iter().chain(unused).collect()
    }

    fn brief(&self, _world: &World) -> DetourBriefing {
        let venue = |(place, (condition, course)): (usize, &(usize, Course))| Venue {
            number: self.number(place),
            start: course.start(),
            goal: course.goal(),
            ways: Way::ALL.map(|way| course.waypoints(way)),
            ratio: (*condition == 1).then_some(course.ratio),
        };
        DetourBriefing {
            venues: self.program().iter().enumerate().map(venue).collect(),
            trials: self.trials,
            limit: self.time_limit,
            near: self.near,
            utility: self.utility,
            policy: self.policy,
            estimator: self.estimator,
            sigma: self.sigma,
            stops: self.stops,
            model: self.model.clone(),
        }
    }

    fn learn(&self, trials: &[Event], source: &str) -> Option<Result<Model, String>> {
        let trials: Vec<Trial> = trials.iter().filter_map(referee::trial).collect();
        Some(model::learn(&trials, &self.place(), source).map_err(|error| error.to_string()))
    }

    fn berth(&self, _world: &World, _robot: RobotId, _team: usize, _radius: f64) -> Option<Pose> {
        self.program().first().map(|(_, course)| course.start())
    }

    fn open(&self, world: &mut World, seed: u64) {
        referee::prepare(self, world, seed, Time::ZERO);
    }

    fn officiate(
        &self,
        world: &mut World,
        minds: &dyn Minds,
        seed: u64,
        now: Time,
    ) -> Vec<(Option<RobotId>, Event)> {
        let robot = referee::robot();
        let active = minds.active(robot).map(|choice| choice.behaviour);
        let event = referee::officiate(self, world, active, seed, now);
        event.into_iter().map(|event| (Some(robot), event)).collect()
    }

    fn judge(&self, world: &World, _open: &[bool]) -> Verdict {
        let (done, all) = (referee::maps_done(world), self.program().len());
        Verdict { progress: done as f64 / all.max(1) as f64, completed: done >= all }
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let both = [0, CONDITIONS.len() - 1];
        let sum = |name: &str| both.iter().map(|c| score(world, *c, name)).sum::<f64>();
        let maps = sum(MAPS);
        vec![
            self.performance(world, &both),
            self.performance(world, &both[..1]),
            self.performance(world, &both[1..]),
            self.error_rate(world, &both),
            self.error_rate(world, &both[..1]),
            self.error_rate(world, &both[1..]),
            (maps > 0.0).then(|| sum(REACHED) / maps),
        ]
    }
}
