//! From a checked scenario to a set-up: the checks that need more than one key.

use super::equipment::{aspects, robot_type};
use super::properties;
use super::spec::{
    ObjectSpec, RadioSpec, RobotSpec, ScenarioSpec, ShapeSpec, TerrainSpec, WhatSpec, WorldSpec,
};
use super::text::{Diagnostic, SourceId, SpanIndex, did_you_mean};
use crewlab_sim::disturbances::{AnyDisturbance, Disturbance, Trap};
use crewlab_sim::missions::AnyMission;
use crewlab_sim::onboard::Time;
use crewlab_sim::onboard::geometry::{Pose, Vec2, vec2};
use crewlab_sim::radio::{AnyRadio, Ideal};
use crewlab_sim::world::{Bounds, Emission, Object, RobotType, Script, Shape, Terrain, World};
use crewlab_sim::{MemberSpec, Setup, teams};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Robots are numbered with 16 bits on the air.
const MOST_ROBOTS: usize = 60_000;

/// A scenario ready to run.
pub(super) struct Built {
    pub name: String,
    pub mission: String,
    pub resolved: Value,
    pub setup: Setup,
    pub record_every: f64,
}

/// What is needed to build a scenario and to point at its text.
pub(super) struct Builder<'a> {
    pub stem: &'a str,
    pub folder: &'a Path,
    pub mission: &'a str,
    pub spans: &'a SpanIndex,
    /// The text of the mission's defaults: what stands there is nobody's mistake.
    pub defaults: SourceId,
}

