//! The dependencies between our crates are those of the table in ARCHITECTURE.md, on-board code reaches nothing of the simulator, and
//! no crate grows too large.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers from bottom to top. A crate depends on its own layer and those below it.
const LAYERS: [&str; 6] = ["numbers", "on board", "truth", "one run", "many runs", "people"];

/// The largest number of lines of code in a crate, without tests.
const MOST_LINES: usize = 10_000;

type Arrows = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Which crates each of our crates depends on, for any purpose, by the names of their folders.
fn arrows() -> Arrows {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let folder = |path: &Value| {
        let path = Path::new(path.as_str().expect("a path"));
        path.file_name().expect("a folder").to_string_lossy().into_owned()
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let known = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        dependencies.iter().filter(|one| one["path"].is_string()).map(|one| folder(&one["path"])).collect()
    };
    let manifest = |package: &Value| {
        let path = Path::new(package["manifest_path"].as_str().expect("a path"));
        folder(&Value::from(path.parent().expect("a folder").to_string_lossy()))
    };
    packages.iter().map(|package| (manifest(package), known(package))).collect()
}

/// One row of the table: a crate's layer and its dependencies.
struct Row {
    layer: usize,
    knows: BTreeSet<String>,
}

fn table() -> BTreeMap<String, Row> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a readable page");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `crates/")?.trim_end_matches('|').split(" | ");
        let name = cells.next()?.trim_end_matches('`').to_string();
        let layer = cells.next().unwrap_or_default().trim();
        let layer = LAYERS.iter().position(|one| *one == layer);
        let layer = layer.unwrap_or_else(|| panic!("the layer of {name} must be one of {LAYERS:?}"));
        let knows = cells.last().expect("what it knows").trim();
        let knows = match knows {
            "nothing of ours" => BTreeSet::new(),
            names => names.split(", ").map(str::to_string).collect(),
        };
        Some((name, Row { layer, knows }))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn dependencies_between_crates_are_those_of_the_table() {
    let (arrows, table) = (arrows(), table());
    let names: Vec<&String> = table.keys().collect();
    assert_eq!(arrows.keys().collect::<Vec<_>>(), names, "the crates, and those in the table");
    for (name, known) in &arrows {
        assert_eq!(known, &table[name].knows, "what crates/{name} knows, and what ARCHITECTURE.md says");
    }
}

#[test]
fn crates_depend_only_on_their_own_layer_and_those_below() {
    let table = table();
    for (name, row) in &table {
        for known in &row.knows {
            let layer = table[known].layer;
            assert!(
                layer <= row.layer,
                "crates/{name} ({}) depends on crates/{known} ({}), which is above it",
                LAYERS[row.layer],
                LAYERS[layer]
            );
        }
    }
}

/// Everything that a crate depends on, directly or not.
fn reached(name: &str, arrows: &Arrows, found: &mut BTreeSet<String>) {
    for known in &arrows[name] {
        if found.insert(known.clone()) {
            reached(known, arrows, found);
        }
    }
}

#[test]
fn on_board_code_reaches_nothing_of_the_simulator() {
    let (arrows, table) = (arrows(), table());
    let layer = |name: &str| LAYERS[table[name].layer];
    for name in ["onboard", "teams", "control"] {
        assert_eq!(layer(name), "on board", "crates/{name}");
    }
    for name in ["world", "radio", "missions", "sim"] {
        assert_eq!(layer(name), "truth", "crates/{name}");
    }
    for name in arrows.keys().filter(|name| layer(name) == "on board") {
        let mut found = BTreeSet::new();
        reached(name, &arrows, &mut found);
        for other in found {
            let below = ["numbers", "on board"].contains(&layer(&other));
            assert!(below, "crates/{name} runs on a robot and reaches crates/{other}");
        }
    }
}

/// Lines with code in them, without comments and unit tests.
fn lines_of_code(folder: &Path) -> usize {
    let mut lines = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name == "tests" || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            lines += lines_of_code(&path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            // Unit tests are the last thing in a file.
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let counts = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
            lines += code.lines().filter(counts).count();
        }
    }
    lines
}

/// Crates that are collections: their folders are plug-ins, which do not know each other, so each counts for itself. Here is also what
/// they share.
const COLLECTIONS: [(&str, &[&str]); 2] = [
    ("skills", &["view"]),
    (
        "teams",
        &["estimators", "hearing", "memory", "picture", "placed", "plugin", "progress", "team", "voice"],
    ),
];

#[test]
fn plug_ins_of_a_collection_do_not_know_each_other() {
    for (name, shared) in COLLECTIONS {
        let source = root().join("crates").join(name).join("src");
        let folders: Vec<PathBuf> = fs::read_dir(&source)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_dir())
            .collect();
        assert!(folders.len() > 3, "crates/{name}");
        for folder in &folders {
            let own = folder.file_name().expect("a name").to_string_lossy().into_owned();
            let mut files = Vec::new();
            sources(folder, &mut files);
            for file in &files {
                let text = fs::read_to_string(file).expect("a source");
                for other in text.split("crate::").skip(1) {
                    let module: String =
                        other.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                    let known = module.is_empty() || module == own || shared.contains(&module.as_str());
                    assert!(known, "{}: a plug-in uses {module}", file.display());
                }
            }
        }
    }
}

