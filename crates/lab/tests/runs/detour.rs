//! The navigation experiment of ESTIMATION (4.5.2): referee and robot agree, maps may be turned, and what the text says about policies and
//! estimates. `crewlab trials experiments/estimation/experiment.yaml` is the whole of it.

use super::{experiment, finished};
use crewlab_lab::estimates::{EstimateRow, Estimates};
use crewlab_lab::sim::Logged;
use crewlab_lab::sim::onboard::{Event, EventKind};
use crewlab_scenario::{Request, load};
use rayon::prelude::*;

/// The trials in a log.
fn trials(log: &[Logged]) -> Vec<&Event> {
    log.iter().map(|logged| &logged.event).filter(|event| event.kind == EventKind::Trial).collect()
}

fn number(event: &Event, name: &str) -> f64 {
    event.number(name).unwrap_or_else(|| panic!("{name} of a trial"))
}

/// Many runs of a policy: all trials, and all estimates.
fn runs(policy: &str, speed: &str, seeds: u64, more: &[&str]) -> (Vec<Event>, Vec<EstimateRow>) {
    let model = format!("parameters.model={}", experiment(&format!("estimation/models/{speed}.json")));
    let speed = format!("parameters.object-speed={speed} m/s");
    let policy = format!("parameters.policy={policy}");
    let sets = [&[&*model, &*speed, &*policy], more].concat();
    let all: Vec<_> = (1..=seeds)
        .into_par_iter()
        .map(|seed| {
            let (run, log) = finished("detour", seed, &sets);
            assert!(run.state.verdict.completed);
            let mut estimates = Estimates::default();
            estimates.tick(&log, &run.model);
            let trials: Vec<Event> = trials(&log).into_iter().cloned().collect();
            (trials, estimates.rows().to_vec())
        })
        .collect();
    let (trials, rows): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (trials.concat(), rows.concat())
}

/// Mean reward per map, as a share of the utility.
fn performance(trials: &[Event]) -> f64 {
    let maps = trials.iter().filter(|event| number(event, "trial") == 1.0).count();
    let reward = |event: &Event| 100.0 * number(event, "reached") - number(event, "seconds");
    trials.iter().map(reward).sum::<f64>() / maps as f64 / 100.0
}

/// Collisions per map where a test holds.
fn errors(trials: &[Event], counts: impl Fn(&Event) -> bool) -> f64 {
    let (mut maps, mut errors) = (0.0, 0.0);
    for event in trials.iter().filter(|event| counts(event)) {
        maps += f64::from(u8::from(number(event, "trial") == 1.0));
        errors += number(event, "touched");
    }
    errors / maps
}

#[test]
fn robot_and_referee_agree() {
    for policy in ["random", "always-long"] {
        let (run, log) = finished("detour", 3, &[&format!("parameters.policy={policy}")]);
        let mut estimates = Estimates::default();
        estimates.tick(&log, &run.model);
        let taken: Vec<&EstimateRow> = estimates.rows().iter().filter(|row| row.chosen).collect();
        let trials = trials(&log);
        assert_eq!(taken.len(), trials.len(), "a decision for each trial");
        let maps = trials.iter().filter(|event| number(event, "trial") == 1.0).count();
        assert_eq!(maps, 40);
        for (place, row) in taken.iter().enumerate() {
            // From this trial to the end of its map.
            let rest = trials[place + 1..].iter().take_while(|event| number(event, "trial") > 1.0);
            let whole: Vec<&&Event> = trials[place..place + 1].iter().chain(rest).collect();
            let seconds: f64 = whole.iter().map(|event| number(event, "seconds")).sum();
            let reached = whole.iter().any(|event| number(event, "reached") == 1.0);
            assert_eq!(row.status, if reached { "done" } else { "failed" });
            assert!((row.cost.expect("closed") - seconds).abs() < 1e-6, "{row:?} {seconds}");
        }
    }
}

