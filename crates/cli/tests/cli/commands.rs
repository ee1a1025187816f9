//! The commands besides `run`, help, and wrong usage.

use super::harness::{CREWLAB, Place, assert_says};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const SORTS: [&str; 15] = [
    "scenarios",
    "missions",
    "coordinators",
    "estimators",
    "controllers",
    "robot-types",
    "sensors",
    "effectors",
    "radios",
    "maps",
    "disturbances",
    "presets",
    "events",
    "indicators",
    "metrics",
];

fn listed(place: &Place, sort: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(&place.fine(&["list", sort, "--json"])).expect("JSON");
    let name = |entry: &Value| entry["name"].as_str().expect("a name").to_string();
    list[sort].as_array().expect("a list").iter().map(name).collect()
}

#[test]
fn every_shipped_scenario_passes_the_check() {
    let place = Place::new();
    for name in listed(&place, "scenarios") {
        let said = place.fine(&["check", &name]);
        assert_says(&said, &[&format!("{name} can run."), "task "]);
    }
    assert_eq!(place.contents().len(), 0, "checking writes nothing");
}

#[test]
fn check_says_who_can_do_what() {
    let said = Place::new().fine(&["check", "waste-cleanup"]);
    assert_says(
        &said,
        &["task find-locations: blue, gold, green", "task report-progress", "ALLIANCE's guarantee"],
    );
}

#[test]
fn check_finds_motivation_that_cannot_grow() {
    let place = Place::new();
    let args = ["check", "waste-cleanup", "--set", "team.alliance.slow-impatience=0"];
    let outcome = place.crewlab(&args);
    assert_eq!(outcome.code, 1);
    let what = "error: the motivation of blue for find-locations-methodical need not grow";
    assert_says(&outcome.err, &[what, "0 /s", "above 0", "the motivation of green for report-progress"]);
    assert!(!outcome.out.contains("can run") && !outcome.out.contains("guarantee"), "{}", outcome.out);
    // One behaviour set of one robot is enough.
    let one = "team.alliance.robots.gold.behaviours.move-spill-top.slow-impatience=0";
    let outcome = place.crewlab(&["check", "waste-cleanup", "--set", one]);
    assert_eq!((outcome.code, outcome.err.lines().count()), (1, 1), "{}", outcome.err);
    assert_says(&outcome.err, &["the motivation of gold for move-spill-top need not grow"]);
    // Other coordinators have no motivation.
    place.fine(&[&args[..], &["--set", "team.coordinator=greedy"]].concat());
}

#[test]
fn a_resolved_scenario_is_a_scenario() {
    let place = Place::new();
    for name in listed(&place, "scenarios") {
        let resolved = place.fine(&["check", &name, "--resolved"]);
        place.write("resolved.yaml", &resolved);
        assert_eq!(place.fine(&["check", "resolved.yaml", "--resolved"]), resolved);
    }
}

#[test]
fn the_schema_knows_what_can_be_named() {
    let place = Place::new();
    let schema: Value = serde_json::from_str(&place.fine(&["schema"])).expect("JSON");
    assert!(schema["$schema"].as_str().is_some_and(|uri| uri.contains("json-schema.org")));
    for key in ["crewlab", "mission", "world", "robot-types", "team", "radio", "disturbances", "run"] {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    let text = schema.to_string();
    for sort in ["missions", "coordinators", "controllers", "sensors", "effectors", "radios", "disturbances"]
    {
        for name in listed(&place, sort) {
            assert!(text.contains(&format!("\"{name}\"")), "{sort}: {name}");
        }
    }
    for part in text.split("\"$ref\":\"#/$defs/").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        assert!(schema["$defs"].get(name).is_some(), "{name} is not defined");
    }
}

#[test]
fn the_schema_refuses_mistyped_keys() {
    let schema: Value = serde_json::from_str(&Place::new().fine(&["schema"])).expect("JSON");
    let closed = |part: &Value| {
        ["additionalProperties", "unevaluatedProperties"].iter().any(|key| part[*key] == false)
    };
    assert!(closed(&schema), "the scenario");
    for part in ["WorldSpec", "RunSpec", "ObjectSpec", "DisturbanceSpec", "TerrainSpec"] {
        assert!(closed(&schema["$defs"][part]), "{part}");
    }
}

#[test]
fn the_schema_requires_nothing_that_has_a_default() {
    let schema: Value = serde_json::from_str(&Place::new().fine(&["schema"])).expect("JSON");
    let required = schema["$defs"]["RobotTypeSpec"]["required"].as_array().cloned().unwrap_or_default();
    assert!(!required.contains(&"body".into()));
    // `crewlab check` does not require the version, so the schema must not either.
    let place = Place::new();
    place.write("scenario.yaml", "mission: waste-cleanup\n");
    let insists = schema["required"].as_array().is_some_and(|keys| keys.contains(&"crewlab".into()));
    assert_eq!(place.crewlab(&["check", "scenario.yaml"]).code == 1, insists);
}

