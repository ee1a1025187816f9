//! From a description of the team and the world to a model and its first state.

use crate::airwaves::Airwaves;
use crate::disturbances::{Disturbance, DisturbanceSpec, Inventory, Schedule};
use crate::faults::Faults;
use crate::goal::Goal;
use crate::hindrances::HindranceWatch;
use crate::model::{Member, Model, Visibility};
use crate::odometers::Odometers;
use crate::operator::Operator;
use crate::plans;
use crate::staffing;
use crate::stall::Stall;
use crate::state::{Robot, State};
use crate::stuck::StuckWatch;
use crate::surroundings::walls;
use crewlab_control::{AnyController, ControllerParams};
use crewlab_missions::AnyMission;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::locating::FilterChoice;
use crewlab_onboard::{
    BehaviourSpec, Datasheet, FloorPlan, Identity, Percept, RobotId, Sense, Software, Stream, StreamKind,
    TaskId, TaskSpec, Time, agenda,
};
use crewlab_radio::AnyRadio;
use crewlab_skills::AnySkills;
use crewlab_teams::{AnyCoordinator, Boot, Missing};
use crewlab_world::{Body, ObjectId, Obstacle, RobotType, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Number of attempts to find a free place for a robot.
const TRIES: usize = 10_000;

/// One robot to be built.
#[derive(Clone, Debug)]
pub struct MemberSpec {
    /// Its name.
    pub name: String,
    /// The name of its type.
    pub robot_type: String,
    /// Its hardware.
    pub hardware: Arc<RobotType>,
    /// Its start; if `None`, the mission or chance decides.
    pub pose: Option<Pose>,
    /// The name of its controller.
    pub controller: String,
    /// Its fixed priority.
    pub priority: i32,
    /// True if it is absent until a disturbance adds it.
    pub absent: bool,
    /// Its path in the scenario, for error messages.
    pub path: String,
}

/// Everything needed to start a run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The seed.
    pub seed: u64,
    /// Length of a tick. [ns]
    pub tick: u64,
    /// The time limit.
    pub until: Time,
    /// The run ends when the mission has made no progress for this long. [s]
    pub give_up: Option<f64>,
    /// What must hold at the time limit for a mission without an end to count as completed.
    pub goal: Option<Goal>,
    /// When messages become audible.
    pub visibility: Visibility,
    /// The mission.
    pub mission: AnyMission,
    /// The world with its objects, without robots and without the mission's additions.
    pub world: World,
    /// Items per kind, for the mission to place.
    pub supplies: BTreeMap<String, u32>,
    /// The robots.
    pub team: Vec<MemberSpec>,
    /// The coordinator's name.
    pub coordinator: String,
    /// All coordinators' parameters.
    pub parameters: crewlab_teams::Params,
    /// All controllers' parameters.
    pub controllers: ControllerParams,
    /// The radio.
    pub radio: AnyRadio,
    /// The disturbances.
    pub disturbances: Vec<DisturbanceSpec>,
    /// Robots get a plan of the building with cells of this side; none if `None`. [m]
    pub floor_plan: Option<f64>,
    /// The particle filter of robots that locate themselves.
    pub slam: FilterChoice,
    /// The scenario's changes to the mission's tasks.
    pub orders: BTreeMap<String, TaskOrder>,
}

/// An error in a set-up, and its path in the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// Path of the scenario key concerned, such as `team.robots.0`.
    pub path: String,
    /// What is wrong and what to do.
    pub message: String,
    /// True if the key itself is missing.
    pub missing: bool,
    /// An unknown name, and the known ones.
    pub unknown: Option<(String, Vec<String>)>,
}

