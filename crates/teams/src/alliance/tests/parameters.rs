//! Parameters: precedence, missing ones, and `.properties` files.

use super::super::{Alliance, AllianceParams, Properties, PropertiesError, SetSettings, Toward};
use super::team::{identity, tasks};
use crate::{Boot, Missing, Plugin};
use crewlab_onboard::{Identity, RobotId};
use serde_json::{Value, json};

/// All parameters at the level of the team, each with a different value.
fn complete() -> Value {
    json!({
        "threshold": 30.0,
        "broadcast-rate": 1.0,
        "time-allowed-till-ceased": 2.0,
        "time-willing-to-affect": 3.0,
        "slow-impatience": 4.0,
        "fast-impatience": 5.0,
        "time-before-yielding": 6.0,
        "time-before-giving-up": 7.0,
    })
}

fn params(value: Value) -> AllianceParams {
    serde_json::from_value(value).expect("parameters")
}

/// The settings of robot `r0` of type `rover` with sets `set0` and `set1`; its team-mates are `r1` and `r2`.
fn settings(value: Value) -> Result<(f64, Vec<SetSettings>), Vec<Missing>> {
    let me: Identity = identity(0, 0, &[0, 1]);
    let roster: Vec<(String, RobotId)> = (0..3).map(|i| (format!("r{i}"), RobotId(i))).collect();
    params(value).settings(&Boot {
        me: &me,
        tasks: &tasks(&[true, true]),
        roster: &roster,
        signals: &[],
        restarted: false,
        reserve: &[],
    })
}

/// The complete parameters with this addition.
fn with(extra: Value) -> Value {
    let mut value = complete();
    merge(&mut value, extra);
    value
}