/// Lines of code of the largest folder, or of all files beside the folders.
fn largest_part(source: &Path) -> usize {
    let folders = fs::read_dir(source).expect("a folder").map(|entry| entry.expect("an entry").path());
    let parts: Vec<usize> = folders.filter(|path| path.is_dir()).map(|path| lines_of_code(&path)).collect();
    let beside = lines_of_code(source) - parts.iter().sum::<usize>();
    parts.into_iter().max().unwrap_or(0).max(beside)
}

#[test]
fn no_crate_is_too_large() {
    for name in arrows().keys() {
        let source = root().join("crates").join(name).join("src");
        let lines = match COLLECTIONS.iter().any(|(collection, _)| collection == name) {
            true => largest_part(&source),
            false => lines_of_code(&source),
        };
        assert!(lines > 0, "crates/{name} has no code");
        assert!(
            lines <= MOST_LINES,
            "crates/{name} has {lines} lines of code, more than {MOST_LINES}: split it"
        );
    }
}

/// Names that are also everyday words: they count only as a string or as a path.
const ORDINARY: [&str; 6] = ["greedy", "random", "diffusion", "service", "traffic", "city"];

/// Files that may name a coordinator or a mission, and why.
const MAY_NAME: &[(&str, &str)] = &[
    ("crates/lab/src/bench/", "the workloads of benchmarks"),
    ("crates/experiments/src/bench/", "the workloads of benchmarks"),
    ("crates/live/src/bench.rs", "the workload of a benchmark"),
    ("crates/scenario/src/text/sample.rs", "an invented format for the unit tests of the text layer"),
    ("crates/scenario/src/load.rs", "an example in a message"),
    ("crates/lab/src/explain/mod.rs", "an example in a message"),
    ("crates/scenario/src/noise_floor.rs", "a kind of noise, not the coordinator"),
];

/// All sources below a folder, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name == "tests" || name.ends_with("_tests") || name.ends_with(".test") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "ts", "tsx"].iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
}

/// True if a line of code names a coordinator or a mission.
fn names(line: &str, name: &str) -> bool {
    let spelled = |name: &str| {
        let quotes = ['"', '\'', '`'].map(|quote| format!("{quote}{name}{quote}"));
        let paths = [
            format!("teams::{name}"),
            format!("missions::{name}"),
            format!("skills::{name}"),
            format!("parameters.{name}"),
            format!("={name}\""),
        ];
        quotes.iter().chain(&paths).any(|spelling| line.contains(spelling.as_str()))
    };
    let joined = name.replace('-', "_");
    if ORDINARY.contains(&name) {
        return spelled(name);
    }
    // A short name is a part of many words.
    let line = line.to_lowercase().replace("inhibited", "");
    line.contains(name) || line.contains(&joined) || line.contains(&joined.replace('_', ""))
}

#[test]
fn only_registries_name_coordinators_and_missions() {
    let mut files = Vec::new();
    for folder in ["lab", "scenario", "figures", "live", "experiments"] {
        sources(&root().join("crates").join(folder).join("src"), &mut files);
    }
    sources(&root().join("web/src"), &mut files);
    assert!(files.len() > 100, "only {} files were found", files.len());
    let kinds = crewlab_sim::teams::KINDS.iter().map(|kind| kind.name);
    let all: Vec<&str> = kinds.chain(crewlab_sim::missions::KINDS.iter().map(|kind| kind.name)).collect();
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for file in &files {
        let path = file.strip_prefix(root()).expect("below the root").display().to_string();
        let text = fs::read_to_string(file).expect("a source");
        // Unit tests are the last thing in a file.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim().starts_with("//")) {
            for name in all.iter().filter(|name| names(line, name)) {
                match MAY_NAME.iter().find(|(allowed, _)| path.starts_with(allowed)) {
                    Some((allowed, _)) => _ = used.insert(*allowed),
                    None => wrong.push(format!("{path}:{}: {name}: {}", number + 1, line.trim())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these files name a coordinator or a mission:\n{}", wrong.join("\n"));
    let stale: Vec<&str> =
        MAY_NAME.iter().map(|(path, _)| *path).filter(|path| !used.contains(path)).collect();
    assert!(stale.is_empty(), "these exceptions are no longer needed: {stale:?}");
}

#[test]
fn names_are_detected() {
    for line in [
        "x == \"greedy\"",
        "parameters.alliance.threshold",
        "teams::cbba::Cbba",
        "AnyMission::WasteCleanup(_)",
    ] {
        let all = ["greedy", "alliance", "cbba", "waste-cleanup"];
        assert!(all.iter().any(|name| names(line, name)), "{line}");
    }
    assert!(!names("let random = Stream::new(seed);", "random"));
}