impl Setup {
    /// Builds the model and its first state, or returns all errors.
    pub fn build(self) -> Result<(Arc<Model>, State), Vec<SetupError>> {
        let mut errors = Vec::new();
        let mut error = |path: &str, message: String| {
            errors.push(SetupError { path: path.into(), message, missing: false, unknown: None });
        };
        let mut random = Stream::new(self.seed, StreamKind::World, 0, 0);
        let mut world = self.world;
        world.reindex_objects();
        self.mission.furnish(&mut world, lined_up(&self.team), &self.supplies, &mut random);
        for (index, object) in world.objects().iter().enumerate().filter(|(_, o)| o.pushable.is_some()) {
            if let Some(obstacle) = world.jam(object, &object.pose, Some(object.id)) {
                let Vec2 { x, y } = object.pose.position;
                let message = format!(
                    "`{}` at [{x:.2} m, {y:.2} m] {}: it could not be pushed; move it or what it overlaps",
                    object.name,
                    overlapped(&world, &[], obstacle)
                );
                error(&format!("world.objects.{index}"), message);
            }
        }
        world.reindex_objects();
        let walkers: Vec<ObjectId> = world.objects().iter().map(|object| object.id).collect();
        for id in walkers {
            world.plan_walk(id, &mut Stream::new(self.seed, StreamKind::World, 1 + id.0, 0));
        }
        let mut names = Vec::new();
        let berths =
            Berths { mission: &self.mission, team: lined_up(&self.team), largest: largest(&self.team) };
        let mut tasks = self.mission.tasks();
        order(&mut tasks, &self.orders, &mut error);
        let mut team: Vec<Member> = Vec::with_capacity(self.team.len());
        let mut makes: Vec<Make> = Vec::new();
        for (robot, spec) in RobotId::enumerate(&self.team) {
            match place(spec, robot, &berths, &world, &mut random) {
                Ok(pose) => {
                    names.push(spec.name.as_str());
                    let hardware = &spec.hardware;
                    let (shape, aspects) = (hardware.shape.clone(), hardware.aspects.clone());
                    let mut body = Body::new(pose, shape, hardware.drive(), aspects);
                    (body.present, body.robot_type) = (!spec.absent, spec.robot_type.as_str().into());
                    world.bodies.push(body);
                }
                Err(why) => error(&spec.path, why.words(spec, &world, &names)),
            }
            let mut member = member(spec, robot, &self.mission, &mut makes);
            member.identity.slam = self.slam.clone();
            team.push(member);
        }
        if let Some(resolution) = self.floor_plan {
            plans::hand_out(&world, resolution, &mut team);
        }
        self.mission.open(&mut world, self.seed);
        let briefing = self.mission.brief(&world);
        if let Some(cycle) = agenda::cycle(&tasks) {
            let names: Vec<&str> =
                cycle.iter().map(|task| tasks[usize::from(task.0)].name.as_str()).collect();
            error("tasks", format!("tasks wait for each other in a circle: {}", names.join(" -> ")));
        }
        for (index, task) in tasks.iter().enumerate() {
            // A missing part of a plan matters only where no alternative is left.
            if !task.part && staffing::crew(&team, TaskId(index as u16), task, &[]).is_none() {
                let sets = self.mission.sets();
                let message =
                    format!("nobody can do task `{}`: {}", task.name, asked_for(index, &tasks, &sets));
                error("team.robots", message);
            }
        }
        let roster: Vec<(String, RobotId)> =
            team.iter().map(|m| (m.identity.name.clone(), m.identity.id)).collect();
        let absent = self.team.iter().zip(RobotId::team(team.len())).filter(|(spec, _)| spec.absent);
        let reserve: Vec<RobotId> = absent.map(|(_, robot)| robot).collect();
        let mut robots = Vec::with_capacity(team.len());
        let mut missing: BTreeSet<Missing> = BTreeSet::new();
        for member in &team {
            let controller = AnyController::boot(&member.controller, &self.controllers, &member.identity);
            let Some(controller) = controller else {
                error("team.controller", format!("there is no controller `{}`", member.controller));
                continue;
            };
            let boot = Boot {
                me: &member.identity,
                tasks: &tasks,
                roster: &roster,
                signals: self.mission.signals(),
                restarted: false,
                reserve: &reserve,
            };
            match AnyCoordinator::boot(&self.coordinator, &self.parameters, &boot) {
                Some(Ok(coordinator)) => {
                    robots.push(robot(coordinator, member, briefing.boot(&member.identity, controller)))
                }
                Some(Err(absent)) => missing.extend(absent),
                None => error("team.coordinator", format!("there is no coordinator `{}`", self.coordinator)),
            }
        }
        let keys: BTreeSet<&str> = missing.iter().map(|m| m.key.as_str()).collect();
        for key in keys {
            let needed: Vec<&str> =
                missing.iter().filter(|m| m.key == key).filter_map(|m| m.behaviour.as_deref()).collect();
            let whom = if needed.is_empty() { String::new() } else { format!(" for {}", needed.join(", ")) };
            let message = format!("parameter `{key}` of {} is missing{whom}", self.coordinator);
            errors.push(SetupError {
                path: format!("team.{}.{key}", self.coordinator),
                message,
                missing: true,
                unknown: None,
            });
        }
        errors.dedup();
        if !errors.is_empty() {
            return Err(errors);
        }
        let physical = self.radio.as_physical();
        for robot in &mut robots {
            robot.estimator = physical.map(|_| Box::default());
        }
        let floor_plan = physical.filter(|radio| radio.params().floor_plan).map(|_| walls(&world));
        let floor_plan = floor_plan.unwrap_or_default();
        let operator = Operator::new(&tasks);
        let verdict = self.mission.judge(&world, operator.open());
        let model = Model {
            seed: self.seed,
            tick: self.tick,
            until: self.until,
            give_up: self.give_up,
            goal: self.goal,
            visibility: self.visibility,
            mission: self.mission,
            briefing,
            tasks,
            team,
            roster,
            reserve,
            coordinator: self.coordinator,
            parameters: self.parameters,
            controllers: self.controllers,
            floor_plan,
        };
        let planned = self.disturbances.iter().map(|spec| &spec.what);
        let inventory = Inventory::new(&model.mission, &model.tasks, &model.team, &world, planned);
        let inventory = Inventory { model: Some(&model), ..inventory.on_the(&self.radio) };
        let disturbances = disturbances(&self.disturbances, &inventory)?;
        let schedule = Schedule::new(model.seed, disturbances);
        let airwaves = Airwaves::default();
        let odometers = Odometers::new(&model.team, &world);
        let state = State {
            tick: 0,
            world,
            radio: self.radio,
            airwaves,
            robots,
            schedule,
            operator,
            verdict,
            stuck: StuckWatch::default(),
            coordinator: None,
            hindrances: HindranceWatch::default(),
            odometers,
        };
        Ok((Arc::new(model), state))
    }
}

