use super::*;
use crate::runner::Ended;
use crate::sweep::SweepOptions;
use crewlab_scenario::{Request, load};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An empty folder that disappears with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("crewlab-tune-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn read(&self, body: &str) -> Result<Tuning, String> {
        let file = self.0.join("small.yaml");
        fs::write(&file, format!("crewlab: 1\nscenario: waste-cleanup\n{body}")).unwrap();
        read(&file).map_err(|error| error.to_string())
    }

    fn options(&self, out: &str, jobs: usize) -> SweepOptions {
        let stop = Arc::new(AtomicBool::new(false));
        SweepOptions { out: self.0.join(out), resume: false, force: false, retry: false, jobs, stop }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two parameters, little waste and little time, so that a run takes a moment.
const SMALL: &str = "
set: {world.items.waste: 1, run.until: 3 min}
parameters:
  threshold: {key: team.alliance.threshold, from: 5, to: 200, scale: log}
  coordinator: {key: team.coordinator, choices: [alliance, greedy]}
seeds: 3
held-out: 3
candidates: 6
start: 2
";

fn small() -> String {
    SMALL.replace("held-out: 3", "held-out: {first: 4, count: 3}")
}

/// All result files of a tuning.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = ["candidates.csv", "summary.json", "tuned.yaml", "tuning.yaml", "report.html", "plan.json"];
    names.iter().map(|name| (name.to_string(), fs::read(folder.join(name)).unwrap())).collect()
}

fn whole(tuning: &Tuning, options: &SweepOptions) -> (Tuned, TuningSummary) {
    let tuned = tune(tuning, options, &mut |_| ()).unwrap();
    assert_eq!(tuned.ended, Ended::Complete);
    let summary = summary(tuning, &tuned).unwrap();
    write(tuning, &tuned, &summary).unwrap();
    (tuned, summary)
}

