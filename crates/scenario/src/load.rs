//! From a name or a file to a scenario that can run.

use super::build::{Builder, Built};
use super::content;
use super::presets;
use super::problems::Problems;
use super::radio::{self, RadioParams, suggest_model};
use super::schema;
use super::text::{
    Conformed, Diagnostic, MapEntry, Node, Severity, SourceId, SourceMap, SpanIndex, Value, apply_set,
    conform, did_you_mean, parse, to_yaml,
};
use crewlab_sim::disturbances::DisturbanceSpec;
use crewlab_sim::radio::KINDS;
use crewlab_sim::teams::{self, overlay};
use crewlab_sim::world::{effectors, sensors};
use crewlab_sim::{Model, Setup, State, missions};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Files larger than this are not scenarios. [bytes]
const LARGEST_FILE: u64 = 16 << 20;
/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 16;

/// A scenario and its modifications.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The name of a shipped scenario, or a file.
    pub scenario: String,
    /// The text of the scenario, if it is neither; `scenario` is then its name.
    pub text: Option<String>,
    /// Assignments such as `team.alliance.threshold=50`.
    pub sets: Vec<String>,
    /// Additional disturbances: entries such as `{at: 60 s, stop: blue}`, names of presets or files, as
    /// [`disturbances_of`](super::disturbances_of) accepts them.
    pub disturbances: Vec<String>,
    /// Overrides the scenario's seed.
    pub seed: Option<u64>,
}

/// A scenario that can run.
#[derive(Debug)]
pub struct Scenario {
    /// Its name, used for its results.
    pub name: String,
    /// The mission's name.
    pub mission: String,
    /// True if there is nothing to complete: the mission has no end, and the scenario no goal.
    pub endless: bool,
    /// The resolved scenario: all defaults filled in, in SI units.
    pub resolved: serde_json::Value,
    /// Its set-up, for callers that start it differently.
    pub setup: Setup,
    /// The start: loading builds it as the last check.
    pub start: (Arc<Model>, State),
    /// Time between two records. [s]
    pub record_every: f64,
    /// The warnings.
    pub warnings: Problems,
}

impl Scenario {
    /// The name of its radio's model.
    pub fn radio(&self) -> &str {
        self.resolved["radio"]["model"].as_str().unwrap_or("ideal")
    }
}

/// Loads and checks a scenario. All errors are reported at once.
pub fn load(request: &Request) -> Result<Scenario, Problems> {
    let mut sources = SourceMap::default();
    let built = Loader::default().load(request, &mut sources);
    finish(built, sources)
}

/// A resolved scenario with another seed: the same as [`load`] with its text, several times faster. Only what depends on more than
/// one key is checked again.
pub fn load_resolved(name: &str, resolved: &serde_json::Value, seed: u64) -> Result<Scenario, Problems> {
    let mut sources = SourceMap::default();
    let mission = missions::KINDS.iter().find(|kind| Some(kind.name) == resolved["mission"].as_str());
    let Some(mission) = mission.filter(|_| resolved["run"].is_object()) else {
        let text = Some(to_yaml(resolved));
        return load(&Request { scenario: name.into(), text, seed: Some(seed), ..Request::default() });
    };
    let mut value = resolved.clone();
    value["run"]["seed"] = seed.into();
    let defaults = sources.add(format!("defaults of {}", mission.name), String::new());
    let (folder, spans) = (Path::new("."), &SpanIndex::default());
    let mut builder = Builder { stem: name, folder, mission, spans, defaults, sources: &mut sources };
    let built = builder.build(value);
    finish(built, sources)
}

fn finish(built: Result<(Built, Findings), Findings>, sources: SourceMap) -> Result<Scenario, Problems> {
    match built {
        Ok((built, warnings)) => Ok(Scenario {
            name: built.name,
            endless: built.setup.mission.endless() && built.setup.goal.is_none(),
            mission: built.mission,
            resolved: built.resolved,
            setup: built.setup,
            start: built.start,
            record_every: built.record_every,
            warnings: Problems { diagnostics: warnings, sources },
        }),
        Err(mut diagnostics) => {
            in_order_of_text(&mut diagnostics);
            Err(Problems { diagnostics, sources })
        }
    }
}