/// The requirements of all ways to do a task, alone and together.
fn asked_for(task: usize, tasks: &[TaskSpec], sets: &[BehaviourSpec]) -> String {
    let needs = |task: usize| {
        let ways = sets.iter().filter(move |set| usize::from(set.task.0) == task);
        ways.map(|set| format!("`{}` needs {}", set.name, set.needs())).collect::<Vec<_>>()
    };
    let together = tasks[task].plans.iter().map(|plan| {
        let parts: Vec<String> =
            plan.parts.iter().map(|part| needs(usize::from(part.0)).join(" or ")).collect();
        format!("`{}` needs a robot for each of its parts, where {}", plan.name, parts.join(", and "))
    });
    needs(task).into_iter().chain(together).collect::<Vec<_>>().join("; ")
}

/// A scenario's changes to one of the mission's tasks; keys that are not given keep the mission's values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct TaskOrder {
    /// Tasks that must be finished before this one makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Vec<String>>,
    /// Tasks of which one must be in progress while this one is worked on.
    #[serde(rename = "while", skip_serializing_if = "Option::is_none")]
    pub during: Option<Vec<String>>,
    /// Time after which a finished task is due again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub every: Option<f64>,
    /// False if the task is closed until the operator adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<bool>,
    /// Its urgency, 1 for an ordinary task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0.0))]
    pub weight: Option<f64>,
}

/// Applies the scenario's changes to tasks.
fn order(tasks: &mut [TaskSpec], orders: &BTreeMap<String, TaskOrder>, error: &mut impl FnMut(&str, String)) {
    let names: Vec<String> = tasks.iter().map(|task| task.name.clone()).collect();
    let mut find = |path: &str, name: &str| {
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            error(path, format!("there is no task `{name}`; there are {}", names.join(", ")));
        }
        found
    };
    for (name, order) in orders {
        let path = format!("tasks.{name}");
        let Some(place) = find(&path, name) else { continue };
        let mut ids = |key: &str, list: &[String]| -> Vec<TaskId> {
            let known = list.iter().filter_map(|other| find(&format!("{path}.{key}"), other));
            known.map(|other| TaskId(other as u16)).collect()
        };
        let task = &mut tasks[place];
        if let Some(after) = &order.after {
            task.after = ids("after", after);
        }
        if let Some(during) = &order.during {
            task.during = ids("while", during);
        }
        task.every = order.every.or(task.every);
        task.open = order.open.unwrap_or(task.open);
        task.weight = order.weight.unwrap_or(task.weight);
    }
}