#[test]
fn the_result_depends_neither_on_threads_nor_on_interruptions() {
    let place = Place::new("resume");
    let tuning = place.read(&small()).unwrap();
    let (tuned, found) = whole(&tuning, &place.options("one", 1));
    let expected = files(&place.0.join("one"));

    whole(&tuning, &place.options("two", 2));
    assert!(expected == files(&place.0.join("two")), "another number of threads, another result");

    let mut options = place.options("three", 2);
    let stop = options.stop.clone();
    let early = tune(&tuning, &options, &mut |progress| {
        if progress.runs == 7 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(early.unwrap().ended, Ended::Interrupted);
    options.stop = Arc::new(AtomicBool::new(false));
    options.resume = true;
    let (again, _) = whole(&tuning, &options);
    assert!(expected == files(&place.0.join("three")), "interrupted and resumed, another result");
    let rows = |folder: &str| -> usize {
        let journals = fs::read_dir(place.0.join(folder).join("journal")).unwrap();
        journals.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap().lines().count()).sum()
    };
    assert_eq!(rows("one"), rows("three"), "something was run twice");
    assert_eq!(again.runs, tuned.runs);

    assert_eq!(tuned.candidates.len(), 6);
    assert_eq!(tuned.candidates[0].shown, ["100", "alliance"]);
    let means = tuned.candidates.iter().filter(|candidate| candidate.fate == CandidateFate::Complete);
    let least = means.filter_map(|candidate| candidate.mean).fold(f64::INFINITY, f64::min);
    assert_eq!(tuned.best.and_then(|best| tuned.candidates[best].mean), Some(least));
    assert_eq!(found.search.best.mean, Some(least), "the best candidate has the least mean");
}

#[test]
fn the_tuned_scenario_is_a_short_file_that_gives_the_same_runs() {
    let place = Place::new("tuned");
    let tuning = place.read(&small()).unwrap();
    let (tuned, summary) = whole(&tuning, &place.options("out", 2));
    let best = &tuned.candidates[summary.best - 1];
    let text = fs::read_to_string(place.0.join("out/tuned.yaml")).unwrap();
    let scenario =
        load(&Request { scenario: "tuned".into(), text: Some(text.clone()), ..Request::default() }).unwrap();
    let mut expected = (*best.cell.as_ref().unwrap().scenario).clone();
    expected["name"] = "small-tuned".into();
    assert_eq!(scenario.resolved, expected);
    assert!(text.starts_with("# waste-cleanup with parameters found by `crewlab tune`"), "{text}");
    assert!(text.lines().count() < 40 && !text.contains("complete:"), "{text}");
}

#[test]
fn few_combinations_are_all_tried() {
    let place = Place::new("all");
    let tuning = place.read(
        "set: {world.items.waste: 1, run.until: 2 min}
parameters: {team.coordinator: {choices: [alliance, greedy, random]}}
metric: travelled_m
seeds: 2
candidates: 20
",
    );
    let tuning = tuning.unwrap();
    assert_eq!((tuning.seeds.clone(), tuning.held_out.clone()), (vec![1, 2], vec![3, 4]));
    let (tuned, summary) = whole(&tuning, &place.options("out", 2));
    let tried: Vec<&str> = tuned.candidates.iter().map(|candidate| candidate.shown[0].as_str()).collect();
    assert_eq!(tried, ["alliance", "greedy", "random"]);
    assert!(summary.effort.exhausted);
    assert!(summary.readable().contains("all possible ones"), "{}", summary.readable());
}

#[test]
fn values_of_the_scenario_are_shown_in_the_unit_of_the_file() {
    let place = Place::new("units");
    let tuning = place.read(
        "parameters:
  patience: {key: team.alliance.time-willing-to-affect, from: 1 min, to: 10 min}
  yielding: {key: team.alliance.time-before-yielding, from: 200 s, to: 300 s}
",
    );
    let given = tuning.unwrap().given;
    assert!(given[0].shown.starts_with("1.66666") && given[0].shown.ends_with(" min"), "{given:?}");
    assert!(given[0].setting.is_some());
    assert_eq!((given[1].shown.as_str(), &given[1].setting), ("150 s", &None), "it lies outside");
}

#[track_caller]
fn refused(body: &str, parts: &[&str]) {
    let place = Place::new(&format!("refused-{}", body.len()));
    let said = place.read(body).unwrap_err();
    for part in parts {
        assert!(said.contains(part), "`{part}` is missing:\n{said}");
    }
}

#[test]
fn errors_are_reported_with_their_positions() {
    let one = "parameters: {team.alliance.threshold: {from: 5, to: 200}}\n";
    refused(
        &format!("{one}seeds: 20\nheld-out: {{first: 15, count: 10}}\n"),
        &[
            "6 seeds are used both for the search and for the held-out comparison, e.g. 15",
            "small.yaml:5",
            "held-out: {first: 21, count: 10}",
        ],
    );
    refused(&format!("{one}metric: tme_s\n"), &["there is no metric `tme_s`", "did you mean `time_s`?"]);
    refused(
        &format!("{one}metric: working_s\n"),
        &["neither less nor more of `working_s`", "goal: minimise"],
    );
    refused("parameters: {}\n", &["from 1 to 50 parameters are accepted, found 0"]);
    refused("parameters: {a: {from: 5, to: 2}}\n", &["`from` must be below `to`, found 5 and 2"]);
    refused("parameters: {a: {from: 0, to: 2, scale: log}}\n", &["`from` must be above 0, found 0"]);
    refused("parameters: {a: {from: 1 s, to: 2 min}}\n", &["different units: `s` and `min`"]);
    refused("parameters: {a: {from: 1}}\n", &["either `from` and `to`, or `choices`"]);
    refused("parameters: {a: {choices: [1]}}\n", &["at least two choices are needed, found 1"]);
    refused(
        "parameters: {a: {key: team.alliance.treshold, from: 1, to: 2}}\n",
        &["the scenario does not accept 1 for `team.alliance.treshold`", "threshold"],
    );
    refused(
        "parameters: {a: {key: team.alliance.threshold, from: -5, to: 2}}\n",
        &["does not accept -5", "small.yaml:3"],
    );
    refused(
        "parameters: {a: {key: k, from: 1, to: 2}, b: {key: k, from: 1, to: 2}}\n",
        &["`a` already sets `k`"],
    );
}
