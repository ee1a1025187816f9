//! Named disturbances that are useful in any mission, and the syntax of `--disturb`: an entry, a preset's name or a file.

use super::load::{Findings, read_source};
use super::text::{Diagnostic, MapEntry, Node, SourceMap, Value, did_you_mean, parse};
use std::path::Path;

/// A named set of disturbances.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Entries as in a scenario's `disturbances`, in YAML.
    pub text: &'static str,
}

/// All presets. They name no robot and no device, so they can be used in every mission.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "random-death",
        summary: "a robot dies at a random time in the first ten minutes",
        text: "- {between: [0 s, 10 min], stop: random}\n",
    },
    Preset {
        name: "two-deaths",
        summary: "a robot dies in the first five minutes, and another one in the next five",
        text: "- {between: [0 s, 5 min], stop: random}\n- {between: [5 min, 10 min], stop: random}\n",
    },
    Preset {
        name: "random-crash",
        summary: "a robot's software crashes in the first ten minutes and restarts after 20 s without its memory",
        text: "- {between: [0 s, 10 min], for: 20 s, crash: random}\n",
    },
    Preset {
        name: "trapped-robot",
        summary: "a robot is walled in during the first five minutes and does not know it",
        text: "- {between: [0 s, 5 min], trap: random}\n",
    },
    Preset {
        name: "stuck-robot",
        summary: "a robot's drive dies in the first five minutes; it keeps talking",
        text: "- {between: [0 s, 5 min], drive: {robot: random, fault: dead}}\n",
    },
    Preset {
        name: "slow-robots",
        summary: "after a minute all robots drive at half speed",
        text: "- {at: 1 min, drive: {robot: all, fault: slower, severity: 50 %}}\n",
    },
    Preset {
        name: "blind-robot",
        summary: "all sensors of a robot are dead for one minute, starting in the first five minutes",
        text: "- {between: [0 s, 5 min], for: 1 min, sensor: {robot: random, fault: dead}}\n",
    },
    Preset {
        name: "deaf-robot",
        summary: "a robot becomes deaf in the first five minutes; the others still hear it",
        text: "- {between: [0 s, 5 min], radio: {robot: random, fault: deaf}}\n",
    },
    Preset {
        name: "lossy-radio",
        summary: "every radio loses 30 % of sent and of received messages: about half of all messages arrive",
        text: "- {at: 0 s, radio: {robot: all, fault: lossy, severity: 30 %}}\n",
    },
    Preset {
        name: "radio-silence",
        summary: "after a minute all radios are dead for three minutes",
        text: "- {at: 1 min, for: 3 min, radio: {robot: all, fault: dead}}\n",
    },
    Preset {
        name: "split-team",
        summary: "after a minute half of the robots and the rest cannot hear each other for three minutes",
        text: "- {at: 1 min, for: 3 min, partition: {share: 50 %}}\n",
    },
];

/// The key of a scenario that holds disturbances.
const KEY: &str = "disturbances";

/// The entries of a `--disturb` argument: an entry such as `{at: 60 s, stop: blue}` or a list of such, the name of one of the
/// [`PRESETS`], or a file with a list of entries or with a map that has `disturbances`. Every entry is one line of YAML, so that
/// `disturbances.+=ENTRY` is an assignment that adds it. Entries are checked when a scenario with them is loaded.
pub fn disturbances_of(text: &str) -> Result<Vec<String>, super::Problems> {
    let mut sources = SourceMap::default();
    match entries(text, &mut sources) {
        Ok(nodes) => Ok(nodes.iter().map(|node| line(node, &sources)).collect()),
        Err(diagnostics) => Err(super::Problems { diagnostics, sources }),
    }
}

/// An entry in one line.
fn line(node: &Node, sources: &SourceMap) -> String {
    let said = sources.text(node.span.source).get(node.span.start..node.span.end).unwrap_or_default();
    let plain = said.starts_with('{') && said.ends_with('}') && !said.contains(['\n', '\r']);
    // JSON is valid YAML, whatever the entry looked like.
    if plain { said.to_string() } else { node.to_json().to_string() }
}

/// The entries of a `--disturb` argument, each with its position.
pub(super) fn entries(text: &str, sources: &mut SourceMap) -> Result<Vec<Node>, Findings> {
    let (name, path) = (text.trim(), Path::new(text));
    // As with scenarios, files take precedence over shipped ones.
    let preset = PRESETS.iter().find(|preset| preset.name == name).filter(|_| !path.is_file());
    let (id, file) = match preset {
        Some(preset) => (sources.add(format!("preset {name}"), preset.text.to_string()), true),
        None if path.exists() => (read_source(path, "a file of disturbances", sources)?, true),
        None => (sources.add("--disturb".into(), text.to_string()), false),
    };
    let node = parse(sources, id)?;
    match node.value {
        Value::List(items) => Ok(items),
        // An empty text is an empty map.
        Value::Map(ref keys) if !keys.is_empty() => of_map(node),
        _ if file => {
            let problem = Diagnostic::error("a file of disturbances is a list of entries").at(node.span);
            Err(vec![problem.with_help([EXAMPLE])])
        }
        _ => Err(vec![stranger(text)]),
    }
}

const EXAMPLE: &str =
    "an entry has a time and a kind, such as `{at: 60 s, stop: blue}`; see `crewlab list disturbances`";