fn merge(into: &mut Value, extra: Value) {
    match (into, extra) {
        (Value::Object(into), Value::Object(extra)) => {
            for (key, value) in extra {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, extra) => *into = extra,
    }
}

#[test]
fn parameters_of_the_team_reach_every_set() {
    let (threshold, sets) = settings(complete()).expect("complete");
    let expected = SetSettings {
        broadcast_rate: 1.0,
        time_allowed_till_ceased: 2.0,
        fast_impatience: 5.0,
        time_before_yielding: 6.0,
        time_before_giving_up: 7.0,
        anyone: Toward { slow_impatience: 4.0, time_willing_to_affect: 3.0 },
        toward: Vec::new(),
    };
    assert_eq!((threshold, sets), (30.0, vec![expected.clone(), expected]));
}

#[test]
fn the_most_specific_parameter_wins() {
    // From the least to the most specific; each addition must override all before it, for set0.
    let additions = [
        json!({"types": {"rover": {"fast-impatience": 11.0}}}),
        json!({"robots": {"r0": {"fast-impatience": 12.0}}}),
        json!({"behaviours": {"set0": {"fast-impatience": 13.0}}}),
        json!({"types": {"rover": {"behaviours": {"set0": {"fast-impatience": 14.0}}}}}),
        json!({"robots": {"r0": {"behaviours": {"set0": {"fast-impatience": 15.0}}}}}),
    ];
    let mut value = complete();
    for (step, addition) in additions.into_iter().enumerate() {
        merge(&mut value, addition.clone());
        let (_, sets) = settings(value.clone()).expect("complete");
        assert_eq!(sets[0].fast_impatience, 11.0 + step as f64, "{addition}");
        // The other set has only the general values, and no other parameter has changed.
        assert_eq!(sets[1].fast_impatience, [11.0, 12.0][step.min(1)], "{addition}");
        assert_eq!((sets[0].broadcast_rate, sets[0].time_before_giving_up), (1.0, 7.0));
    }
    // In the other order, one at a time: values for others change nothing.
    for other in [
        json!({"types": {"crawler": {"fast-impatience": 11.0}}}),
        json!({"robots": {"r1": {"fast-impatience": 11.0}}}),
        json!({"behaviours": {"set9": {"fast-impatience": 11.0}}}),
    ] {
        assert_eq!(settings(with(other)), settings(complete()));
    }
}

#[test]
fn every_parameter_can_be_given_for_one_set() {
    let names = [
        "broadcast-rate",
        "time-allowed-till-ceased",
        "time-willing-to-affect",
        "slow-impatience",
        "fast-impatience",
        "time-before-yielding",
        "time-before-giving-up",
    ];
    let numbers = |s: &SetSettings| {
        [
            s.broadcast_rate,
            s.time_allowed_till_ceased,
            s.anyone.time_willing_to_affect,
            s.anyone.slow_impatience,
            s.fast_impatience,
            s.time_before_yielding,
            s.time_before_giving_up,
        ]
    };
    for (place, name) in names.iter().enumerate() {
        let (_, sets) = settings(with(json!({"behaviours": {"set0": {*name: 99.0}}}))).expect("complete");
        let mut expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert_eq!(numbers(&sets[1]), expected);
        expected[place] = 99.0;
        assert_eq!(numbers(&sets[0]), expected, "{name}");
    }
}

#[test]
fn values_towards_a_teammate_win_over_those_towards_anyone() {
    let value = with(json!({
        "toward": {"r1": {"slow-impatience": 0.5}, "nobody": {"slow-impatience": 9.0}},
        "robots": {"r0": {"toward": {"r1": {"slow-impatience": 0.25}}}},
        "behaviours": {"set1": {"toward": {
            "r1": {"slow-impatience": 0.125},
            "r2": {"time-willing-to-affect": 60.0},
        }}},
    }));
    let (_, sets) = settings(value).expect("complete");
    let toward = |slow_impatience, time_willing_to_affect| Toward { slow_impatience, time_willing_to_affect };
    // The robot's own value takes precedence over the team's; values not given towards r1 are those towards anyone.
    assert_eq!(sets[0].toward, [(RobotId(1), toward(0.25, 3.0))]);
    // Values for the set take precedence over general ones.
    assert_eq!(sets[1].toward, [(RobotId(1), toward(0.125, 3.0)), (RobotId(2), toward(4.0, 60.0))]);
    assert!(sets.iter().all(|set| set.anyone == toward(4.0, 3.0)));
}

#[test]
fn missing_parameters_are_all_named() {
    let per_set = [
        "broadcast-rate",
        "fast-impatience",
        "slow-impatience",
        "time-allowed-till-ceased",
        "time-before-giving-up",
        "time-before-yielding",
        "time-willing-to-affect",
    ];
    for name in per_set {
        let mut value = complete();
        value.as_object_mut().unwrap().remove(name);
        let named = |set: &str| Missing { key: name.into(), behaviour: Some(set.into()) };
        assert_eq!(settings(value.clone()), Err(vec![named("set0"), named("set1")]));
        // Given for one of the sets, it is missing for the other.
        merge(&mut value, json!({"behaviours": {"set0": {name: 1.0}}}));
        assert_eq!(settings(value), Err(vec![named("set1")]));
    }
    let mut value = complete();
    value.as_object_mut().unwrap().remove("threshold");
    assert_eq!(settings(value), Err(vec![Missing { key: "threshold".into(), behaviour: None }]));
    assert_eq!(settings(json!({})).unwrap_err().len(), 1 + 2 * per_set.len());
}

#[test]
fn booting_takes_the_settings_and_says_what_is_missing() {
    let me = identity(0, 0, &[0, 1]);
    let tasks = tasks(&[true, true]);
    let boot = Boot { me: &me, tasks: &tasks, roster: &[], signals: &[], restarted: false, reserve: &[] };
    let (threshold, sets) = settings(complete()).expect("complete");
    assert_eq!(Alliance::boot(&params(complete()), &boot), Ok(Alliance::new(threshold, sets)));
    assert_eq!(Alliance::boot(&params(complete()), &boot).map(|alliance| alliance.threshold()), Ok(30.0));
    assert!(Alliance::boot(&AllianceParams::default(), &boot).is_err());
}

#[test]
fn parameters_survive_being_written() {
    let value = with(json!({
        "types": {"rover": {"fast-impatience": 11.0}},
        "robots": {"r0": {"behaviours": {"set0": {"toward": {"r1": {"slow-impatience": 0.5}}}}}},
    }));
    let written = serde_json::to_value(params(value.clone())).expect("a value");
    assert_eq!(written, value);
}

#[test]
fn a_misspelt_parameter_of_a_set_is_refused() {
    for value in
        [json!({"behaviours": {"set0": {"fast-impatiense": 1.0}}}), json!({"toward": {"r1": {"slow": 1.0}}})]
    {
        assert!(serde_json::from_value::<AllianceParams>(value.clone()).is_err(), "{value}");
    }
}

// Files of the shape of ALLIANCE-SIM figure 3.4

/// The figure with names and values for robots `blue` and `gold` and sets `find` and `move`.
fn figure() -> String {
    let mut lines = vec!["threshold = 30".to_string(), String::new()];
    for (i, set) in ["find", "move"].iter().enumerate() {
        let value = |n: usize| (10 * i + n).to_string();
        lines.push(format!("broadcastRate.{set} = {}", value(1)));
        lines.push(format!("timeAllowedTillCeased.{set} = {}", value(2)));
        for (k, robot) in ["blue", "gold"].iter().enumerate() {
            lines.push(format!("timeWillingToAffect.{robot}.{set} = {}", value(3 + 100 * k)));
            lines.push(format!("slowImpatience.{robot}.{set} = {}.5", value(4 + 100 * k)));
        }
        lines.push(format!("fastImpatience.{set} = {}", value(5)));
        lines.push(format!("timeBeforeYielding.{set} = {}", value(6)));
        lines.push(format!("timeBeforeGivingUp.{set} = {}", value(7)));
    }
    lines.join("\n")
}

fn parse(text: &str) -> Result<Properties, Vec<PropertiesError>> {
    Properties::parse(text, &["blue", "gold"], &["find", "move"])
}

/// The errors of a file as (line, message).
fn errors(text: &str) -> Vec<(usize, String)> {
    parse(text).expect_err("errors").into_iter().map(|error| (error.line, error.message)).collect()
}

#[test]
fn a_file_gives_the_settings_of_every_robot_and_set() {
    let properties = parse(&figure()).expect("a good file");
    assert_eq!(properties.notes, Vec::<String>::new());
    let mut me = identity(0, 0, &[0, 1]);
    (me.name, me.behaviours) = (
        "blue".into(),
        ["find", "move"]
            .into_iter()
            .zip(me.behaviours.iter().cloned())
            .map(|(name, spec)| crewlab_onboard::BehaviourSpec { name: name.into(), ..spec })
            .collect(),
    );
    let roster = [("blue".to_string(), RobotId(0)), ("gold".to_string(), RobotId(1))];
    let boot = Boot {
        me: &me,
        tasks: &tasks(&[true, true]),
        roster: &roster,
        signals: &[],
        restarted: false,
        reserve: &[],
    };
    let (threshold, sets) = properties.params.settings(&boot).expect("complete");
    assert_eq!(threshold, 30.0);
    for (i, set) in sets.iter().enumerate() {
        let plus = 10.0 * i as f64;
        let numbers = [
            set.broadcast_rate,
            set.time_allowed_till_ceased,
            set.fast_impatience,
            set.time_before_yielding,
            set.time_before_giving_up,
        ];
        assert_eq!(numbers, [1.0, 2.0, 5.0, 6.0, 7.0].map(|n| n + plus));
        let toward = |k: f64| Toward {
            slow_impatience: 4.5 + plus + 100.0 * k,
            time_willing_to_affect: 3.0 + plus + 100.0 * k,
        };
        assert_eq!(set.toward, [(RobotId(0), toward(0.0)), (RobotId(1), toward(1.0))]);
        // One that joins later is treated like the first robot.
        assert_eq!(set.anyone, toward(0.0));
    }
}

#[test]
fn comments_blank_lines_spaces_and_colons_are_accepted() {
    let plain = parse(&figure()).expect("a good file");
    let decorated =
        figure().replace(" = ", "  :\t").replace('\n', "\r\n\n  # a remark = 1\n! another: 2\n   ");
    assert_eq!(parse(&decorated).expect("a good file"), plain);
    // The thesis prints blanks within the keys.
    let printed = figure().replace(".find", ". find ");
    assert_eq!(parse(&printed).expect("a good file"), plain);
}

#[test]
fn faulty_lines_are_named_with_their_number() {
    for (line, part) in [
        ("fastImpatiense.find = 1", "unknown key `fastImpatiense.find`"),
        ("fastImpatience = 1", "unknown key `fastImpatience`"),
        ("fastImpatience.blue.find = 1", "unknown key `fastImpatience.blue.find`"),
        ("slowImpatience.find = 1", "unknown key `slowImpatience.find`"),
        ("threshold.find = 1", "unknown key `threshold.find`"),
        ("fastImpatience.find = fast", "`fast` is not a number"),
        ("fastImpatience.find =", "`` is not a number"),
        ("fastImpatience.find = -1", "`-1` must be finite and not negative"),
        ("fastImpatience.find = NaN", "`NaN` must be finite and not negative"),
        ("fastImpatience.find = inf", "`inf` must be finite and not negative"),
        ("threshold = 0", "`threshold` must be above 0"),
        ("fastImpatience.find 1", "expected `key = value`, found `fastImpatience.find 1`"),
    ] {
        // At the end of a file that is good otherwise.
        let found = errors(&format!("{}\n\n{line}\n", figure()));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, figure().lines().count() + 2, "{found:?}");
        assert!(found[0].1.starts_with(part), "{found:?}");
    }
    let (_, unknown) = &errors("fastImpatiense.find = 1")[0];
    for accepted in ["threshold", "broadcastRate.<set>", "slowImpatience.<robot>.<set>"] {
        assert!(unknown.contains(accepted), "{unknown}");
    }
}

