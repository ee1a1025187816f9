//! From a checked scenario to a set-up: the checks that need more than one key.

use super::equipment::{is_plain, robot_type};
use super::radio::RadioParams;
use super::spec::{RobotSpec, ScenarioSpec, WorldSpec};
use super::text::{Diagnostic, SourceId, SourceMap, SpanIndex, did_you_mean};
use super::{familiar, noise_floor, properties};
use crewlab_sim::missions::AnyMission;
use crewlab_sim::onboard::Time;
use crewlab_sim::onboard::geometry::{Pose, vec2};
use crewlab_sim::radio::{AnyRadio, PhysicalParams};
use crewlab_sim::world::{Bounds, RobotType, World};
use crewlab_sim::{MemberSpec, Model, Setup, SetupError, State, check_disturbances, missions, teams};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Robots are numbered with 16 bits on the air.
const MOST_ROBOTS: usize = 60_000;

/// The most items that are accepted.
const MOST_ITEMS: u32 = 1_000_000;

/// The largest distance that is accepted. [m]
const LARGEST_SIDE: f64 = 1e6;

/// A scenario ready to run.
pub(super) struct Built {
    pub name: String,
    pub mission: String,
    pub resolved: Value,
    pub setup: Setup,
    pub start: (Arc<Model>, State),
    pub record_every: f64,
}

/// The inputs for building a scenario and for pointing into its text.
pub(super) struct Builder<'a> {
    pub stem: &'a str,
    pub folder: &'a Path,
    pub mission: &'static missions::MissionKind,
    pub spans: &'a SpanIndex,
    /// The text of the mission's defaults, to which no error may point.
    pub defaults: SourceId,
    /// Files named by the scenario are read into this.
    pub sources: &'a mut SourceMap,
}

/// The parts of a scenario that are built from more than one key.
struct Parts {
    mission: AnyMission,
    world: World,
    team: Vec<MemberSpec>,
    parameters: teams::Params,
    radio: AnyRadio,
    /// The radio with all its values.
    resolved_radio: Value,
    /// ALLIANCE's parameters if they came from a file.
    from_file: Option<Value>,
}

/// Names that parameters may refer to.
struct Known<'a> {
    behaviours: &'a [&'a str],
    robots: &'a [&'a str],
}

/// The maps under a key, with their names.
fn maps_in<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Map<String, Value>)> {
    let inner = map.get(key).and_then(Value::as_object);
    inner.into_iter().flatten().filter_map(|(name, value)| value.as_object().map(|map| (name, map)))
}

