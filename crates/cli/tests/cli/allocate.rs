//! `crewlab allocate`: instances in, allocations out, and what it says about broken files.

use crate::harness::{Place, assert_says};
use serde_json::Value;

const TABLE_3_3: &str = include_str!("../../../../experiments/muroco/table-3.3.json");
const METHODS: [&str; 5] = ["exhaustive", "matching", "branch-and-bound", "joint", "greedy"];

fn allocate(place: &Place, args: &[&str]) -> Value {
    let out = place.fine(&[&["allocate", "instance.json", "--json"], args].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// Table 3.3: three tasks get 12 if served one by one, and 30 together.
#[test]
fn greedy_gets_12_and_joint_30() {
    let place = Place::new();
    place.write("instance.json", TABLE_3_3);
    for method in METHODS {
        let json = allocate(&place, &["--method", method]);
        let (value, gap) = if method == "joint" { (30.0, 0.0) } else { (12.0, 0.6) };
        assert_eq!((&json["method"], json["value"].as_f64()), (&Value::from(method), Some(value)));
        assert_eq!((json["bound"].as_f64(), json["gap"].as_f64()), (Some(30.0), Some(gap)), "{json}");
        assert!(json["time_ms"].as_f64().is_some_and(|time| time >= 0.0));
        assert_eq!(json["prices"].as_array().map(Vec::len), Some(3));
    }
    let json = allocate(&place, &[]);
    let robots: Vec<&Value> = (0..3).map(|task| &json["assignment"][task]["robots"][0]).collect();
    assert_eq!(
        (&json["method"], robots),
        (&Value::from("joint"), vec![&Value::from(2), &0.into(), &1.into()])
    );
    let table = place.fine(&["allocate", "instance.json", "--method", "greedy"]);
    assert_says(
        &table,
        &["task  plan        value  robots\n", "tau2     0        1.000  1\n", "value    12.000\n"],
    );
    assert_says(&table, &["bound    30.000\n", "gap      60.0000 %\n", "time_ms  "]);
}

/// Every method finds the same for one task, whatever its reward function.
#[test]
fn methods_agree_on_one_task() {
    let place = Place::new();
    let rewards = ["\"sum\"", "\"mean\"", "\"min\"", "\"max\"", "\"product\"", "\"harmonic\""];
    for reward in rewards.into_iter().chain(["{\"min-plus-mean\": 2}", "{\"worst\": 2}"]) {
        let rows = "[[3, 8.5, null, 2], [4, 8, 1, 3], [1, 9, 2, null]]";
        place.write(
            "instance.json",
            format!(r#"{{"robots": 4, "tasks": [{{"id": "t", "utility": 3, "plans": [{{"reward": {reward}, "subtasks": {rows}}}]}}]}}"#),
        );
        let found: Vec<f64> =
            METHODS.iter().filter_map(|m| allocate(&place, &["--method", m])["value"].as_f64()).collect();
        assert_eq!(found.len(), METHODS.len());
        assert!(found.iter().all(|value| (value - found[0]).abs() < 1e-9), "{reward}: {found:?}");
    }
}

#[test]
fn tasks_that_nobody_can_do_are_not_served() {
    let place = Place::new();
    place.write(
        "instance.json",
        r#"{"robots": 1, "tasks": [{"id": "two", "plans": [{"subtasks": [[1], [1]]}]}, {"id": "bad", "plans": [{"subtasks": [[-1]]}]}]}"#,
    );
    for method in METHODS {
        let table = place.fine(&["allocate", "instance.json", "--method", method]);
        assert_says(&table, &["two", "not served\n", "bad", "not served\n", "value    0.000\n"]);
    }
    place.write("instance.json", r#"{"robots": 0, "tasks": []}"#);
    for method in METHODS {
        assert_says(
            &place.fine(&["allocate", "instance.json", "--method", method]),
            &["gap      0, the optimum"],
        );
    }
}

/// Limits are certified: the bound holds, whatever the number of nodes.
#[test]
fn fewer_nodes_leave_a_reported_gap() {
    let place = Place::new();
    place.write("instance.json", TABLE_3_3);
    let json = allocate(&place, &["--nodes", "0"]);
    let (value, bound) = (json["value"].as_f64().expect("a value"), json["bound"].as_f64().expect("a bound"));
    assert!(value <= 30.0 && bound >= 30.0, "{json}");
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let place = Place::new();
    let one = |plan: &str| format!("{{\"robots\": 2,\n\"tasks\": [{{\"id\": \"t\", \"plans\": [{plan}]}}]}}");
    let rows: Vec<(String, &[&str])> = vec![
        (String::new(), &["instance.json:1:0: EOF while parsing"]),
        ("{\"robots\": -1, \"tasks\": []}".into(), &["instance.json:1:13: ", "`-1`", "expected usize"]),
        ("{\"robots\": 1}".into(), &["instance.json:1:13: missing field `tasks`"]),
        ("{\"robots\": 1, \"tasks\": [], \"x\": 1}".into(), &["unknown field `x`", "`robots`", "`tasks`"]),
        (
            one("{\"reward\": \"most\", \"subtasks\": [[1, 2]]}"),
            &["instance.json:2:", "unknown variant `most`", "`sum`"],
        ),
        (one("{\"subtasks\": [[1, \"a\"]]}"), &["instance.json:2:", "string \"a\"", "expected f64"]),
        (one("{\"subtasks\": [[1, 1e999]]}"), &["instance.json:2:", "number out of range"]),
        (
            one("{\"subtasks\": [[1, 2], [1]]}"),
            &[
                "instance.json: tasks[0].plans[0].subtasks[1]: found 1, accepted: 2 rewards or nulls, one per robot",
            ],
        ),
        (
            one("{\"subtasks\": []}"),
            &["tasks[0].plans[0].subtasks: found none, accepted: at least one subtask"],
        ),
        (
            one("{\"reward\": \"product\", \"subtasks\": [[1, -2]]}"),
            &["tasks[0].plans[0].subtasks[0][1]: found -2, accepted: 0 or more, or null"],
        ),
        (
            one("{\"reward\": {\"worst\": 0}, \"subtasks\": [[1, 2]]}"),
            &["tasks[0].plans[0].reward.worst: found 0, accepted: a number of at least 1"],
        ),
        (
            one("{\"subtasks\": [[1, 1e13]]}"),
            &["found 10000000000000, accepted: a finite number of at most 1e12"],
        ),
    ];
    for (text, parts) in rows {
        place.write("instance.json", &text);
        for method in METHODS {
            assert_says(&place.refused(&["allocate", "instance.json", "--method", method]), parts);
        }
    }
    assert_says(&place.refused(&["allocate", "missing.json"]), &["cannot read missing.json"]);
    let wrong = place.crewlab(&["allocate", "instance.json", "--method", "best"]);
    assert_eq!(wrong.code, 2);
    assert_says(
        &wrong.err,
        &["invalid value 'best'", "exhaustive, matching, branch-and-bound, joint, greedy"],
    );
}

#[test]
fn too_many_robots_for_exhaustive() {
    let place = Place::new();
    let row = vec!["1"; 25].join(",");
    place.write(
        "instance.json",
        format!(r#"{{"robots": 25, "tasks": [{{"id": "t", "plans": [{{"subtasks": [[{row}]]}}]}}]}}"#),
    );
    assert_says(
        &place.refused(&["allocate", "instance.json", "--method", "exhaustive"]),
        &["instance.json: tasks[0].robots: found 25, accepted: at most 24 free robots"],
    );
}

/// The instances of the benchmark can be fed to any solver; ours reads them, too.
#[test]
fn instances_of_the_benchmark_can_be_solved() {
    let place = Place::new();
    place.fine(&["bench", "allocation", "--instances", "instances"]);
    let methods = ["exhaustive", "matching", "branch-and-bound", "joint"];
    let values = methods.map(|method| {
        let args = ["allocate", "instances/every-size-8-4.json", "--json", "--method", method];
        let json: Value = serde_json::from_str(&place.fine(&args)).expect("json");
        json["value"].as_f64().expect("a value")
    });
    assert!(values[0] > 0.0 && values.iter().all(|value| (value - values[0]).abs() < 1e-9), "{values:?}");
}