/// What was found so far.
#[derive(Default)]
struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn error(&self, path: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.spans.find(path)).with_path(path)
    }

    /// Builds everything, or says all that is wrong.
    pub(super) fn build(&self, value: Value) -> Result<(Built, Vec<Diagnostic>), Vec<Diagnostic>> {
        let spec: ScenarioSpec = serde_json::from_value(value.clone())
            .map_err(|error| vec![Diagnostic::error(format!("the scenario cannot be used: {error}"))])?;
        let mut findings = Findings::default();
        let mission = AnyMission::parse(self.mission, Value::Object(spec.parameters.clone()));
        let mission = match mission {
            Some(Ok(mission)) => mission,
            Some(Err(error)) => return Err(vec![self.error("parameters", error.to_string())]),
            None => return Err(vec![self.error("mission", "there is no such mission")]),
        };
        let world = self.world(&spec.world, &mut findings);
        let team = self.team(&spec, &mut findings);
        let disturbances = self.disturbances(&spec, &team, &mut findings);
        let mut resolved = value;
        let parameters = self.parameters(&spec, &mission, &team, &mut resolved, &mut findings);
        let (Some(parameters), true) = (parameters, findings.errors.is_empty()) else {
            return Err(findings.errors);
        };
        let setup = Setup {
            seed: spec.run.seed,
            tick: (spec.run.tick * 1e9).round() as u64,
            until: Time::from_seconds(spec.run.until),
            visibility: spec.team.visibility,
            mission,
            world,
            supplies: spec.world.items.clone(),
            team,
            coordinator: spec.team.coordinator.clone(),
            parameters,
            radio: radio(&spec.radio, spec.run.seed),
            disturbances,
        };
        // Starting it is the last check: places of robots, equipment for every task, missing parameters.
        if let Err(errors) = setup.clone().build() {
            return Err(errors.iter().map(|e| self.error(&e.path, &e.message)).collect());
        }
        let name = spec.name.clone().unwrap_or_else(|| self.stem.to_string());
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            return Err(vec![
                self.error("name", "a name must be usable as a folder: no slashes, no dot in front"),
            ]);
        }
        let built =
            Built { name, mission: spec.mission, resolved, setup, record_every: spec.run.record_every };
        Ok((built, findings.warnings))
    }

    fn world(&self, spec: &WorldSpec, findings: &mut Findings) -> World {
        let low = vec2(spec.origin[0], spec.origin[1]);
        let size = vec2(spec.size[0], spec.size[1]);
        for (axis, length) in spec.size.iter().enumerate() {
            if *length <= 0.0 || *length > 1e6 {
                let message =
                    format!("a side of the world must be above 0 m and at most 1000 km, found {length} m");
                findings.errors.push(self.error(&format!("world.size.{axis}"), message));
            }
        }
        let mut world = World::new(Bounds { min: low, max: low + size });
        for (index, object) in spec.objects.iter().enumerate() {
            match build_object(object) {
                Ok(object) => {
                    world.add_object(object);
                }
                Err(message) => findings.errors.push(self.error(&format!("world.objects.{index}"), message)),
            }
        }
        if let Some(terrain) = &spec.terrain {
            match build_terrain(terrain, low) {
                Ok(terrain) => world.terrain = Some(terrain),
                Err(message) => findings.errors.push(self.error("world.terrain.rows", message)),
            }
        }
        world
    }

    fn team(&self, spec: &ScenarioSpec, findings: &mut Findings) -> Vec<MemberSpec> {
        let mut team: Vec<MemberSpec> = Vec::new();
        let mut names = BTreeSet::new();
        let mut plain: BTreeMap<&str, Arc<RobotType>> = BTreeMap::new();
        for (index, robot) in spec.team.robots.iter().enumerate() {
            let path = format!("team.robots.{index}");
            let Some(hardware) = self.hardware(spec, robot, &path, &mut plain, findings) else { continue };
            for (name, pose) in berths(robot) {
                if !names.insert(name.clone()) {
                    let message =
                        format!("two robots are called `{name}`: every robot needs a name of its own");
                    findings.errors.push(self.error(&format!("{path}.name"), message));
                }
                team.push(MemberSpec {
                    name,
                    robot_type: robot.robot_type.clone(),
                    hardware: hardware.clone(),
                    pose,
                    priority: robot.priority,
                    path: path.clone(),
                });
            }
        }
        if spec.team.robots.is_empty() || team.len() > MOST_ROBOTS {
            let message = format!("a team has between 1 and {MOST_ROBOTS} robots, found {}", team.len());
            findings.errors.push(self.error("team.robots", message));
        }
        team
    }

    /// A robot's hardware; robots without changes to their type share one.
    fn hardware<'s>(
        &self,
        spec: &'s ScenarioSpec,
        robot: &'s RobotSpec,
        path: &str,
        plain: &mut BTreeMap<&'s str, Arc<RobotType>>,
        findings: &mut Findings,
    ) -> Option<Arc<RobotType>> {
        let Some(type_spec) = spec.robot_types.get(&robot.robot_type) else {
            let known: Vec<&str> = spec.robot_types.keys().map(String::as_str).collect();
            let suggestion = did_you_mean(&robot.robot_type, known.iter().copied());
            let help = suggestion.map(|name| format!("did you mean `{name}`?"));
            let message = format!("there is no robot type `{}`", robot.robot_type);
            let accepted = format!("robot types: {}", known.join(", "));
            let error =
                self.error(&format!("{path}.type"), message).with_help(help.into_iter().chain([accepted]));
            findings.errors.push(error);
            return None;
        };
        if robot.equipment.is_empty()
            && let Some(shared) = plain.get(robot.robot_type.as_str())
        {
            return Some(shared.clone());
        }
        match robot_type(type_spec, &robot.equipment) {
            Ok(built) => {
                let built = Arc::new(built);
                if robot.equipment.is_empty() {
                    plain.insert(&robot.robot_type, built.clone());
                }
                Some(built)
            }
            Err((part, message)) => {
                findings
                    .errors
                    .push(self.error(&format!("robot-types.{}.{part}", robot.robot_type), message));
                None
            }
        }
    }

    fn disturbances(
        &self,
        spec: &ScenarioSpec,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) -> Vec<Disturbance> {
        let mut disturbances = Vec::new();
        for (index, disturbance) in spec.disturbances.iter().enumerate() {
            let WhatSpec::Trap(name) = &disturbance.what;
            let Some(robot) = team.iter().position(|member| member.name == *name) else {
                let known = team.iter().map(|member| member.name.as_str());
                let help = did_you_mean(name, known).map(|name| format!("did you mean `{name}`?"));
                let error =
                    self.error(&format!("disturbances.{index}.trap"), format!("there is no robot `{name}`"));
                findings.errors.push(error.with_help(help));
                continue;
            };
            disturbances.push(Disturbance {
                at: Time::from_seconds(disturbance.at),
                what: AnyDisturbance::Trap(Trap { robot }),
            });
        }
        disturbances
    }

    /// The coordinators' parameters, a properties file included.
    fn parameters(
        &self,
        spec: &ScenarioSpec,
        mission: &AnyMission,
        team: &[MemberSpec],
        resolved: &mut Value,
        findings: &mut Findings,
    ) -> Option<teams::Params> {
        let mut said = spec.team.parameters.clone();
        let file =
            said.get("alliance").and_then(|alliance| alliance.get("properties")).and_then(Value::as_str);
        if let Some(file) = file.map(|file| self.folder.join(file)) {
            let robots: Vec<&str> = team.iter().map(|member| member.name.as_str()).collect();
            let behaviours: BTreeSet<String> = team
                .iter()
                .flat_map(|member| mission.behaviours(&member.hardware.datasheet()))
                .map(|behaviour| behaviour.name)
                .collect();
            let behaviours: Vec<&str> = behaviours.iter().map(String::as_str).collect();
            match properties::merge(&file, &said["alliance"], &robots, &behaviours) {
                Ok((merged, notes)) => {
                    findings.warnings.extend(notes);
                    resolved["team"]["alliance"] = merged.clone();
                    said.insert("alliance".into(), merged);
                }
                Err(errors) => {
                    let place = self.spans.find("team.alliance.properties");
                    findings.errors.extend(errors.into_iter().map(|error| error.at(place)));
                    return None;
                }
            }
        }
        self.check_names(&said, spec, mission, team, findings);
        match serde_json::from_value(Value::Object(said)) {
            Ok(parameters) => Some(parameters),
            Err(error) => {
                findings.errors.push(self.error("team", error.to_string()));
                None
            }
        }
    }

    /// Names of behaviour sets, robot types and robots among ALLIANCE's parameters must exist.
    fn check_names(
        &self,
        said: &Map<String, Value>,
        spec: &ScenarioSpec,
        mission: &AnyMission,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) {
        let Some(alliance) = said.get("alliance").and_then(Value::as_object) else { return };
        let behaviours = mission.behaviour_names();
        let types: Vec<&str> = spec.robot_types.keys().map(String::as_str).collect();
        let robots: Vec<&str> = team.iter().map(|member| member.name.as_str()).collect();
        self.check_keys(alliance, "team.alliance", "behaviours", "behaviour set", &behaviours, findings);
        self.check_keys(alliance, "team.alliance", "types", "robot type", &types, findings);
        self.check_keys(alliance, "team.alliance", "robots", "robot", &robots, findings);
        for part in ["types", "robots"] {
            for (name, level) in alliance.get(part).and_then(Value::as_object).into_iter().flatten() {
                let Some(level) = level.as_object() else { continue };
                let path = format!("team.alliance.{part}.{name}");
                self.check_keys(level, &path, "behaviours", "behaviour set", &behaviours, findings);
            }
        }
    }

    fn check_keys(
        &self,
        map: &Map<String, Value>,
        path: &str,
        part: &str,
        what: &str,
        known: &[&str],
        findings: &mut Findings,
    ) {
        let Some(keys) = map.get(part).and_then(Value::as_object) else { return };
        for key in keys.keys().filter(|key| !known.contains(&key.as_str())) {
            let place = self.spans.find_key(&format!("{path}.{part}.{key}"));
            if place.is_some_and(|span| span.source == self.defaults) {
                continue;
            }
            let help = did_you_mean(key, known.iter().copied()).map(|name| format!("did you mean `{name}`?"));
            let message = format!("there is no {what} `{key}`");
            if part == "robots" {
                let message = format!("{message} in the team: its parameters are ignored");
                findings.warnings.push(Diagnostic::warning(message).at(place).with_help(help));
            } else {
                let accepted = format!("accepted: {}", known.join(", "));
                findings
                    .errors
                    .push(Diagnostic::error(message).at(place).with_help(help.into_iter().chain([accepted])));
            }
        }
    }
}