#[test]
fn list_prints_every_registry() {
    let place = Place::new();
    let all = place.fine(&["list"]);
    assert_says(&all, &SORTS);
    let json: Value = serde_json::from_str(&place.fine(&["list", "--json"])).expect("JSON");
    let sorts: Vec<&String> = json.as_object().expect("a map").keys().collect();
    assert_eq!(sorts, SORTS);
    for sort in SORTS {
        let names = listed(&place, sort);
        assert!(!names.is_empty(), "{sort}");
        let part = place.fine(&["list", sort]);
        assert!(all.contains(&part), "{sort}");
        for name in names {
            assert!(part.lines().any(|line| line.starts_with(&format!("  {name} "))), "{sort}: {name}");
        }
    }
    let said = place.refused(&["list", "sensrs"]);
    assert_says(&said, &["there is no list `sensrs`", "scenarios", "sensors", "disturbances"]);
}

#[test]
fn new_writes_a_scenario_that_runs() {
    let place = Place::new();
    for mission in listed(&place, "missions") {
        let file = format!("my-{mission}.yaml");
        let said = place.fine(&["new", &file, "--mission", &mission]);
        assert_eq!(said, format!("Wrote {file}. Run it with: crewlab run {file}\n"));
        assert!(place.read(&file).starts_with("# "), "it explains itself");
        place.fine(&["check", &file]);
        let outcome = place.crewlab(&["run", &file, "-q", "--set", "run.until=5s"]);
        assert!(outcome.code == 0 || outcome.code == 3, "{}", outcome.err);
        assert!(place.exists(&format!("runs/my-{mission}-1/report.html")));
    }
    // It writes the defaults, so nothing changes.
    for (folder, scenario) in [("a", "waste-cleanup"), ("b", "my-waste-cleanup.yaml")] {
        place.fine(&["run", scenario, "-q", "--out", folder]);
    }
    let hash = |folder: &str| place.json(&format!("{folder}/summary.json"))["result_hash"].clone();
    assert_eq!(hash("a"), hash("b"));
}

#[test]
fn new_overwrites_nothing() {
    let place = Place::new();
    place.write("mine.yaml", "years of work");
    assert_says(&place.refused(&["new", "mine.yaml"]), &["cannot create mine.yaml: File exists"]);
    assert_says(&place.refused(&["new", "."]), &["cannot create .: "]);
    assert_says(
        &place.refused(&["new", "no/such/folder.yaml"]),
        &["cannot create no/such/folder.yaml: No such file"],
    );
    let said = place.refused(&["new", "x.yaml", "--mission", "diffuson"]);
    assert_says(&said, &["there is no mission `diffuson`", "waste-cleanup, ", "diffusion"]);
}

/// The commands that `help` lists.
fn commands(help: &str) -> Vec<String> {
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A long description goes on below itself.
    let first = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = first.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_string).collect()
}

#[test]
fn help_has_an_example() {
    let place = Place::new();
    let help = place.fine(&["--help"]);
    assert_says(
        &help,
        &["Usage: crewlab", "Example:\n  crewlab ", "Exit codes: 0 success, 1 ", "2 wrong usage"],
    );
    for command in [&["run"][..], &["check"], &["link"], &["list"], &["new"], &["bench", "world"]] {
        let help = place.fine(&[command, &["--help"]].concat());
        assert_says(&help, &["Usage: crewlab ", "Example:\n  crewlab ", command[0]]);
    }
}

#[test]
fn every_command_has_an_example() {
    let place = Place::new();
    let commands = commands(&place.fine(&["--help"]));
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let help = place.fine(&[&command, "--help"]);
        assert!(help.contains(&format!("Example:\n  crewlab {command}")), "{help}");
    }
}