/// A set-up some of whose parts may be missing because of errors in them.
pub struct Draft<'a> {
    /// The mission.
    pub mission: &'a AnyMission,
    /// The world with its objects.
    pub world: &'a World,
    /// The robots that can be built.
    pub team: &'a [MemberSpec],
    /// Names of robots that could not be built but are meant to be there.
    pub others: &'a [String],
    /// The radio, if it can be built.
    pub radio: Option<&'a AnyRadio>,
}

impl Draft<'_> {
    /// Checks disturbances against the robots, the world and the radio.
    pub fn check(&self, specs: &[DisturbanceSpec]) -> Vec<SetupError> {
        let mission = self.mission;
        let mut makes = Vec::new();
        let team =
            RobotId::enumerate(self.team).map(|(robot, spec)| member(spec, robot, mission, &mut makes));
        let team: Vec<Member> = team.collect();
        let mut furnished = self.world.clone();
        let mut random = Stream::new(0, StreamKind::World, 0, 0);
        mission.furnish(&mut furnished, team.len(), &BTreeMap::new(), &mut random);
        let tasks = mission.tasks();
        let mut inventory =
            Inventory::new(mission, &tasks, &team, &furnished, specs.iter().map(|spec| &spec.what));
        inventory.robots.extend(self.others.iter().map(String::as_str));
        // Items are placed only when the run is built.
        inventory.item_count = None;
        // A radio that could not be built may have been meant to be a physical one.
        let inventory = match self.radio {
            Some(radio) => inventory.on_the(radio),
            None => Inventory { physical: true, ..inventory },
        };
        disturbances(specs, &inventory).err().unwrap_or_default()
    }
}

fn disturbances(
    specs: &[DisturbanceSpec],
    inventory: &Inventory,
) -> Result<Vec<Disturbance>, Vec<SetupError>> {
    let (mut built, mut errors) = (Vec::new(), Vec::new());
    for (index, spec) in specs.iter().enumerate() {
        match spec.build(inventory) {
            Ok(disturbance) => built.push(disturbance),
            Err(complaint) => {
                let dot = if complaint.key.is_empty() { "" } else { "." };
                errors.push(SetupError {
                    path: format!("disturbances.{index}{dot}{}", complaint.key),
                    message: complaint.message,
                    missing: false,
                    unknown: complaint.unknown,
                });
            }
        }
    }
    if errors.is_empty() { Ok(built) } else { Err(errors) }
}

/// The data shared by robots of the same model.
struct Make {
    hardware: Arc<RobotType>,
    datasheet: Arc<Datasheet>,
    behaviours: Arc<[BehaviourSpec]>,
}

fn member(spec: &MemberSpec, id: RobotId, mission: &AnyMission, makes: &mut Vec<Make>) -> Member {
    let known = makes.iter().position(|make| Arc::ptr_eq(&make.hardware, &spec.hardware));
    let known = known.unwrap_or_else(|| {
        let datasheet = Arc::new(spec.hardware.datasheet());
        let behaviours = mission.behaviours(&datasheet).into();
        makes.push(Make { hardware: spec.hardware.clone(), datasheet, behaviours });
        makes.len() - 1
    });
    let make = &makes[known];
    Member {
        identity: Identity {
            id,
            name: spec.name.clone(),
            robot_type: spec.robot_type.clone(),
            priority: spec.priority,
            datasheet: make.datasheet.clone(),
            behaviours: make.behaviours.clone(),
            floor_plan: FloorPlan::default(),
            slam: FilterChoice::default(),
        },
        controller: spec.controller.clone(),
        hardware: spec.hardware.clone(),
    }
}

fn robot(coordinator: AnyCoordinator, member: &Member, skills: AnySkills) -> Robot {
    let percept = Percept {
        senses: vec![Sense::default(); member.hardware.sensors.len()],
        feedback: vec![0.0; member.hardware.effectors.len()],
        stopped: false,
    };
    let software = Software::new(coordinator, skills);
    let used = vec![None; member.hardware.effectors.len()];
    Robot {
        software,
        percept,
        used,
        faults: Faults::default(),
        stall: Stall::default(),
        radio_energy: 0.0,
        estimator: None,
    }
}