/// The diagnostics so far.
#[derive(Default)]
struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn error(&self, path: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.spans.find(path)).with_path(path)
    }

    /// An error about the start of a run. A missing key may have been removed: then the place of the removal is shown.
    fn start_error(&self, error: &SetupError) -> Diagnostic {
        let key = self.spans.find_key(&error.path).filter(|_| error.missing);
        let mut diagnostic = self.error(&error.path, &error.message);
        if let Some((name, known)) = &error.unknown {
            let help = did_you_mean(name, known.iter().map(String::as_str))
                .map(|name| format!("did you mean `{name}`?"));
            let accepted = match known.len() {
                0 => "there are none".to_string(),
                1..=20 => format!("there are {}", known.join(", ")),
                more => format!("there are {} and {} more", known[..20].join(", "), more - 20),
            };
            diagnostic = diagnostic.with_help(help.into_iter().chain([accepted]));
        }
        if key.is_some() { diagnostic.at(key) } else { diagnostic }
    }

    /// A value as it was written.
    fn quote(&self, path: &str) -> &str {
        self.spans
            .find(path)
            .and_then(|span| self.sources.text(span.source).get(span.start..span.end))
            .unwrap_or("it")
    }

    /// Builds everything, or returns all errors.
    pub(super) fn build(&mut self, value: Value) -> Result<(Built, Vec<Diagnostic>), Vec<Diagnostic>> {
        let spec: ScenarioSpec = serde_json::from_value(value.clone())
            .map_err(|error| vec![Diagnostic::error(format!("the scenario cannot be used: {error}"))])?;
        let mut findings = Findings::default();
        let parts = self.parts(&spec, &mut findings);
        let (Some(parts), true) = (parts, findings.errors.is_empty()) else { return Err(findings.errors) };
        let name = spec.name.clone().unwrap_or_else(|| self.stem.to_string());
        let parameters = parts.mission.parameters();
        let resolved = complete(value, &name, parameters, parts.resolved_radio, parts.from_file);
        let setup = Setup {
            seed: spec.run.seed,
            tick: (spec.run.tick * 1e9).round() as u64,
            until: Time::from_seconds(spec.run.until),
            visibility: spec.team.visibility,
            mission: parts.mission,
            world: parts.world,
            supplies: spec.world.items.clone(),
            team: parts.team,
            coordinator: spec.team.coordinator.clone(),
            parameters: parts.parameters,
            radio: parts.radio,
            disturbances: spec.disturbances.clone(),
            orders: spec.tasks.clone(),
        };
        // Starting it is the last check: places of robots, equipment for every task, missing parameters.
        let start = setup.clone().build();
        let start =
            start.map_err(|errors| errors.iter().map(|error| self.start_error(error)).collect::<Vec<_>>())?;
        let built = Built {
            name,
            mission: spec.mission,
            resolved,
            setup,
            start,
            record_every: spec.run.record_every,
        };
        Ok((built, findings.warnings))
    }

    /// Errors between the keys of a scenario that is already refused.
    pub(super) fn judge(&mut self, value: Value) -> Vec<Diagnostic> {
        let Ok(spec) = serde_json::from_value::<ScenarioSpec>(value) else { return Vec::new() };
        let mut findings = Findings::default();
        self.parts(&spec, &mut findings);
        findings.errors
    }

    fn parts(&mut self, spec: &ScenarioSpec, findings: &mut Findings) -> Option<Parts> {
        if let Some(name) = spec.name.as_deref().filter(|name| !usable_as_folder(name)) {
            let message = format!(
                "a name must be usable as a folder (no slashes, no dot in front, not empty), found `{name}`"
            );
            findings.errors.push(self.error("name", message));
        }
        self.check_items(spec, findings);
        self.check_aspects(spec, findings);
        let world = self.world(&spec.world, findings);
        let (team, unusable) = self.team(spec, findings);
        let radio = self.radio(spec, findings);
        self.check_times(spec, findings);
        let parameters = Value::Object(spec.parameters.clone());
        let mission = match AnyMission::parse(self.mission.name, parameters)? {
            Ok(mission) => mission,
            Err(error) => {
                findings.errors.push(self.error("parameters", error.to_string()));
                return None;
            }
        };
        let wrong = check_disturbances(
            &spec.disturbances,
            &mission,
            &world,
            &team,
            &unusable,
            radio.as_ref().map(|(radio, _)| radio),
        );
        findings.errors.extend(wrong.iter().map(|error| self.start_error(error)));
        let (parameters, from_file) = self.parameters(spec, &mission, &team, findings)?;
        let (radio, resolved_radio) = radio?;
        Some(Parts { mission, world, team, parameters, radio, resolved_radio, from_file })
    }

    /// The radio with all its values.
    fn radio(&self, spec: &ScenarioSpec, findings: &mut Findings) -> Option<(AnyRadio, Value)> {
        let (seed, model) = (spec.run.seed, spec.radio.model.as_str());
        let mut said = match RadioParams::of(&spec.radio) {
            Ok(said) => said,
            Err(error) => {
                findings.errors.push(self.error("radio", error.to_string()));
                return None;
            }
        };
        let RadioParams::Physical(params) = &mut said else {
            let RadioParams::Ideal(params) = &said else { return None };
            return Some((AnyRadio::ideal(params.clone(), seed), said.resolved(model)));
        };
        let mut floor = None;
        if let Some(noise) = params.noise_floor.as_mut().filter(|_| is_usable(&spec.world)) {
            match noise_floor::build(noise, &spec.world, self.folder, seed) {
                Ok(grid) => floor = Some(Arc::new(grid)),
                Err((key, message)) => {
                    let path = format!("radio.noise-floor.{key}");
                    findings.errors.push(self.error(&path, message));
                    return None;
                }
            }
        }
        // The grid replaces its description.
        let params = PhysicalParams { noise_floor: None, ..params.as_ref().clone() };
        Some((AnyRadio::physical(params, floor, seed), said.resolved(model)))
    }

    /// An aspect's value must lie between its limits.
    fn check_aspects(&self, spec: &ScenarioSpec, findings: &mut Findings) {
        let of_types =
            spec.robot_types.iter().map(|(name, kind)| (format!("robot-types.{name}"), &kind.aspects));
        let objects = spec.world.objects.iter().enumerate();
        let of_objects = objects.map(|(i, object)| (format!("world.objects.{i}"), &object.aspects));
        for (path, aspects) in of_types.chain(of_objects) {
            for (name, aspect) in aspects {
                if aspect.value < aspect.min || aspect.max.is_some_and(|max| aspect.value > max) {
                    let message = format!("the value of `{name}` is not between its `min` and its `max`");
                    findings.errors.push(self.error(&format!("{path}.aspects.{name}"), message));
                }
            }
        }
    }

    fn check_items(&self, spec: &ScenarioSpec, findings: &mut Findings) {
        for (kind, count) in &spec.world.items {
            let path = format!("world.items.{kind}");
            if *count > MOST_ITEMS {
                let message = format!("at most {MOST_ITEMS} items of a kind, found {count}");
                findings.errors.push(self.error(&path, message));
            }
            if !self.mission.items.contains(&kind.as_str()) {
                let known = self.mission.items;
                let help =
                    did_you_mean(kind, known.iter().copied()).map(|name| format!("did you mean `{name}`?"));
                let accepted = match known {
                    [] => "this mission has no items".to_string(),
                    _ => format!("kinds of items of this mission: {}", known.join(", ")),
                };
                let error =
                    Diagnostic::error(format!("this mission has no items of this kind, found `{kind}`"));
                let error = error.at(self.spans.find_key(&path)).with_path(path);
                findings.errors.push(error.with_help(help.into_iter().chain([accepted])));
            }
        }
    }

    fn world(&self, spec: &WorldSpec, findings: &mut Findings) -> World {
        let low = vec2(spec.origin[0], spec.origin[1]);
        let size = vec2(spec.size[0], spec.size[1]);
        for (axis, length) in spec.size.iter().enumerate() {
            if *length <= 0.0 || *length > LARGEST_SIDE {
                let path = format!("world.size.{axis}");
                let found = self.quote(&path);
                let message =
                    format!("a side of the world must be above 0 m and at most 1000 km, found `{found}`");
                findings.errors.push(self.error(&path, message));
            }
        }
        let mut world = World::new(Bounds { min: low, max: low + size });
        for (index, object) in spec.objects.iter().enumerate() {
            match object.build() {
                Ok(object) => {
                    world.add_object(object);
                }
                Err(message) => findings.errors.push(self.error(&format!("world.objects.{index}"), message)),
            }
        }
        if let Some(terrain) = &spec.terrain {
            match terrain.build(low) {
                Ok(terrain) => world.terrain = Some(terrain),
                Err(message) => findings.errors.push(self.error("world.terrain.rows", message)),
            }
        }
        world
    }

    /// The robots that could be built, and the names of those that could not.
    fn team(&self, spec: &ScenarioSpec, findings: &mut Findings) -> (Vec<MemberSpec>, Vec<String>) {
        let (mut team, mut unusable): (Vec<MemberSpec>, Vec<String>) = Default::default();
        let wanted: usize = spec.team.robots.iter().map(|robot| robot.count.unwrap_or(1) as usize).sum();
        if wanted == 0 || wanted > MOST_ROBOTS {
            let message = format!("a team has between 1 and {MOST_ROBOTS} robots, found {wanted}");
            findings.errors.push(self.error("team.robots", message));
            return (team, unusable);
        }
        let mut names = BTreeSet::new();
        let mut plain: BTreeMap<&str, Arc<RobotType>> = BTreeMap::new();
        for (index, robot) in spec.team.robots.iter().enumerate() {
            let path = format!("team.robots.{index}");
            if robot.name.trim().is_empty() {
                findings.errors.push(self.error(&format!("{path}.name"), "a robot needs a name"));
            }
            let Some(hardware) = self.hardware(spec, robot, &path, &mut plain, findings) else {
                unusable.extend(berths(robot).into_iter().map(|(name, _)| name));
                continue;
            };
            for (name, pose) in berths(robot) {
                if !names.insert(name.clone()) {
                    let message = format!("two robots are named `{name}`: names must be unique");
                    findings.errors.push(self.error(&format!("{path}.name"), message));
                }
                team.push(MemberSpec {
                    name,
                    robot_type: robot.robot_type.clone(),
                    hardware: hardware.clone(),
                    pose,
                    priority: robot.priority,
                    absent: robot.absent,
                    path: path.clone(),
                });
            }
        }
        (team, unusable)
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
        if is_plain(robot)
            && let Some(shared) = plain.get(robot.robot_type.as_str())
        {
            return Some(shared.clone());
        }
        match robot_type(type_spec, robot) {
            Ok(built) => {
                let built = Arc::new(built);
                if is_plain(robot) {
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

    /// Warns of disturbances that never happen.
    fn check_times(&self, spec: &ScenarioSpec, findings: &mut Findings) {
        for (index, disturbance) in spec.disturbances.iter().enumerate() {
            let timing = &disturbance.timing;
            let starts =
                [("at", timing.at), ("between", timing.between.map(|b| b[0])), ("from", timing.from)];
            for (key, start) in starts {
                if start.is_some_and(|start| start >= spec.run.until) {
                    let place = self.spans.find(&format!("disturbances.{index}.{key}"));
                    let message = "this never happens: the run ends before";
                    findings.warnings.push(Diagnostic::warning(message).at(place));
                }
            }
        }
    }

    /// The coordinators' parameters, and ALLIANCE's as a whole if they came from a file.
    fn parameters(
        &mut self,
        spec: &ScenarioSpec,
        mission: &AnyMission,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) -> Option<(teams::Params, Option<Value>)> {
        let mut said = spec.team.parameters.clone();
        let mut from_file = None;
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
            match properties::merge(&file, &said["alliance"], &robots, &behaviours, self.sources) {
                Ok((merged, notes)) => {
                    findings.warnings.extend(notes);
                    from_file = Some(merged.clone());
                    said.insert("alliance".into(), merged);
                }
                Err(errors) => {
                    let place = self.spans.find("team.alliance.properties");
                    let placed =
                        |error: Diagnostic| if error.span.is_some() { error } else { error.at(place) };
                    findings.errors.extend(errors.into_iter().map(placed));
                    return None;
                }
            }
        }
        self.check_names(&said, spec, mission, team, findings);
        let alliance = said.get("alliance").cloned();
        match serde_json::from_value(Value::Object(said)) {
            Ok(mut parameters) => {
                if let Some(learning) = self.learning(&mut parameters, mission, team, findings)? {
                    let mut whole = from_file.or(alliance).unwrap_or_default();
                    whole["learning"] = learning;
                    from_file = Some(whole);
                }
                Some((parameters, from_file))
            }
            Err(error) => {
                findings.errors.push(self.error("team", error.to_string()));
                None
            }
        }
    }

    /// Checks the learning parameters and reads the file of learned values; returns the resolved parameters.
    fn learning(
        &mut self,
        parameters: &mut teams::Params,
        mission: &AnyMission,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) -> Option<Option<Value>> {
        let Some(learning) = &mut parameters.alliance.learning else { return Some(None) };
        let sets = mission.sets();
        let names = familiar::Names {
            robots: team.iter().map(|member| member.name.as_str()).collect(),
            sets: sets.iter().map(|set| set.name.as_str()).collect(),
            tasks: mission.tasks().into_iter().map(|task| task.name).collect(),
        };
        match familiar::check(learning, self.folder, &names, self.sources) {
            Ok(warnings) => {
                findings.warnings.extend(warnings);
                Some(Some(familiar::resolved(learning)))
            }
            Err(errors) => {
                for (key, error) in errors {
                    let path = format!("team.alliance.learning.{key}");
                    let place = error.span.or_else(|| self.spans.find(&path));
                    findings.errors.push(error.at(place).with_path(path));
                }
                None
            }
        }
    }

    /// Checks that names of behaviour sets, robot types and robots among ALLIANCE's parameters exist.
    fn check_names(
        &self,
        said: &Map<String, Value>,
        spec: &ScenarioSpec,
        mission: &AnyMission,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) {
        let Some(alliance) = said.get("alliance").and_then(Value::as_object) else { return };
        let sets = mission.sets();
        let behaviours: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        let types: Vec<&str> = spec.robot_types.keys().map(String::as_str).collect();
        let robots: Vec<&str> = team.iter().map(|member| member.name.as_str()).collect();
        let known = Known { behaviours: &behaviours, robots: &robots };
        self.check_keys(alliance, "team.alliance", "types", "robot type", &types, findings);
        self.check_keys(alliance, "team.alliance", "robots", "robot", &robots, findings);
        self.check_level(alliance, "team.alliance", &known, findings);
        for part in ["types", "robots"] {
            for (name, level) in maps_in(alliance, part) {
                self.check_level(level, &format!("team.alliance.{part}.{name}"), &known, findings);
            }
        }
    }

    /// Checks names within the parameters of the team, a type or a robot.
    fn check_level(&self, level: &Map<String, Value>, path: &str, known: &Known, findings: &mut Findings) {
        self.check_keys(level, path, "behaviours", "behaviour set", known.behaviours, findings);
        self.check_keys(level, path, "toward", "robot", known.robots, findings);
        for (name, set) in maps_in(level, "behaviours") {
            self.check_keys(
                set,
                &format!("{path}.behaviours.{name}"),
                "toward",
                "robot",
                known.robots,
                findings,
            );
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
            if what == "robot" {
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

/// False if the world's size is invalid, which is reported elsewhere.
fn is_usable(world: &WorldSpec) -> bool {
    world.size.iter().all(|side| *side > 0.0 && *side <= LARGEST_SIDE)
}

/// True if a name is valid for a folder on every system.
pub fn usable_as_folder(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && !name.starts_with('.')
}

/// The resolved scenario as written to the results: it needs no other file and no defaults.
fn complete(mut value: Value, name: &str, parameters: Value, radio: Value, alliance: Option<Value>) -> Value {
    if let Value::Object(map) = &mut value {
        map.insert("parameters".into(), parameters);
        map.insert("radio".into(), radio);
        map.remove("include");
        map.insert("complete".into(), true.into());
        map.insert("name".into(), name.into());
    }
    if let Some(alliance) = alliance {
        value["team"]["alliance"] = alliance;
    }
    value
}

/// Names and places of the robots of one entry. Several of them stand side by side, starting at `at`.
fn berths(robot: &RobotSpec) -> Vec<(String, Option<Pose>)> {
    let pose = |n: u32| robot.at.map(|[x, y]| Pose::new(x + f64::from(n), y, robot.heading.unwrap_or(0.0)));
    match robot.count {
        None => vec![(robot.name.clone(), pose(0))],
        Some(count) => (0..count).map(|n| (format!("{}-{}", robot.name, n + 1), pose(n))).collect(),
    }
}