#[test]
fn the_examples_work() {
    let place = Place::new();
    place.fine(&["new", "my-scenario.yaml"]);
    let path = Path::new(CREWLAB).parent().expect("a folder").display().to_string();
    for command in ["", "run", "check", "link", "list", "new", "schema"] {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = place.fine(&args);
        let examples = help.lines().skip_while(|line| *line != "Example:").skip(1);
        for example in examples.take_while(|line| !line.is_empty()) {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", example])
                .current_dir(place.path(""))
                .env("PATH", format!("{path}:/usr/bin:/bin"));
            let output = shell.output().expect("sh starts");
            assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let place = Place::new();
    let rows: [(&[&str], &[&str]); 14] = [
        (&[], &["Usage: crewlab"]),
        (&["frobnicate"], &["unrecognized subcommand 'frobnicate'"]),
        (&["rum"], &["unrecognized subcommand 'rum'", "'run'"]),
        (&["run"], &["<NAME_OR_FILE>"]),
        (&["check"], &["<NAME_OR_FILE>"]),
        (&["check", "waste-cleanup", "extra"], &["unexpected argument 'extra'"]),
        (&["run", "waste-cleanup", "--sed", "3"], &["unexpected argument '--sed'", "--seed"]),
        (&["run", "waste-cleanup", "--seed", "x"], &["invalid value 'x' for '--seed"]),
        (&["run", "waste-cleanup", "--threads", "0"], &["invalid value '0' for '--threads", "1..=1024"]),
        (&["run", "waste-cleanup", "--out"], &["a value is required for '--out"]),
        (&["bench"], &["Usage: crewlab bench"]),
        (&["bench", "wrld"], &["unrecognized subcommand 'wrld'", "'world'"]),
        (&["bench", "world", "--robots", "0"], &["invalid value '0' for '--robots", "1..=60000"]),
        (
            &["bench", "traffic", "--scenes", "crss"],
            &["invalid value 'crss'", "accepted are cross, crossing, corridor"],
        ),
    ];
    for (args, parts) in rows {
        let outcome = place.crewlab(args);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{args:?}");
        assert_says(&outcome.err, parts);
    }
    assert_eq!(place.contents().len(), 0);
}

#[test]
fn bench_traffic_measures_and_names_mistakes() {
    let place = Place::new();
    let args = ["bench", "traffic", "--scenes", "cross", "--robots", "6", "--ticks", "20", "--json"];
    let rows: Value = serde_json::from_str(&place.fine(&args)).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2), "one per controller");
    assert_eq!((&rows[0]["controller"], &rows[0]["collisions"]), (&"orca".into(), &0.into()));
    assert_says(
        &place.refused(&["bench", "traffic", "--range", "NaN"]),
        &["--range must be at least 0 m", "NaN"],
    );
    assert_says(&place.refused(&["bench", "traffic", "--controllers", "orka"]), &["`orka`", "`orca`"]);
}

#[test]
fn bench_measures() {
    let place = Place::new();
    let args = ["bench", "world", "--robots", "10", "--threads", "1", "2", "--seconds", "0.02", "--json"];
    let rows: Value = serde_json::from_str(&place.fine(&args)).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert_eq!((&rows[0]["robots"], &rows[1]["threads"]), (&10.into(), &2.into()));

    assert_eq!(place.fine(&["bench", "world", "--robots", "5", "--write-arena", "arena.json"]), "");
    let table =
        place.fine(&["bench", "world", "--arena", "arena.json", "--threads", "1", "--seconds", "0.02"]);
    assert_says(&table, &["robots", "ticks/s", "\n      5        1 "]);
}

#[test]
fn bench_plans_and_draws_routes() {
    let place = Place::new();
    let args = ["bench", "navigation", "--side", "300", "--rounds", "1", "--json"];
    let rows: Value = serde_json::from_str(&place.fine(&args)).expect("JSON");
    let named =
        |what: &str| rows.as_array().and_then(|rows| rows.iter().find(|row| row["what"] == what)).cloned();
    let change = named("plan after a change in one place").expect("a row");
    assert_eq!((&change["cells"], &change["changed"]), (&90_000.into(), &900.into()));
    assert_eq!(named("plan on the known map").expect("a row")["target_ms"], 1.0);

    assert_eq!(place.fine(&["bench", "navigation", "--picture", "route.svg"]), "");
    assert!(place.read("route.svg").starts_with("<svg"));
    let refused = place.refused(&["bench", "navigation", "--picture", "route.svg"]);
    assert_says(&refused, &["cannot create route.svg: File exists"]);
}

#[test]
fn bench_refuses_what_it_cannot_measure() {
    let place = Place::new();
    place.write("empty.json", "{}");
    place.write("half.json", "{\"N\": 1");
    let rows: [(&[&str], &[&str]); 6] = [
        (&["--seconds", "nan"], &["--seconds must be above 0 and at most 3600, found NaN"]),
        (&["--seconds", "0"], &["--seconds must be above 0"]),
        (&["--arena", "nope.json", "--threads", "1"], &["cannot read nope.json: No such file"]),
        (&["--arena", "empty.json", "--threads", "1"], &["empty.json is not an arena", "line 1"]),
        (&["--arena", "half.json", "--threads", "1"], &["half.json is not an arena"]),
        (&["--write-arena", "no/such/folder.json"], &["cannot create no/such/folder.json: No such file"]),
    ];
    for (args, parts) in rows {
        assert_says(&place.refused(&[&["bench", "world"], args].concat()), parts);
    }
}

#[test]
fn bench_says_error_once() {
    let said = Place::new().refused(&["bench", "world", "--arena", "nope.json"]);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}