/// Reads a radio: the name of a model, or a file with a `radio` key or with the keys of a radio; then changes it.
pub fn load_radio(name: &str, sets: &[String]) -> Result<RadioParams, Problems> {
    let mut sources = SourceMap::default();
    Loader::default().load_radio(name, sets, &mut sources).map_err(|mut diagnostics| {
        in_order_of_text(&mut diagnostics);
        Problems { diagnostics, sources }
    })
}

/// The schemas of missions, cached: experiments read thousands of scenarios of one mission.
static MISSIONS: Mutex<BTreeMap<&str, Arc<serde_json::Value>>> = Mutex::new(BTreeMap::new());

fn schema_of(mission: &'static missions::MissionKind) -> Arc<serde_json::Value> {
    let mut known = MISSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(mission.name).or_insert_with(|| Arc::new(schema::of_mission(mission))).clone()
}

/// Cached, because entries are also read during a run.
static DISTURBANCE: LazyLock<serde_json::Value> = LazyLock::new(schema::of_disturbance);

/// Reads one entry of a scenario's `disturbances`, given as YAML or JSON.
pub fn read_disturbance(entry: &str) -> Result<DisturbanceSpec, Problems> {
    let mut sources = SourceMap::default();
    let id = sources.add("disturbance".into(), entry.to_string());
    let read = parse(&sources, id).and_then(|tree| {
        let Conformed { value, diagnostics, .. } = conform(&tree, &DISTURBANCE);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        serde_json::from_value(value).map_err(|error| one(error.to_string()))
    });
    read.map_err(|diagnostics| Problems { diagnostics, sources })
}

/// Sorts diagnostics by position; those without one come last.
pub(super) fn in_order_of_text(findings: &mut Findings) {
    findings.sort_by_key(|finding| {
        finding.span.map_or((true, None, 0), |span| (false, Some(span.source), span.start))
    });
}