/// One entry, or those of a map that has `disturbances`.
fn of_map(node: Node) -> Result<Vec<Node>, Findings> {
    let Some(entry) = node.get(KEY) else {
        if node.get("mission").is_none() {
            return Ok(vec![node]);
        }
        let problem = Diagnostic::error("this scenario has no `disturbances`").at(node.span);
        return Err(vec![problem.with_help([EXAMPLE])]);
    };
    // Only the disturbances of a scenario are wanted; other keys would be ignored.
    let lost =
        |entry: &&MapEntry| entry.key != KEY && entry.key != "crewlab" && node.get("mission").is_none();
    if let Some(lost) = node.entries().iter().find(lost) {
        let problem = Diagnostic::error(format!("unknown key `{}`", lost.key)).at(lost.key_span);
        return Err(vec![problem.with_help(["besides `disturbances`, only `crewlab` is allowed"])]);
    }
    match &entry.node.value {
        Value::List(items) => Ok(items.clone()),
        Value::Null => Ok(Vec::new()),
        _ => {
            let problem = Diagnostic::error("`disturbances` must be a list of entries").at(entry.node.span);
            Err(vec![problem.with_help([EXAMPLE])])
        }
    }
}

/// The error for an argument that is neither an entry nor a preset nor a file.
fn stranger(text: &str) -> Diagnostic {
    let name = text.trim();
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let said = if name.is_empty() { "nothing".into() } else { format!("`{name}`") };
    let problem = Diagnostic::error(format!(
        "`--disturb` takes an entry, the name of a preset or a file; found {said}, which is none of them"
    ));
    let meant = did_you_mean(name, names.iter().copied()).map(|name| format!("did you mean `{name}`?"));
    let accepted = format!("presets: {}", names.join(", "));
    problem.with_help(meant.into_iter().chain([accepted, EXAMPLE.to_string()]))
}

/// The scenario with these entries at the end of its disturbances.
pub(super) fn add(mut tree: Node, added: Vec<Node>) -> Node {
    let (Value::Map(entries), Some(first)) = (&mut tree.value, added.first()) else { return tree };
    let span = first.span;
    match entries.iter_mut().find(|entry| entry.key == KEY).map(|entry| &mut entry.node) {
        Some(Node { value: Value::List(items), .. }) => items.extend(added),
        Some(node) if node.value == Value::Null => *node = Node { span, value: Value::List(added) },
        // Anything but a list is refused anyway.
        Some(_) => {}
        None => {
            let node = Node { span, value: Value::List(added) };
            entries.push(MapEntry { key: KEY.into(), key_span: span, node });
        }
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::super::{Request, load};
    use super::*;
    use crewlab_sim::missions;

    fn said(text: &str) -> String {
        disturbances_of(text).expect_err(text).to_string()
    }

    #[test]
    fn entries_lists_and_presets_are_read() {
        let entry = "{at: 60 s, stop: blue}";
        assert_eq!(disturbances_of(entry).expect("an entry"), [entry]);
        assert_eq!(disturbances_of(" at: 60 s\n").expect("an entry"), [r#"{"at":"60 s"}"#]);
        assert_eq!(
            disturbances_of("[{at: 1 s, stop: a}, {at: 2 s,\n stop: b}]").expect("a list"),
            ["{at: 1 s, stop: a}", r#"{"at":"2 s","stop":"b"}"#]
        );
        assert_eq!(
            disturbances_of("two-deaths").expect("a preset"),
            ["{between: [0 s, 5 min], stop: random}", "{between: [5 min, 10 min], stop: random}"]
        );
        assert!(disturbances_of("{disturbances: []}").expect("a map").is_empty());
    }

    #[test]
    fn an_unknown_preset_lists_the_known_ones() {
        let typo = said("randm-death");
        for part in
            ["found `randm-death`", "did you mean `random-death`?", "presets: random-death, two-deaths"]
        {
            assert!(typo.contains(part), "{typo}");
        }
        assert!(said("").contains("found nothing") && said("7").contains("found `7`"));
        assert!(said("# nothing").contains("found `# nothing`") && said("{}").contains("found `{}`"));
        assert!(said("no/such/file.yaml").contains("a preset or a file"));
        assert!(said("{at: 1 s").contains("--disturb:1:"));
        assert!(said("{disturbances: 5}").contains("must be a list"));
        assert!(said("{disturbances: [], run: {}}").contains("unknown key `run`"));
        assert!(said("{mission: x}").contains("has no `disturbances`"));
        for text in ["\0", "*x", "!x", "{", "[", "- - -", &"[".repeat(1000), &"x".repeat(100_000)] {
            let _ = disturbances_of(text);
        }
    }

    /// Every preset can be used in every shipped scenario, and its entries give the same run as its name.
    #[test]
    fn presets_fit_every_mission() {
        for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
            for preset in PRESETS {
                let request = Request { scenario: shipped.name.into(), ..Request::default() };
                let named = Request { disturbances: vec![preset.name.into()], ..request.clone() };
                let lines = disturbances_of(preset.name).expect("entries").into_iter();
                let set =
                    Request { sets: lines.map(|line| format!("disturbances.+={line}")).collect(), ..request };
                let [named, set] = [named, set].map(|request| {
                    load(&request).unwrap_or_else(|problems| panic!("{}: {problems}", preset.name)).resolved
                });
                assert_eq!(named, set, "{} {}", shipped.name, preset.name);
            }
        }
    }

    #[test]
    fn random_death_is_the_death_of_the_shipped_scenario() {
        let load = |scenario: &str, disturbances: Vec<String>| {
            let request = Request { scenario: scenario.into(), disturbances, ..Request::default() };
            load(&request).unwrap_or_else(|problems| panic!("{problems}")).resolved["disturbances"].clone()
        };
        let death = load("waste-cleanup-death", Vec::new());
        assert_eq!(load("waste-cleanup", vec!["random-death".into()]), death);
    }
}
