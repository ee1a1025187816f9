//! Goals: missions without an end that are completed or not.

use super::harness::{Place, assert_says, check_mistakes};

/// Three robots that explore for half a minute.
const FIELD: &str = "crewlab: 1
mission: swarm
team: {robots: [{name: r, type: rover, count: 3}]}
run: {until: 30 s, goal: 'seen_share >= 0.1 && contacts == 0'}
";

fn field() -> Place {
    let place = Place::new();
    place.write("field.yaml", FIELD);
    place
}

#[test]
fn a_run_is_completed_if_its_goal_holds_at_the_end() {
    let place = field();
    let said = place.fine(&["run", "field.yaml", "--out", "out"]);
    assert_says(&said, &["reached the goal `seen_share >= 0.1 && contacts == 0`"]);
    let summary = place.json("out/summary.json");
    assert_eq!((&summary["completed"], &summary["time_s"]), (&true.into(), &30.0.into()));
    assert_eq!(summary["progress"], 1.0);
    // The complete scenario beside the results has the goal, too.
    place.fine(&["run", "out/scenario.yaml", "--out", "again", "--quiet"]);
    assert_eq!(place.json("again/summary.json")["result_hash"], summary["result_hash"]);
}

#[test]
fn a_missed_goal_says_which_values_the_measures_have() {
    let place = field();
    let missed = ["run", "field.yaml", "--set", "run.goal=seen_share > 0.9", "--out", "out"];
    let outcome = place.crewlab(&missed);
    assert_eq!((outcome.code, outcome.err.as_str()), (3, ""));
    assert_says(
        &outcome.out,
        &["missed the goal `seen_share > 0.9`", "did not hold at the end: seen_share is 0."],
    );
    let summary = place.json("out/summary.json");
    assert_eq!(summary["completed"], false);
    assert_eq!(summary["incomplete"]["cause"], "goal-missed");
    assert_says(&place.read("out/report.html"), &["Why it was not completed", "seen_share is 0."]);
    // Without a goal there is nothing to complete, and nothing to miss.
    place.fine(&["run", "field.yaml", "--set", "run.goal=null", "--out", "free", "--quiet"]);
    assert_eq!(place.json("free/summary.json")["incomplete"], serde_json::Value::Null);
}

#[test]
fn mistakes_in_goals_are_found_before_the_run() {
    let mistake = |goal: &str, parts: &[&str]| {
        let text = format!("crewlab: 1\nmission: swarm\nrun: {{goal: $0'{goal}'}}\n");
        check_mistakes(&text, parts);
    };
    mistake("sen_share > 0.5", &["there is no `sen_share`", "seen_share, seen_well_share"]);
    mistake("seen_share + 1", &["true or false"]);
    mistake("seen_share >", &["column 13"]);
    let ends = "crewlab: 1\nmission: waste-cleanup\nrun: {goal: $0'progress > 0.5'}\n";
    check_mistakes(ends, &["`waste-cleanup` is completed when its work is done", "remove this key"]);
}

/// The search finds how many robots a goal can lose, and the file that it writes shows it.
#[test]
fn a_goal_can_be_defeated() {
    let place = field();
    let hunt = ["break", "field.yaml", "--goal", "seen_share >= 0.1", "--kinds=stop", "--seeds=1"];
    let said = place.fine(&hunt);
    assert_says(
        &said,
        &[
            "undisturbed, greedy reaches `seen_share >= 0.1`: seen_share 0.",
            "`greedy` does not reach the goal `seen_share >= 0.1` of this mission at 30 s, with seed 1.",
            "seed 1    greedy     not completed, seen_share 0.",
        ],
    );
    let file = "broken/field-greedy.yaml";
    assert_says(
        &place.read(file),
        &["# Found by: crewlab break field.yaml --goal 'seen_share >= 0.1'", "stop: r-"],
    );
    let outcome = place.crewlab(&["run", file, "--quiet", "--out", "out"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (3, ""));
}

#[test]
fn without_a_goal_there_is_nothing_to_defeat() {
    let place = Place::new();
    let told = place.refused(&["break", "exploration"]);
    assert_says(&told, &["`swarm` has nothing to complete", "--goal 'seen_share >= 0.5'", "followers"]);
    let told = place.refused(&["break", "exploration", "--goal", "seen_share > 1", "--set=run.until=5 s"]);
    assert_says(&told, &["even without extra disturbances (seen_share 0.", "nothing to search for"]);
}

/// Completed runs are counted, and the time, which is always the limit, is not shown.
#[test]
fn comparisons_count_goals_and_leave_out_times() {
    let place = field();
    let said = place.fine(&["compare", "field.yaml", "--controllers", "cpbp,pilot", "--seeds", "2"]);
    assert_says(
        &said,
        &["2 controllers on field.yaml, 2 seeds each.", "completed", "mean seen lately", "cpbp"],
    );
    assert!(!said.contains("mission time"), "{said}");
    let page = place.read("comparisons/field/report.html");
    assert_says(&page, &["controllers compared", "holds at the time limit"]);
    assert!(!page.contains("When the mission is completed"));
    let told = place.refused(&["compare", "field.yaml", "--controllers", "cpbp,mpi"]);
    assert_says(&told, &["there is no controller `mpi`", "did you mean `mppi`?"]);
}

#[test]
fn a_tuning_needs_something_to_improve() {
    let place = field();
    let tuning =
        "crewlab: 1\nscenario: field.yaml\nparameters:\n  parameters.explored-cost: {from: 5, to: 50}\n";
    place.write("tuning.yaml", tuning);
    let told = place.refused(&["tune", "tuning.yaml"]);
    assert_says(&told, &["lasts until its time limit", "seen_share", "run.goal"]);
    let better = "metric: completed\nseeds: 2\ncandidates: 2\n";
    place.write("tuning.yaml", format!("{tuning}{better}"));
    let outcome = place.crewlab(&["tune", "tuning.yaml"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_says(&outcome.out, &["maximise completed", "2 -> 2 of 2"]);
}