/// True if one path equals another or lies below it.
fn within(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A device without a kind whose name is not a kind may be a typo.
fn suggest_device(mut finding: Diagnostic) -> Diagnostic {
    let part = ["sensors", "effectors"].iter().find(|part| finding.path.contains(&format!(".{part}.")));
    if let Some(part) = part.filter(|_| finding.message.contains("`kind`")) {
        let kinds = if *part == "sensors" { sensors::KINDS } else { effectors::KINDS };
        let name = finding.path.split(&format!(".{part}.")).nth(1).and_then(|rest| rest.split('.').next());
        let suggestion = name.and_then(|name| did_you_mean(name, kinds.iter().map(|kind| kind.name)));
        finding.help.extend(suggestion.map(|kind| format!("did you mean `{kind}`?")));
    }
    finding
}

/// A key without a value is more likely an oversight than the wish to remove a default.
fn find_empty_keys(node: &Node, findings: &mut Findings) {
    for entry in node.entries() {
        if entry.node.value == Value::Null && entry.node.span.start == entry.node.span.end {
            let problem = Diagnostic::error(format!("the key `{}` is empty", entry.key)).at(entry.key_span);
            let help = "give it a value or delete the line; `null` removes a default";
            findings.push(problem.with_label("no value here").with_help([help]));
        }
        find_empty_keys(&entry.node, findings);
    }
    if let Value::List(items) = &node.value {
        items.iter().for_each(|item| find_empty_keys(item, findings));
    }
}

/// Refuses files of a newer format.
fn check_format(said: &Node) -> Result<(), Findings> {
    if !matches!(said.value, Value::Map(_)) {
        let problem =
            Diagnostic::error("a scenario is a map of keys such as `mission: waste-cleanup`").at(said.span);
        return Err(vec![problem]);
    }
    match said.get("crewlab").map(|entry| &entry.node) {
        Some(Node { span, value: Value::Int(format) }) if *format > 1 => {
            let message = format!(
                "this file has format {format}, but this program supports only format 1: a newer crewlab is needed"
            );
            Err(vec![Diagnostic::error(message).at(*span)])
        }
        _ => Ok(()),
    }
}

#[derive(Default)]
struct Loader {
    /// Files being read, to detect cycles.
    open: Vec<PathBuf>,
}

pub(super) type Findings = Vec<Diagnostic>;

fn one(message: String) -> Findings {
    vec![Diagnostic::error(message)]
}

impl Loader {
    fn load(&mut self, request: &Request, sources: &mut SourceMap) -> Result<(Built, Findings), Findings> {
        let (stem, folder, mut said) = match &request.text {
            Some(text) => {
                let id = sources.add(request.scenario.clone(), text.clone());
                (request.scenario.clone(), PathBuf::from("."), parse(sources, id)?)
            }
            None => self.read_scenario(&request.scenario, sources)?,
        };
        let files = content::files(&said);
        let mut notes = content::insert(&mut said, sources);
        // Files that cannot be used are still named: they are reported with the assignments applied.
        notes.retain(|found| found.severity != Severity::Error);
        let mut sets = request.sets.clone();
        sets.extend(request.seed.map(|seed| format!("run.seed={seed}")));
        // The assignments may choose the mission, whose defaults they are then applied to; their errors are reported
        // there.
        let preview =
            sets.iter().fold(said.clone(), |tree, set| apply_set(sources, tree.clone(), set).unwrap_or(tree));
        check_format(&preview)?;
        let mission = mission_of(&preview)?;
        let defaults = sources.add(format!("defaults of {}", mission.name), mission.defaults.to_string());
        let mut base = parse(sources, defaults)?;
        if at(&preview, &["complete"]).is_some_and(|node| node.value == Value::Bool(true)) {
            base.value = Value::Map(Vec::new());
        }
        for kind in teams::KINDS {
            // A file with all parameters of a coordinator replaces the mission's own.
            if kind.file.is_some_and(|file| at(&preview, &["team", kind.name, file]).is_some()) {
                remove(&mut base, &["team", kind.name]);
            }
        }
        // What a file says replaces the mission's own; a map changes it key by key.
        for path in files.iter().chain(&content::files(&preview)) {
            remove(&mut base, path);
        }
        if at(&preview, &["world", "map"]).is_some_and(|node| node.value != Value::Null) {
            // A map has its own extent, and inherits nothing from another one.
            ["map", "size", "origin"].iter().for_each(|key| remove(&mut base, &["world", key]));
        }
        let schema = schema_of(mission);
        let mut findings = Findings::new();
        find_empty_keys(&said, &mut findings);
        let (tree, wrong) = radio::apply_sets(sources, radio::lay(base.clone(), said), &sets);
        findings.extend(wrong);
        let mut tree = tree;
        notes.extend(content::insert(&mut tree, sources));
        let (wrong, notes) =
            notes.into_iter().partition::<Findings, _>(|found| found.severity == Severity::Error);
        findings.extend(wrong);
        let mut added = Vec::new();
        for text in &request.disturbances {
            match presets::entries(text, sources) {
                Ok(entries) => added.extend(entries),
                Err(wrong) => findings.extend(wrong),
            }
        }
        let tree = presets::add(tree, added);
        let Conformed { value, diagnostics, spans } = conform(&tree, &schema);
        findings.extend(diagnostics.into_iter().map(suggest_device).map(suggest_model));
        let mut builder = Builder { stem: &stem, folder: &folder, mission, spans: &spans, defaults, sources };
        if findings.is_empty() {
            return builder.build(value).map(|(built, warnings)| (built, [notes, warnings].concat()));
        }
        // Errors between the keys are reported at the same time: the rest is checked with the defaults in place of invalid
        // values.
        let mut rest = conform(&base, &schema).value;
        if let (Some(_), Some(rest)) = (value.get("radio"), rest.as_object_mut()) {
            rest.remove("radio");
        }
        overlay(&mut rest, &value);
        // A less precise message about the same thing is redundant.
        let mut more = builder.judge(rest);
        more.retain(|other| !findings.iter().any(|finding| within(&finding.path, &other.path)));
        findings.extend(more);
        Err(findings)
    }

    fn load_radio(
        &mut self,
        name: &str,
        sets: &[String],
        sources: &mut SourceMap,
    ) -> Result<RadioParams, Findings> {
        let tree = self.read_radio(name, sources)?;
        let inside = |set: &String| match set.split(['.', '=']).next().map(str::trim) {
            Some("radio") => set.clone(),
            _ => format!("radio.{set}"),
        };
        let sets: Vec<String> = sets.iter().map(inside).collect();
        let (tree, mut findings) = radio::apply_sets(sources, tree, &sets);
        let Conformed { value, diagnostics, .. } = conform(&tree, &schema::of_radio());
        findings.extend(diagnostics.into_iter().map(suggest_model));
        if !findings.is_empty() {
            return Err(findings);
        }
        let spec = serde_json::from_value(value["radio"].clone());
        spec.and_then(|spec| RadioParams::of(&spec)).map_err(|error| one(error.to_string()))
    }

    /// A tree with only a radio: from a model's name, a scenario or a file of its own.
    fn read_radio(&mut self, name: &str, sources: &mut SourceMap) -> Result<Node, Findings> {
        let radios = || KINDS.iter().map(|kind| kind.name);
        let wrap = |node: Node| {
            let entry = MapEntry { key: "radio".into(), key_span: node.span, node };
            Node { span: entry.key_span, value: Value::Map(vec![entry]) }
        };
        if radios().any(|known| known == name) {
            let id = sources.add("--radio".into(), name.into());
            return Ok(radio::spelt_out(wrap(parse(sources, id)?)));
        }
        let shipped = || missions::KINDS.iter().flat_map(|kind| kind.shipped).map(|scenario| scenario.name);
        if !Path::new(name).exists() && !shipped().any(|known| known == name) {
            let problem = Diagnostic::error(format!("there is no radio and no file `{name}`"));
            let meant = did_you_mean(name, radios()).map(|name| format!("did you mean `{name}`?"));
            let accepted = format!("radios: {}", radios().collect::<Vec<_>>().join(", "));
            return Err(vec![problem.with_help(meant.into_iter().chain([accepted]))]);
        }
        let (_, _, said) = self.read_scenario(name, sources)?;
        if said.get("radio").is_none() && said.get("mission").is_none() {
            return Ok(radio::spelt_out(wrap(said)));
        }
        let mut whole = said;
        if whole.get("mission").is_some() {
            let mission = mission_of(&whole)?;
            let id = sources.add(format!("defaults of {}", mission.name), mission.defaults.to_string());
            whole = radio::lay(parse(sources, id)?, whole);
        }
        let radio = whole.get("radio").map(|entry| entry.node.clone());
        Ok(radio::spelt_out(wrap(radio.unwrap_or(Node { span: whole.span, value: Value::Null }))))
    }

    /// The scenario's name, the folder of its relative paths, and its tree with all includes.
    fn read_scenario(
        &mut self,
        name: &str,
        sources: &mut SourceMap,
    ) -> Result<(String, PathBuf, Node), Findings> {
        let path = Path::new(name);
        let shipped = || missions::KINDS.iter().flat_map(|kind| kind.shipped);
        if let Some(scenario) = shipped().find(|s| s.name == name).filter(|_| !path.is_file()) {
            let id = sources.add(format!("scenario {name}"), scenario.text.to_string());
            return Ok((name.to_string(), PathBuf::from("."), parse(sources, id)?));
        }
        if !path.exists() {
            let names: Vec<&str> = shipped().map(|s| s.name).collect();
            let mut problem = Diagnostic::error(format!("there is no file and no shipped scenario `{name}`"));
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let known = names.iter().copied();
            // Names of shipped scenarios have no extension.
            let meant = known.clone().find(|known| *known == stem).or_else(|| did_you_mean(name, known));
            problem.help.extend(meant.map(|n| format!("did you mean `{n}`?")));
            problem.help.push(format!("shipped scenarios: {}", names.join(", ")));
            return Err(vec![problem]);
        }
        let stem = path.file_stem().map_or("scenario".into(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok((stem, folder.to_path_buf(), self.read_file(path, sources)?))
    }

    /// A file's tree, merged over its includes.
    fn read_file(&mut self, path: &Path, sources: &mut SourceMap) -> Result<Node, Findings> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if self.open.contains(&real) || self.open.len() >= DEEPEST_INCLUDE {
            return Err(one(format!(
                "{}: files include each other in a circle or too deeply",
                path.display()
            )));
        }
        let id = read_source(path, "a scenario file", sources)?;
        let node = parse(sources, id)?;
        let Some(includes) = node.get("include") else { return Ok(node) };
        let Value::List(list) = &includes.node.value else { return Ok(node) };
        let mut below: Option<Node> = None;
        self.open.push(real);
        for entry in list {
            let Value::Text(file) = &entry.value else { continue };
            let target = path.parent().unwrap_or(Path::new(".")).join(file);
            let included = self.read_file(&target, sources).map_err(|mut findings| {
                findings.iter_mut().filter(|f| f.span.is_none()).for_each(|f| f.span = Some(entry.span));
                findings
            })?;
            below = Some(match below {
                Some(previous) => radio::lay(previous, included),
                None => included,
            });
        }
        self.open.pop();
        Ok(match below {
            Some(below) => radio::lay(below, node),
            None => node,
        })
    }
}

/// Reads a file that should be `what`.
pub(super) fn read_source(path: &Path, what: &str, sources: &mut SourceMap) -> Result<SourceId, Findings> {
    let problem = |why: String| one(format!("cannot read {}: {why}", path.display()));
    let metadata = std::fs::metadata(path).map_err(|error| problem(error.to_string()))?;
    if metadata.is_dir() {
        return Err(problem(format!("it is a directory; give {what}")));
    }
    let too_large = format!("it is larger than {} MiB, so it is not {what}", LARGEST_FILE >> 20);
    if metadata.len() > LARGEST_FILE {
        return Err(problem(too_large));
    }
    let mut bytes = Vec::new();
    // Devices and pipes have no known size, so the limit also applies to what is read.
    let file = std::fs::File::open(path).map_err(|error| problem(error.to_string()))?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| problem(error.to_string()))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(problem(too_large));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| problem(format!("byte {} is not UTF-8 text", error.utf8_error().valid_up_to())))?;
    Ok(sources.add(path.display().to_string(), text))
}

