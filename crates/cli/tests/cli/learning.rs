//! Teams that learn: `crewlab learn`, learned values as files, and `crewlab bench learning`.

use super::harness::{HEAD, Place, assert_says, check_body};
use serde_json::Value;

/// Little waste and little time, so that a chain of runs takes a moment.
const SMALL: &str = "world: {items: {waste: 2}}\nrun: {until: 10 min}\n";

/// A run that starts to learn without prior values.
const NEUTRAL: &str = "team: {alliance: {learning: {start: neutral}}}\n";

fn learned(place: &Place) -> Value {
    place.write("first.yaml", format!("{HEAD}{SMALL}{NEUTRAL}"));
    place.fine(&["run", "first.yaml", "--quiet", "--out", "first"]);
    place.json("first/learned.json")
}

#[test]
fn a_chain_of_runs_leaves_table_figure_and_values() {
    let place = Place::with(SMALL);
    let said = place.fine(&["learn", "scenario.yaml", "--runs", "2", "--teams", "2", "--out", "out"]);
    assert_says(
        &said,
        &["2 teams, strategy IV", "learned", "hand-set", "difference", "In run 2", "learning.svg"],
    );
    let csv = place.read("out/learning.csv");
    assert_eq!(csv.lines().count(), 1 + 2 * 2 * 2);
    assert!(csv.starts_with("team,run,seed,values,time_s,completed\n1,1,1,learned,"), "{csv}");
    assert!(csv.contains("\n2,2,4,hand-set,"), "every run has a seed of its own: {csv}");
    let svg = place.read("out/learning.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("95 % confidence band"));
    let summary = place.json("out/summary.json");
    assert_eq!((&summary["teams"], &summary["strategy"]), (&2.into(), &"IV".into()));
    assert_eq!(summary["runs"].as_array().map(Vec::len), Some(2));
    for team in ["out/learned/team-1.json", "out/learned/team-2.json"] {
        assert!(place.json(team)["robots"]["blue"]["own"].is_object());
    }
    // Values that a team has learned can be the start of a run.
    let set = "team.alliance.learning={start: learned, file: out/learned/team-1.json}";
    place.fine(&["run", "scenario.yaml", "--quiet", "--set", set, "--out", "familiar"]);
}

#[test]
fn threads_do_not_change_what_is_learned() {
    let place = Place::with(SMALL);
    let chain = |threads: &str| {
        let args = ["learn", "scenario.yaml", "--runs", "2", "--teams", "3", "--seed", "5", "--json"];
        place.fine(&[&args[..], &["--threads", threads, "--out", threads]].concat())
    };
    assert_eq!(chain("1"), chain("3"));
    for file in ["learning.csv", "learning.svg", "summary.json", "learned/team-3.json"] {
        assert_eq!(place.read(&format!("1/{file}")), place.read(&format!("3/{file}")), "{file}");
    }
}

#[test]
fn incomplete_missions_count_with_the_time_limit_and_are_reported() {
    let place = Place::with("run: {until: 20 s}\n");
    let said = place.fine(&["learn", "scenario.yaml", "--runs", "1", "--teams", "2", "--out", "out"]);
    assert_says(
        &said,
        &["20.0 ± 0.0", "Not completed in time", "2 missions with learned values, 2 with hand-set"],
    );
    assert!(place.read("out/learning.csv").contains("learned,20.000,false"));
}

#[test]
fn learning_alone_needs_no_hand_set_values() {
    let place = Place::new();
    let resolved = place.fine(&["check", "waste-cleanup", "--resolved"]);
    let rates = [
        "slow-impatience",
        "fast-impatience",
        "time-willing-to-affect",
        "time-before-yielding",
        "time-before-giving-up",
    ];
    let mut sets: Vec<String> = rates.iter().map(|rate| format!("team.alliance.{rate}=")).collect();
    sets.extend(["behaviours", "robots"].map(|part| format!("team.alliance.{part}=")));
    sets.extend(["team.alliance.learning.start=neutral", "run.until=20 s"].map(String::from));
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    place.write("scenario.yaml", &resolved);
    let args =
        [&["learn", "scenario.yaml", "--runs", "1", "--teams", "1", "--out", "out"][..], &sets].concat();
    let refused = place.refused(&args);
    assert_says(&refused, &["hand-set values cannot be started", "fast-impatience", "--alone"]);
    let said = place.fine(&[&args[..], &["--alone"]].concat());
    assert_says(&said, &["20.0 ± 0.0", "-", "with learned values."]);
}

#[test]
fn learn_refuses_what_it_cannot_do() {
    let place = Place::with(SMALL);
    let greedy = place.refused(&["learn", "scenario.yaml", "--set", "team.coordinator=greedy"]);
    assert_says(&greedy, &["only `alliance` or `muroco` learns", "`greedy`", "team.coordinator=alliance"]);
    let endless = place.refused(&[
        "learn",
        "diffusion",
        "--set",
        "team.coordinator=alliance",
        "--set",
        "team.alliance={threshold: 1, broadcast-rate: 1, time-allowed-till-ceased: 1, learning: {}}",
    ]);
    assert_says(&endless, &["diffusion", "nothing to complete"]);
    assert_says(&place.refused(&["learn", "no-such-scenario"]), &["no-such-scenario"]);
    place.write("out/mine.txt", "precious");
    assert_says(
        &place.refused(&["learn", "scenario.yaml", "--out", "out"]),
        &["out exists already", "--force"],
    );
    assert_says(
        &place.refused(&["learn", "scenario.yaml", "--out", "out", "--force"]),
        &["holds no results"],
    );
    for wrong in [&["--strategy", "V"][..], &["--runs", "0"], &["--teams", "-1"]] {
        assert_eq!(place.crewlab(&[&["learn", "scenario.yaml"][..], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_run_writes_what_it_learned_and_the_next_one_continues_from_it() {
    let place = Place::new();
    let first = learned(&place);
    assert_eq!(first["learned_values"], 1);
    let blue = &first["robots"]["blue"];
    let trial = blue["own"]["find-locations-methodical"][0].as_f64().expect("blue searched");
    assert!((30.0..60.0).contains(&trial), "{trial}");
    assert_eq!(first["robots"]["gold"]["others"]["find-locations"]["blue"].as_array().map(Vec::len), Some(1));
    assert!(
        blue["parameters"]["find-locations-methodical"]["fast_impatience"].as_f64().is_some_and(|r| r > 0.0)
    );
    assert_eq!(place.json("first/summary.json")["learned"], "learned.json");
    assert!(place.read("first/report.html").contains("What the team has learned"));
    let familiar =
        "team: {alliance: {learning: {start: learned, file: first/learned.json}}}\nrun: {seed: 2}\n";
    place.write("second.yaml", format!("{HEAD}world: {{items: {{waste: 2}}}}\n{familiar}"));
    place.fine(&["run", "second.yaml", "--quiet", "--out", "second"]);
    let second = place.json("second/learned.json");
    assert_eq!(second["robots"]["blue"]["own"]["find-locations-methodical"][0], trial);
    assert_eq!(
        second["robots"]["blue"]["own"]["find-locations-methodical"].as_array().map(Vec::len),
        Some(2)
    );
    // The scenario of the results needs no other file and gives the same run.
    place.fine(&["run", "second/scenario.yaml", "--quiet", "--out", "again"]);
    let hash = |run: &str| place.json(&format!("{run}/summary.json"))["result_hash"].clone();
    assert_eq!(hash("again"), hash("second"));
}

#[test]
fn without_learning_nothing_is_left_behind() {
    let place = Place::with(SMALL);
    place.fine(&["run", "scenario.yaml", "--quiet", "--out", "plain"]);
    assert!(!place.exists("plain/learned.json"));
    assert_eq!(place.json("plain/summary.json").get("learned"), None);
    assert!(!place.read("plain/events.csv").contains(",learned,"));
    assert!(!place.read("plain/scenario.yaml").contains("learning"));
}

/// Refuses a file of learned values for this reason.
fn refuses(text: &str, parts: &[&str]) {
    let place = Place::with("team: {alliance: {learning: {start: learned, file: values.json}}}\n");
    place.write("values.json", text);
    assert_says(&place.refused(&["check", "scenario.yaml"]), parts);
    place.refused(&["run", "scenario.yaml"]);
    place.refused(&["learn", "scenario.yaml"]);
}

#[test]
fn damaged_files_of_learned_values_are_refused_with_the_reason() {
    refuses("", &["values.json", "not a file of learned values", "line 1"]);
    refuses(
        "{\n  \"learned_values\": 1,\n  \"robots\": {,}\n}\n",
        &["not a file of learned values", "values.json:3"],
    );
    refuses("{\"robots\": {}}", &["missing field `learned_values`"]);
    refuses("{\"learned_values\": 2, \"robots\": {}}", &["version 2", "supports only version 1"]);
    refuses("{\"learned_values\": 1, \"robots\": {}}", &["other robots", "nobody", "blue, gold, green"]);
    let red = "{\"learned_values\": 1, \"robots\": {\"red\": {\"own\": {}, \"others\": {}}}}";
    refuses(red, &["other robots (red)", "(blue, gold, green)"]);
    let own = |times: &str| {
        format!(
            "{{\"learned_values\": 1, \"robots\": {{\"blue\": {{\"own\": {{\"move-spill-top\": {times}}}}}}}}}"
        )
    };
    refuses(&own("[-1]"), &["robot `blue`", "`move-spill-top`", "above 0 s", "-1"]);
    refuses(&own("[0]"), &["above 0 s"]);
    refuses(&own("[NaN]"), &["not a file of learned values"]);
    refuses(&own("[\"fast\"]"), &["robot `blue`", "invalid type"]);
    refuses(&own("{}"), &["robot `blue`", "invalid type"]);
    refuses("{\"learned_values\": 1, \"robots\": {\"blue\": {\"owned\": {}}}}", &["robot `blue`", "`owned`"]);
}

#[test]
fn values_for_unknown_robots_are_ignored_with_a_note() {
    let place = Place::with("team: {alliance: {learning: {start: learned, file: values.json}}}\n");
    place.write(
        "values.json",
        "{\"learned_values\": 1, \"robots\": {\"red\": {}, \"blue\": {\"own\": {\"dance\": [3]}, \"others\": {\"sing\": {\"red\": [2]}}}}}",
    );
    let outcome = place.crewlab(&["check", "scenario.yaml"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    for name in ["behaviour set `dance`", "task `sing`", "robot `red`"] {
        assert!(outcome.err.contains(name), "{name}: {}", outcome.err);
    }
}

#[test]
fn mistakes_in_learning_are_shown_where_they_are() {
    let learning = |inside: &str| format!("team: {{alliance: {{learning: {{{inside}}}}}}}\n");
    check_body(&learning("start: $0clever"), &["hand-set", "neutral", "learned"]);
    check_body(&learning("start: $0learned"), &["needs a `file`"]);
    check_body(&learning("start: learned, file: $0nowhere.json"), &["cannot read nowhere.json"]);
    check_body(&learning("file: $0first.json"), &["only with `start: learned`"]);
    check_body(&learning("strategy: $0V"), &["IV"]);
    check_body(&learning("min-delay: 9 s, max-delay: $03 s"), &["must not be below `min-delay`"]);
    check_body(&learning("neutral-time: $00 s"), &["0"]);
    check_body(&learning("boredom: $0.nan"), &["nan"]);
    check_body(&learning("neutral-time: $05 m"), &["s"]);
    check_body(&learning("trials: $00"), &["1"]);
    check_body(&learning("$0patience: 3"), &["unknown key `patience`"]);
}

#[test]
fn the_bench_of_learning_grades_all_strategies() {
    let place = Place::new();
    let args = ["bench", "learning", "--instances", "3"];
    let said = place.fine(&args);
    assert_says(&said, &["Time over best time", "similar", "I", "IV", "different", "IV"]);
    let json = place.fine(&[&args[..], &["--json"]].concat());
    let grades: Value = serde_json::from_str(&json).expect("JSON");
    let grades = grades.as_array().expect("a list");
    assert_eq!(grades.len(), 8);
    let four = grades.iter().filter(|grade| grade["strategy"] == "IV");
    assert!(four.clone().count() == 2 && four.into_iter().all(|g| g["mean_ratio"].as_f64() >= Some(1.0)));
    for wrong in [["--min-delay", "0"], ["--max-delay", "nan"], ["--boredom", "inf"]] {
        place.refused(&[&args[..], &wrong].concat());
    }
}

/// Refuses a file of a market's experience for this reason.
fn refuses_experience(text: &str, parts: &[&str]) {
    let market =
        "team: {coordinator: muroco, muroco: {estimator: learned-mean, estimation: {file: values.json}}}\n";
    let place = Place::with(market);
    place.write("values.json", text);
    assert_says(&place.refused(&["check", "scenario.yaml"]), parts);
}

#[test]
fn damaged_experience_of_a_market_is_refused_with_the_reason() {
    let of = |robot: &str, memory: &str| {
        format!("{{\"learned_values\": 1, \"robots\": {{\"{robot}\": {memory}}}}}")
    };
    let columns = "\"columns\": [\"way\", \"site\", \"length\", \"before\", \"pace\", \"crowd\"]";
    refuses_experience("", &["not a file of learned values"]);
    refuses_experience(&of("red", &format!("{{{columns}, \"rows\": []}}")), &["other robots (red)"]);
    refuses_experience(&of("blue", "{\"own\": {}}"), &["robot `blue`", "no experience with costs", "`own`"]);
    refuses_experience(
        &of("blue", "{\"columns\": [\"weather\"], \"rows\": []}"),
        &["`blue`", "found weather"],
    );
    let evidence = "\"evidence\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]";
    let odd = format!("{{{columns}, \"rows\": [{{{evidence}, \"overrun\": -1, \"failed\": false}}]}}");
    refuses_experience(&of("blue", &odd), &["at least 0", "-1"]);
}

#[test]
fn experience_from_another_mission_is_warned_about() {
    let market = "team: {coordinator: muroco, muroco: {estimator: learned-mean, estimation: {file: values.json, tasks: {dance: 0.9}}}}\n";
    let place = Place::with(market);
    place.write(
        "values.json",
        "{\"learned_values\": 1, \"robots\": {\"blue\": {\"columns\": [\"way\", \"site\", \"length\", \"before\", \"pace\", \"crowd\"], \
         \"rows\": [{\"evidence\": [\"dance\", \"0/0\", \"short\", \"first\", \"fast\", \"free\"], \"overrun\": 1, \"failed\": false}]}}}",
    );
    assert_says(&place.refused(&["check", "scenario.yaml"]), &["there is no task `dance`"]);
    let other = market.replace(", tasks: {dance: 0.9}", "");
    place.write("other.yaml", format!("{HEAD}{other}"));
    let checked = place.crewlab(&["check", "other.yaml"]);
    assert_eq!(checked.code, 0);
    assert_says(&checked.err, &["from another mission", "dance"]);
}