fn radio(spec: &RadioSpec, seed: u64) -> AnyRadio {
    match spec {
        RadioSpec::Ideal(params) => AnyRadio::Ideal(Ideal::new(params.clone(), seed)),
    }
}

/// Names and places of the robots that one entry stands for. Several of them stand side by side from `at` on.
fn berths(robot: &RobotSpec) -> Vec<(String, Option<Pose>)> {
    let pose = |n: u32| robot.at.map(|[x, y]| Pose::new(x + f64::from(n), y, robot.heading.unwrap_or(0.0)));
    match robot.count {
        None => vec![(robot.name.clone(), pose(0))],
        Some(count) => (0..count).map(|n| (format!("{}-{}", robot.name, n + 1), pose(n))).collect(),
    }
}

fn points(list: &[[f64; 2]]) -> Vec<Vec2> {
    list.iter().map(|[x, y]| vec2(*x, *y)).collect()
}

fn build_object(spec: &ObjectSpec) -> Result<Object, String> {
    let shape = match &spec.shape {
        ShapeSpec::Rectangle([width, height]) if *width > 0.0 && *height > 0.0 => {
            Shape::rectangle(*width, *height)
        }
        ShapeSpec::Rectangle(_) => return Err("a rectangle's width and height must be above 0 m".into()),
        ShapeSpec::Circle(radius) => Shape::Circle { radius: *radius },
        ShapeSpec::Polygon(corners) => Shape::convex(points(corners))?,
        ShapeSpec::Wall([a, b]) if a != b => Shape::Segment(vec2(a[0], a[1]), vec2(b[0], b[1])),
        ShapeSpec::Wall(_) => return Err("a wall needs two different ends".into()),
    };
    let mut object = Object::obstacle(&spec.name, shape, Pose::new(spec.at[0], spec.at[1], spec.heading));
    object.penetrability = spec.penetrability;
    object.height = spec.height;
    object.dust = spec.dust;
    object.garbage = spec.garbage;
    object.heat = spec.heat;
    object.aspects = aspects(&spec.aspects);
    let sounds = spec.sounds.iter().map(|s| Emission::Sound { frequency: s.frequency, level: s.level });
    let beacon = spec.beacon.iter().map(|b| Emission::Beacon { code: b.code.clone(), level: b.level });
    object.emissions = sounds.chain(beacon).collect();
    object.script = spec.path.as_ref().map(|path| Script {
        points: points(&path.points),
        speed: path.speed,
        repeat: path.repeat,
        next: 0,
    });
    Ok(object)
}

fn build_terrain(spec: &TerrainSpec, low: Vec2) -> Result<Terrain, String> {
    let columns = spec.rows.first().map_or(0, Vec::len);
    if columns == 0 {
        return Err("terrain needs at least one row with one factor".into());
    }
    if let Some(row) = spec.rows.iter().position(|row| row.len() != columns) {
        return Err(format!("row {} has {} factors, the first has {columns}", row + 1, spec.rows[row].len()));
    }
    if spec.rows.iter().flatten().any(|factor| *factor < 0.0) {
        return Err("factors must not be negative".into());
    }
    Ok(Terrain {
        origin: spec.at.map_or(low, |[x, y]| vec2(x, y)),
        cell: spec.cell,
        columns,
        rows: spec.rows.len(),
        factors: spec.rows.iter().rev().flatten().copied().collect(),
    })
}