/// The mission that a scenario names.
fn mission_of(said: &Node) -> Result<&'static missions::MissionKind, Findings> {
    let names: Vec<&str> = missions::KINDS.iter().map(|kind| kind.name).collect();
    let accepted = format!("missions: {}", names.join(", "));
    let Some(entry) = said.get("mission") else {
        let problem = Diagnostic::error("the scenario does not name its mission").at(said.span);
        return Err(vec![
            problem.with_label("add a line such as `mission: waste-cleanup`").with_help([accepted]),
        ]);
    };
    let Value::Text(name) = &entry.node.value else {
        let problem = Diagnostic::error("`mission` must be the name of a mission").at(entry.node.span);
        return Err(vec![problem.with_help([accepted])]);
    };
    missions::KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let problem = Diagnostic::error(format!("there is no mission `{name}`")).at(entry.node.span);
        let suggestion = did_you_mean(name, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
        vec![problem.with_help(suggestion.into_iter().chain([accepted]))]
    })
}

pub(super) fn at<'a>(node: &'a Node, path: &[&str]) -> Option<&'a Node> {
    path.iter().try_fold(node, |node, key| node.get(key).map(|entry| &entry.node))
}

fn remove(node: &mut Node, path: &[&str]) {
    let (Value::Map(entries), [key, rest @ ..]) = (&mut node.value, path) else { return };
    if rest.is_empty() {
        entries.retain(|entry| entry.key != *key);
    } else if let Some(entry) = entries.iter_mut().find(|entry| entry.key == *key) {
        remove(&mut entry.node, rest);
    }
}

/// The robot types of a mission: names and devices.
pub fn robot_types_of(mission: &missions::MissionKind) -> Vec<(String, String)> {
    let mut sources = SourceMap::default();
    let id = sources.add(mission.name.to_string(), mission.defaults.to_string());
    let Ok(defaults) = parse(&sources, id) else { return Vec::new() };
    let types = defaults.get("robot-types").map_or(&[][..], |entry| entry.node.entries());
    let devices = |node: &Node| {
        let parts = ["sensors", "effectors"].iter().filter_map(|part| node.get(part));
        parts
            .flat_map(|part| part.node.entries())
            .map(|device| device.key.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    types.iter().map(|entry| (entry.key.clone(), devices(&entry.node))).collect()
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn a_path_lies_within_another_only_at_a_dot() {
        assert!(within("team.robots.1.name", "team.robots.1") && within("team", "team"));
        assert!(!within("team.robots.10", "team.robots.1") && !within("team", "team.robots"));
    }
}
