//! From a checked scenario to a set-up: the checks that need more than one key.

use super::doubts;
use super::equipment::{is_plain, robot_type};
use super::map::Map;
use super::model_file;
use super::noise_floor;
use super::radio::RadioParams;
use super::spec::{RobotSpec, ScenarioSpec, SlamSpec, WorldSpec};
use super::text::{Diagnostic, SourceId, SourceMap, Span, SpanIndex, did_you_mean};
use crewlab_sim::missions::AnyMission;
use crewlab_sim::onboard::Time;
use crewlab_sim::onboard::geometry::{Pose, vec2};
use crewlab_sim::radio::{AnyRadio, PhysicalParams};
use crewlab_sim::world::{Bounds, RobotType, World};
use crewlab_sim::{Draft, Goal, MemberSpec, Model, Setup, SetupError, State, control, missions, teams};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Robots are numbered with 16 bits on the air.
const MOST_ROBOTS: usize = 60_000;

/// The most items that are accepted.
const MOST_ITEMS: u32 = 1_000_000;

/// Side of a cell of a floor plan, in a world without a map. [m]
const PLAN_CELL: f64 = 0.1;
/// The key of a mission's model.
const MODEL: &str = "parameters.model";

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
    /// The text of the mission's defaults; no error may point into it.
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
    goal: Option<Goal>,
    radio: AnyRadio,
    /// The radio with all its values.
    resolved_radio: Value,
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
    pub(super) fn build(&mut self, mut value: Value) -> Result<(Built, Vec<Diagnostic>), Vec<Diagnostic>> {
        let map = self.map(&mut value).map_err(|(path, message)| vec![self.error(&path, message)])?;
        self.model(&mut value).map_err(|message| vec![self.error(MODEL, message)])?;
        let spec: ScenarioSpec = serde_json::from_value(value.clone())
            .map_err(|error| vec![Diagnostic::error(format!("the scenario cannot be used: {error}"))])?;
        let mut findings = Findings::default();
        let parts = self.parts(&spec, map.as_ref(), &mut findings);
        let (Some(parts), true) = (parts, findings.errors.is_empty()) else { return Err(findings.errors) };
        let name = spec.name.clone().unwrap_or_else(|| self.stem.to_string());
        let mut resolved = complete(value, &name, &parts);
        if self.mission.controlled {
            write_controllers(&mut resolved["team"], &spec, &parts.team);
        }
        let setup = Setup {
            seed: spec.run.seed,
            tick: (spec.run.tick * 1e9).round() as u64,
            until: Time::from_seconds(spec.run.until),
            give_up: spec.run.give_up,
            goal: parts.goal,
            visibility: spec.team.visibility,
            mission: parts.mission,
            world: parts.world,
            supplies: spec.world.items.clone(),
            team: parts.team,
            coordinator: spec.team.coordinator.clone(),
            parameters: parts.parameters,
            controllers: spec.team.controllers.clone(),
            radio: parts.radio,
            disturbances: spec.disturbances.clone(),
            floor_plan: spec.team.floor_plan.then(|| map.as_ref().map_or(PLAN_CELL, Map::plan_cell)),
            slam: spec.team.slam.as_ref().map(SlamSpec::choice).unwrap_or_default(),
            orders: spec.tasks.clone(),
        };
        // Starting it is the last check: places of robots, equipment for every task, missing parameters.
        let start = setup.clone().build();
        let start =
            start.map_err(|errors| errors.iter().map(|error| self.start_error(error)).collect::<Vec<_>>())?;
        findings.warnings.extend(doubts::about(&start.0, &start.1, self.spans));
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
    pub(super) fn judge(&mut self, mut value: Value) -> Vec<Diagnostic> {
        let map = match self.map(&mut value) {
            Ok(map) => map,
            Err((path, message)) => return vec![self.error(&path, message)],
        };
        if let Err(message) = self.model(&mut value) {
            return vec![self.error(MODEL, message)];
        }
        let Ok(spec) = serde_json::from_value::<ScenarioSpec>(value) else { return Vec::new() };
        let mut findings = Findings::default();
        self.parts(&spec, map.as_ref(), &mut findings);
        findings.errors
    }

    /// Reads the world's map and writes it into the scenario, with the extent of the world that follows from it; or the path of a
    /// key, and what is wrong there.
    fn map(&self, value: &mut Value) -> Result<Option<Map>, (String, String)> {
        let Some(world) = value.get_mut("world").and_then(Value::as_object_mut) else { return Ok(None) };
        let wrong = |message: String| ("world.map".to_string(), message);
        let mistake = |(key, message): (&str, String)| (format!("world.map.{key}"), message);
        let corners = |key: &str| world.get(key).and_then(|said| serde_json::from_value(said.clone()).ok());
        let (size, origin): (Option<[f64; 2]>, Option<[f64; 2]>) = (corners("size"), corners("origin"));
        let Some(said) = world.get("map") else {
            let missing = "the world has no extent: give it a `size` or a `map`";
            return size.map(|_| None).ok_or_else(|| ("world".into(), missing.into()));
        };
        let choice = serde_json::from_value(said.clone()).map_err(|error| wrong(error.to_string()))?;
        let file = self.spans.find("world.map.file").map(|span| self.sources.name(span.source));
        let folder = file.and_then(|file| Path::new(file).parent()).unwrap_or(Path::new("."));
        let map = Map::read(choice, folder, origin).map_err(mistake)?;
        let (size, origin) = (size.unwrap_or(map.size()), origin.unwrap_or(map.at));
        map.fits(origin, size).map_err(wrong)?;
        let resolved = serde_json::to_value(map.resolved().map_err(mistake)?);
        world.insert("map".into(), resolved.map_err(|error| wrong(error.to_string()))?);
        world.insert("size".into(), size.to_vec().into());
        world.insert("origin".into(), origin.to_vec().into());
        Ok(Some(map))
    }

    /// Reads the model that the mission's parameters name and writes it into the scenario, so that it needs no other file.
    fn model(&self, value: &mut Value) -> Result<(), String> {
        let Some(Value::String(name)) = value.pointer("/parameters/model") else { return Ok(()) };
        let file = self.spans.find(MODEL).map(|span| self.sources.name(span.source));
        let folder = file.and_then(|file| Path::new(file).parent()).unwrap_or(Path::new("."));
        let model = model_file::read(name, folder)?;
        value["parameters"]["model"] = model;
        Ok(())
    }

    fn parts(&mut self, spec: &ScenarioSpec, map: Option<&Map>, findings: &mut Findings) -> Option<Parts> {
        if let Some(name) = spec.name.as_deref().filter(|name| !usable_as_folder(name)) {
            let message = format!(
                "a name must be usable as a folder (no slashes, no dot in front, not empty), found `{name}`"
            );
            findings.errors.push(self.error("name", message));
        }
        self.check_items(spec, findings);
        self.check_aspects(spec, findings);
        self.check_passable(spec, findings);
        let world = self.world(&spec.world, map, findings);
        let (team, unusable) = self.team(spec, findings);
        let radio = self.radio(spec, findings);
        self.check_times(spec, findings);
        self.check_controllers(spec, findings);
        let goal = self.goal(spec, findings);
        let parameters = Value::Object(spec.parameters.clone());
        let mission = match AnyMission::parse(self.mission.name, parameters)? {
            Ok(mission) => mission,
            Err(error) => {
                findings.errors.push(self.error("parameters", error.to_string()));
                return None;
            }
        };
        let names: Vec<&str> = team.iter().map(|member| member.name.as_str()).collect();
        for mistake in mission.check(&names) {
            findings.errors.push(self.error(&format!("parameters.{}", mistake.key), mistake.message));
        }
        let draft = Draft {
            mission: &mission,
            world: &world,
            team: &team,
            others: &unusable,
            radio: radio.as_ref().map(|(radio, _)| radio),
        };
        let wrong = draft.check(&spec.disturbances);
        findings.errors.extend(wrong.iter().map(|error| self.start_error(error)));
        let parameters = self.parameters(spec, &mission, &team, findings)?;
        let (radio, resolved_radio) = radio?;
        Some(Parts { mission, world, team, parameters, goal, radio, resolved_radio })
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

    /// The robot types that objects make exceptions for must exist.
    fn check_passable(&self, spec: &ScenarioSpec, findings: &mut Findings) {
        let known: Vec<&str> = spec.robot_types.keys().map(String::as_str).collect();
        for (index, object) in spec.world.objects.iter().enumerate() {
            for name in object.passable_for.keys().filter(|name| !known.contains(&name.as_str())) {
                let suggestion = did_you_mean(name, known.iter().copied());
                let meant = suggestion.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
                let message = format!("there is no robot type `{name}`{meant}");
                let path = format!("world.objects.{index}.passable-for.{name}");
                findings.errors.push(self.error(&path, message));
            }
        }
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

    fn world(&self, spec: &WorldSpec, map: Option<&Map>, findings: &mut Findings) -> World {
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
        for (index, person) in spec.persons.iter().enumerate() {
            match person.build() {
                Ok(person) => {
                    world.add_object(person);
                }
                Err(message) => findings.errors.push(self.error(&format!("world.persons.{index}"), message)),
            }
        }
        if let Some(terrain) = &spec.terrain {
            match terrain.build(low) {
                Ok(terrain) => world.terrain = Some(terrain),
                Err(message) => findings.errors.push(self.error("world.terrain.rows", message)),
            }
        }
        if let Some(map) = map {
            map.objects().for_each(|wall| {
                world.add_object(wall);
            });
            let swamp = map.terrain();
            if swamp.is_some() && spec.terrain.is_some() {
                let message =
                    "the map has swamp (`S`), which is terrain as well: remove `terrain`, or the swamp";
                findings.errors.push(self.error("world.terrain", message));
            }
            world.terrain = swamp.or(world.terrain);
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
            let controller = controller_of(spec, &robot.robot_type);
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
                    controller: controller.to_string(),
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

    /// Robots of some missions drive without a controller.
    fn check_controllers(&self, spec: &ScenarioSpec, findings: &mut Findings) {
        if self.mission.controlled {
            return;
        }
        let types = spec.robot_types.iter().filter(|(_, kind)| kind.controller.is_some());
        let team = spec.team.controller.as_ref().map(|_| "team".to_string());
        for place in types.map(|(name, _)| format!("robot-types.{name}")).chain(team) {
            let message = format!(
                "robots of the mission `{}` drive without a controller: remove this key",
                self.mission.name
            );
            findings.errors.push(self.error(&format!("{place}.controller"), message));
        }
    }

    /// The goal of a run. Missions with an end have their own.
    fn goal(&self, spec: &ScenarioSpec, findings: &mut Findings) -> Option<Goal> {
        let text = spec.run.goal.as_ref()?;
        let goal = if self.mission.endless {
            Goal::parse(text, self.mission.measures).map_err(|error| error.to_string())
        } else {
            Err(format!(
                "the mission `{}` is completed when its work is done, and takes no goal: remove this key",
                self.mission.name
            ))
        };
        goal.map_err(|message| findings.errors.push(self.error("run.goal", message))).ok()
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
                    let message = "this never happens: the run ends earlier";
                    findings.warnings.push(Diagnostic::warning(message).at(place));
                }
            }
        }
    }

    /// The coordinators' parameters. Each coordinator checks its own.
    fn parameters(
        &mut self,
        spec: &ScenarioSpec,
        mission: &AnyMission,
        team: &[MemberSpec],
        findings: &mut Findings,
    ) -> Option<teams::Params> {
        let mut said = spec.team.parameters.clone();
        let (sets, tasks) = (mission.sets(), mission.tasks());
        let team_sets: BTreeSet<String> = team
            .iter()
            .flat_map(|member| mission.behaviours(&member.hardware.datasheet()))
            .map(|behaviour| behaviour.name)
            .collect();
        let fitted: Vec<Vec<String>> = team
            .iter()
            .map(|member| {
                let effectors = member.hardware.datasheet().effectors;
                effectors.into_iter().map(|effector| effector.name).collect()
            })
            .collect();
        let effectors: BTreeSet<&str> = fitted.iter().flatten().map(String::as_str).collect();
        let mut files = Vec::new();
        for kind in teams::KINDS {
            let Some(said) = said.get_mut(kind.name) else { continue };
            let (folder, sources) = (self.folder, &mut *self.sources);
            let mut preparation = teams::Preparation {
                robots: team.iter().map(|member| member.name.as_str()).collect(),
                types: spec.robot_types.keys().map(String::as_str).collect(),
                sets: sets.iter().map(|set| set.name.as_str()).collect(),
                team_sets: team_sets.iter().map(String::as_str).collect(),
                tasks: &tasks,
                signals: mission.signals().iter().map(|signal| signal.name).collect(),
                effectors: effectors.iter().copied().collect(),
                fitted: fitted.iter().map(|robot| robot.iter().map(String::as_str).collect()).collect(),
                read: &mut |file| read_file(&folder.join(file), sources, &mut files),
                findings: Vec::new(),
            };
            (kind.prepare)(said, &mut preparation);
            for finding in preparation.findings {
                self.report(kind.name, finding, &files, findings);
            }
        }
        match serde_json::from_value(Value::Object(said)) {
            Ok(parameters) => Some(parameters),
            Err(error) => {
                findings.errors.push(self.error("team", error.to_string()));
                None
            }
        }
    }

    /// Shows a coordinator's finding at the position that it names.
    fn report(&self, coordinator: &str, found: teams::Finding, files: &[SourceId], findings: &mut Findings) {
        let path = found.path.map(|path| format!("team.{coordinator}.{path}"));
        let mut place = path.as_deref().and_then(|path| match found.key {
            true => self.spans.find_key(path),
            false => self.spans.find(path),
        });
        if found.key && place.is_some_and(|span| span.source == self.defaults) {
            return;
        }
        if let Some((file, line)) = found.line {
            place = files.get(file).and_then(|&source| line_of(self.sources, source, line)).or(place);
        }
        let mut help = Vec::new();
        if let Some((word, known)) = &found.unknown {
            let near = did_you_mean(word, known.iter().map(String::as_str));
            help.extend(near.map(|name| format!("did you mean `{name}`?")));
            help.extend(found.list.then(|| format!("accepted: {}", known.join(", "))));
        }
        let (list, diagnostic) = match found.warning {
            true => (&mut findings.warnings, Diagnostic::warning(found.message)),
            false => (&mut findings.errors, Diagnostic::error(found.message)),
        };
        list.push(diagnostic.at(place).with_path(path.unwrap_or_default()).with_help(help));
    }
}

/// Reads a file that parameters name, and remembers it for messages.
fn read_file(
    path: &Path,
    sources: &mut SourceMap,
    files: &mut Vec<SourceId>,
) -> Result<teams::TextFile, String> {
    let name = path.strip_prefix(".").unwrap_or(path).display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    files.push(sources.add(name.clone(), text.clone()));
    Ok(teams::TextFile { number: files.len() - 1, name, text })
}

/// A line of a file, counted from 1, without the blanks around it.
fn line_of(sources: &SourceMap, source: SourceId, line: usize) -> Option<Span> {
    let text = sources.text(source);
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let line = text.get(start..)?.lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    Some(Span::new(source, start + indent.min(line.trim_end().len()), start + line.trim_end().len()))
}

/// False if the world's size is invalid, which is reported elsewhere.
fn is_usable(world: &WorldSpec) -> bool {
    world.size.iter().all(|side| *side > 0.0 && *side <= LARGEST_SIDE)
}

/// True if a name is valid for a folder on every system.
pub fn usable_as_folder(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && !name.starts_with('.')
}

/// The scenario as it is written to the results: it needs no other file and no defaults, neither the mission's nor the program's.
/// It contains all coordinators' parameters, because any of them can take over during a run.
fn complete(mut value: Value, name: &str, parts: &Parts) -> Value {
    if let Value::Object(map) = &mut value {
        map.insert("parameters".into(), parts.mission.parameters());
        map.insert("radio".into(), parts.resolved_radio.clone());
        map.remove("include");
        map.insert("complete".into(), true.into());
        map.insert("name".into(), name.into());
    }
    if let Ok(Value::Object(coordinators)) = serde_json::to_value(&parts.parameters) {
        for (name, mut parameters) in coordinators {
            // A parameter that is not set is left out, as in a scenario.
            if let Value::Object(map) = &mut parameters {
                map.retain(|_, value| !value.is_null());
            }
            if parameters.as_object().is_some_and(|parameters| !parameters.is_empty()) {
                value["team"][name] = parameters;
            }
        }
    }
    value
}

/// Writes out the team's controller and all parameters of those that steer somebody.
fn write_controllers(written: &mut Value, spec: &ScenarioSpec, team: &[MemberSpec]) {
    written["controller"] = spec.team.controller.as_deref().unwrap_or(control::KINDS[0].name).into();
    // Plain data can always be serialised.
    let mut controllers = serde_json::to_value(&spec.team.controllers).unwrap_or_default();
    if let Value::Object(map) = &mut controllers {
        map.retain(|name, _| team.iter().any(|member| member.controller == *name));
    }
    written["controllers"] = controllers;
}

/// The controller of robots of a type.
fn controller_of<'a>(spec: &'a ScenarioSpec, robot_type: &str) -> &'a str {
    let of_type = spec.robot_types.get(robot_type).and_then(|kind| kind.controller.as_deref());
    of_type.or(spec.team.controller.as_deref()).unwrap_or(control::KINDS[0].name)
}

/// Names and places of the robots of one entry. Several of them stand side by side, starting at `at`.
fn berths(robot: &RobotSpec) -> Vec<(String, Option<Pose>)> {
    let pose = |n: u32| robot.at.map(|[x, y]| Pose::new(x + f64::from(n), y, robot.heading.unwrap_or(0.0)));
    match robot.count {
        None => vec![(robot.name.clone(), pose(0))],
        Some(count) => (0..count).map(|n| (format!("{}-{}", robot.name, n + 1), pose(n))).collect(),
    }
}