#[test]
fn several_errors_are_reported_at_once() {
    let text =
        figure().replace("threshold = 30", "threshold = none").replace("broadcastRate.move = 11", "oops");
    let lines: Vec<usize> =
        errors(&text).into_iter().map(|(line, _)| line).filter(|line| *line > 0).collect();
    // θ is on line 1, a blank line follows, and the first set has nine lines.
    assert_eq!(lines, [1, 12]);
}

#[test]
fn every_missing_parameter_is_named() {
    let figure = figure();
    let lines: Vec<&str> = figure.lines().collect();
    for (place, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let rest = [&lines[..place], &lines[place + 1..]].concat().join("\n");
        let key = line.split(' ').next().unwrap();
        let message = format!("`{key}` is missing: add a line `{key} = <value>`");
        assert_eq!(errors(&rest), [(0, message)]);
    }
    // θ, and per set five parameters and two towards each of two robots.
    assert_eq!(errors("").len(), 1 + 2 * (5 + 2 * 2));
}

#[test]
fn parameters_for_absent_robots_and_sets_are_ignored_with_a_note() {
    let extra = "timeWillingToAffect.green.find = 5\nslowImpatience.green.move = 1\nfastImpatience.dance = 2\n\
                 slowImpatience.gold.dance = 3";
    let properties = parse(&format!("{}\n{extra}", figure())).expect("a good file");
    assert_eq!(properties.params, parse(&figure()).expect("a good file").params);
    assert_eq!(properties.notes.len(), 4);
    assert!(properties.notes[0].contains("`timeWillingToAffect.green.find`"), "{:?}", properties.notes);
    assert!(properties.notes[0].contains("no robot `green`"), "{:?}", properties.notes);
    assert!(properties.notes[1].contains("`slowImpatience.green.move`"), "{:?}", properties.notes);
    assert!(properties.notes[2].contains("`dance`") && properties.notes[3].contains("`dance`"));
}

#[test]
fn the_last_of_two_lines_for_one_parameter_counts() {
    let properties = parse(&format!("{}\nthreshold = 31", figure())).expect("a good file");
    assert_eq!(properties.params.threshold, Some(31.0));
}

#[test]
fn a_broadcast_rate_of_zero_is_refused() {
    let text = figure().replace("broadcastRate.find = 1", "broadcastRate.find = 0");
    assert_eq!(errors(&text).len(), 1);
}