/// With a true pose nothing depends on how a map is turned: these maps differ in nothing else. Coordinates are rounded differently, which
/// may decide between two directions that are equally good.
#[test]
fn turned_maps_are_the_same_maps() {
    let (mut all, mut different) = (0, 0);
    for (one, other) in [(1, 3), (7, 8), (9, 10), (12, 14)] {
        for policy in ["always-short", "always-long"] {
            let policy = format!("parameters.policy={policy}");
            let run = |map: u8| {
                let maps = format!("parameters.maps={:?}", [map; 20]);
                finished("detour", 1, &[&maps, &policy, "parameters.trials=1"]).1
            };
            let (one, other) = (run(one), run(other));
            let (one, other) = (trials(&one), trials(&other));
            assert_eq!((one.len(), other.len()), (40, 40));
            for (one, other) in one.iter().zip(&other) {
                let same = |name: &str| (number(one, name) - number(other, name)).abs() < 1e-6;
                all += 1;
                different += usize::from(!["reached", "touched", "seconds", "metres"].into_iter().all(same));
            }
        }
    }
    assert!(different * 50 <= all, "{different} of {all} trials differ");
}

/// In the limited condition robots that infer take the short way first, so they touch less than others where it is the emptier one.
#[test]
fn inference_takes_the_short_way_first_and_touches_less_where_that_is_emptier() {
    let emptier =
        |event: &Event| number(event, "overview") == 0.0 && number(event, "short") < number(event, "long");
    for speed in ["0.15", "0.3", "0.6"] {
        let others =
            ["random", "defensive"].map(|other| (other, errors(&runs(other, speed, 5, &[]).0, emptier)));
        // The mean, and both quantiles.
        for more in [&[][..], &["parameters.sigma=0.5"], &["parameters.sigma=0.75"]] {
            let (inference, rows) = runs("inference", speed, 5, more);
            let first = |row: &&EstimateRow| row.chosen && row.evidence.contains("trial=1 ratio=?");
            assert!(rows.iter().filter(first).all(|row| row.alternative == "short"), "{speed} {more:?}");
            let ours = errors(&inference, emptier);
            for (other, theirs) in others {
                assert!(ours < theirs, "{speed} m/s: {ours} errors per map, {other} {theirs}");
            }
        }
    }
}

/// A failure within the first third of the short way tells that it is crowded: then the robot takes the other one (59, 88 and 95 % in the
/// text, where 70 % of switches go to the emptier way).
#[test]
fn a_failure_on_a_crowded_way_makes_the_robot_switch() {
    for speed in ["0.15", "0.3", "0.6"] {
        for more in [&[][..], &["parameters.sigma=0.75"]] {
            let (trials, _) =
                runs("inference", speed, 8, &[&["parameters.conditions=[limited]"], more].concat());
            let (mut crowded, mut left, mut switches, mut emptier) = (0, 0, 0, 0);
            for pair in trials.windows(2).filter(|pair| number(&pair[1], "trial") == 2.0) {
                let (short, long) = (number(&pair[0], "short"), number(&pair[0], "long"));
                let switched = pair[0].behaviour != pair[1].behaviour;
                switches += usize::from(switched);
                emptier += usize::from(switched && short > long);
                crowded += usize::from(short > long);
                left += usize::from(switched && short > long);
            }
            assert!(crowded > 40, "{crowded}");
            let share = left as f64 / crowded as f64;
            assert!((0.5..1.0).contains(&share), "{speed} m/s: {share}");
            assert!(emptier * 10 >= switches * 7, "{speed} m/s: {emptier} of {switches}");
        }
    }
}

/// With models from twenty runs per way: inference before the defensive policy, that before a coin, and a quantile costs little.
#[test]
fn inference_is_better_than_defence_and_that_better_than_a_coin() {
    for (speed, loss) in [("0.15", 0.03), ("0.3", 0.04), ("0.6", 0.08)] {
        let q = |policy: &str, more: &[&str]| performance(&runs(policy, speed, 15, more).0);
        let long =
            format!("parameters.model={}", experiment(&format!("estimation/models/long-{speed}.json")));
        let (mean, quantile) = (q("inference", &[&long]), q("inference", &[&long, "parameters.sigma=0.75"]));
        let (defensive, random) = (q("defensive", &[]), q("random", &[]));
        assert!(mean > defensive && defensive > random, "{speed} m/s: {mean} {defensive} {random}");
        // The largest losses in the text.
        assert!(quantile >= (1.0 - loss) * mean && quantile > defensive, "{speed} m/s: {quantile} {mean}");
    }
}