/// The mission's places for robots without a place in the scenario.
struct Berths<'a> {
    mission: &'a AnyMission,
    team: usize,
    largest: f64,
}

/// Number of robots that the mission has to place, without those in reserve at the end of the list.
fn lined_up(team: &[MemberSpec]) -> usize {
    team.iter().rposition(|spec| !spec.absent).map_or(0, |last| last + 1)
}

/// Radius of the largest robot that the mission places. [m]
fn largest(team: &[MemberSpec]) -> f64 {
    team.iter()
        .filter(|spec| spec.pose.is_none() && !spec.absent)
        .map(|spec| spec.hardware.shape.radius())
        .fold(0.0, f64::max)
}

/// Why a robot cannot be placed.
enum NoPlace {
    /// Its place is not free.
    Taken(Pose, Obstacle),
    /// No free place was found.
    NoneFound,
}

impl NoPlace {
    /// The error for a robot; `names` are those of the robots in the world.
    fn words(self, spec: &MemberSpec, world: &World, names: &[&str]) -> String {
        match self {
            NoPlace::Taken(pose, obstacle) => format!(
                "robot `{}` at [{:.2} m, {:.2} m] {}: move it or what it overlaps",
                spec.name,
                pose.position.x,
                pose.position.y,
                overlapped(world, names, obstacle)
            ),
            NoPlace::NoneFound => format!(
                "no free place was found for robot `{}`: make the world larger or the team smaller",
                spec.name
            ),
        }
    }
}

/// Number of rings around a place that are searched for a free one, and of places on each. The rings are a robot's radius apart.
const RINGS: u32 = 40;
const RING: u32 = 16;

/// A free place for a robot: the scenario's, or the mission's, or anywhere.
fn place(
    spec: &MemberSpec,
    robot: RobotId,
    berths: &Berths,
    world: &World,
    random: &mut Stream,
) -> Result<Pose, NoPlace> {
    let shape = &spec.hardware.shape;
    let blocked = |pose: &Pose| world.overlap_of(&shape.at(pose), Some(&spec.robot_type), None);
    if spec.absent {
        // It takes no space yet; whether there is room is checked when it is added.
        let middle = (world.bounds.min + world.bounds.max) * 0.5;
        return Ok(spec.pose.unwrap_or(Pose { position: middle, heading: 0.0 }));
    }
    if let Some(pose) = spec.pose {
        return blocked(&pose).map_or(Ok(pose), |obstacle| Err(NoPlace::Taken(pose, obstacle)));
    }
    if let Some(berth) = berths.mission.berth(world, robot, berths.team, berths.largest)
        && let Some(pose) = beside(berth, shape.radius(), |pose| blocked(pose).is_none())
    {
        return Ok(pose);
    }
    let (low, size) = (world.bounds.min, world.bounds.size());
    for _ in 0..TRIES {
        let position = low + vec2(size.x * random.unit(), size.y * random.unit());
        let pose = Pose { position, heading: random.between(-TAU / 2.0, TAU / 2.0) };
        if blocked(&pose).is_none() {
            return Ok(pose);
        }
    }
    Err(NoPlace::NoneFound)
}

/// The mission's place for a robot if it is free, else a free one beside it: a large team may be larger than the mission's formation.
fn beside(berth: Pose, radius: f64, free: impl Fn(&Pose) -> bool) -> Option<Pose> {
    let around = |ring: u32| {
        let step = TAU / f64::from(RING);
        (0..RING).map(move |turn| Vec2::unit(f64::from(turn) * step) * (f64::from(ring) * radius))
    };
    let places = std::iter::once(Vec2::ZERO).chain((1..=RINGS).flat_map(around));
    places.map(|offset| Pose { position: berth.position + offset, ..berth }).find(|pose| free(pose))
}

fn overlapped(world: &World, names: &[&str], obstacle: Obstacle) -> String {
    match obstacle {
        Obstacle::Border => "overlaps the border of the world".into(),
        Obstacle::Body(other) => {
            format!("overlaps robot `{}`", names.get(other.index()).unwrap_or(&"?"))
        }
        Obstacle::Object(id) => {
            let name = world.object(id).map(|o| o.name.clone()).filter(|name| !name.is_empty());
            format!("is inside {}", name.map_or("an object".to_string(), |name| format!("`{name}`")))
        }
    }
}