/// The printed formulas do not keep the promised reliability; the distribution of outcomes does, if it was learned from twenty runs per
/// way. The standard error of a share of 800 decisions is 0.015.
#[test]
fn outcomes_keep_their_promise_and_averaged_quantiles_do_not() {
    for (speed, level) in [("0.3", 0.5), ("0.6", 0.75)] {
        let long =
            format!("parameters.model={}", experiment(&format!("estimation/models/long-{speed}.json")));
        let sigma = format!("parameters.sigma={level}");
        let (_, rows) = runs("inference", speed, 12, &[&long, &sigma, "parameters.estimator=outcome"]);
        let reliability = |name: &str| {
            let own: Vec<bool> = rows
                .iter()
                .filter(|row| row.chosen && row.estimator == name)
                .filter_map(|row| Some(row.estimate? <= row.reward?))
                .collect();
            assert!(own.len() > 800, "{}", own.len());
            own.iter().filter(|kept| **kept).count() as f64 / own.len() as f64
        };
        let (thesis, outcome) = (reliability("thesis"), reliability("outcome"));
        assert!((outcome - level).abs() < 0.045, "{speed} m/s: {outcome} for {level}");
        assert!((thesis - level).abs() > 0.15, "{speed} m/s: {thesis} for {level}");
    }
}

/// A robot that may leave a map does so when it expects less than nothing, and pays nothing for it.
#[test]
fn a_robot_that_expects_nothing_leaves_the_map() {
    let (trials, rows) = runs("inference", "0.6", 2, &["parameters.sigma=0.9", "parameters.stops=true"]);
    let left: Vec<&EstimateRow> = rows.iter().filter(|row| row.chosen && row.alternative == "skip").collect();
    assert!(!left.is_empty());
    assert!(left.iter().all(|row| row.cost == Some(0.0) && row.status == "failed"));
    let skipped = trials.iter().filter(|event| number(event, "seconds") == 0.0).count();
    assert_eq!(skipped, left.len());
}

#[test]
fn models_of_other_places_are_refused() {
    let refused = |sets: &[String]| {
        let sets = sets.to_vec();
        let request = Request { scenario: "detour".into(), sets, ..Request::default() };
        load(&request).err().unwrap_or_else(|| panic!("{request:?} was accepted")).to_string()
    };
    let model = format!("parameters.model={}", experiment("estimation/models/0.3.json"));
    let slow = "parameters.object-speed=0.15 m/s".to_string();
    let found = refused(&[model.clone(), slow]);
    assert!(
        found.contains("objects move at 0.3 m/s") && found.contains("here objects move at 0.15"),
        "{found}"
    );
    let found = refused(&["parameters.policy=inference".into()]);
    assert!(found.contains("needs a `model`"), "{found}");
    let found = refused(&["parameters.model=nowhere.json".into()]);
    assert!(found.contains("nowhere.json"), "{found}");
    let found = refused(&[format!("parameters.model={}", experiment("estimation/experiment.yaml"))]);
    assert!(found.contains("cannot be read"), "{found}");
    let found = refused(&[model, "team.robots.+={name: other, type: scout, at: [5 m, 6 m]}".into()]);
    assert!(found.contains("one robot"), "{found}");
}

/// The resolved scenario contains the model: it needs no other file.
#[test]
fn a_resolved_scenario_contains_its_model() {
    let model = format!("parameters.model={}", experiment("estimation/models/0.3.json"));
    let sets = ["parameters.policy=inference", "parameters.maps=[9, 16]", &model];
    let scenario = super::scenario("detour", 1, &sets);
    let again = crewlab_scenario::load_resolved("again", &scenario.resolved, 1);
    let again = again.unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(again.setup.mission, scenario.setup.mission);
    let text = crewlab_scenario::text::to_yaml(&scenario.resolved);
    let request = Request { scenario: "text".into(), text: Some(text), ..Request::default() };
    let read = load(&request).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(read.setup.mission, scenario.setup.mission);
}
