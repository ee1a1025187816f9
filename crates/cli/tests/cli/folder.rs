//! The folder for the results: never incomplete, and never replacing anything else.

use super::harness::{Outcome, Place, assert_says, names};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A short run.
const SHORT: [&str; 4] = ["run", "diffusion", "-q", "--set=run.until=1s"];

/// A run that takes minutes.
const LONG: [&str; 7] = [
    "run",
    "waste-cleanup",
    "-q",
    "--set=world.items.waste=400",
    "--set=run.until=600 min",
    "--set=run.record-every=100 ms",
    "--out=results",
];

fn short(more: &[&'static str]) -> Vec<&'static str> {
    [&SHORT[..], more].concat()
}

#[test]
fn an_existing_folder_is_refused_and_untouched() {
    let place = Place::new();
    place.fine(&short(&["--out", "old"]));
    place.write("other/thesis.txt", "years of work");
    place.write("file", "a file");
    for taken in ["old", "other", "file", ".", ".."] {
        let said = place.refused(&[&SHORT[..], &["--out", taken]].concat());
        assert_says(&said, &[&format!("{taken} exists already"), "--out", "--force"]);
    }
}

#[test]
fn the_default_folder_is_refused_too() {
    let place = Place::new();
    place.fine(&SHORT);
    assert!(place.exists("runs/diffusion-1/manifest.json"));
    assert_says(&place.refused(&SHORT), &["runs/diffusion-1 exists already"]);
    place.fine(&short(&["--seed", "2"]));
    assert!(place.exists("runs/diffusion-2/manifest.json"));
}

#[test]
fn force_replaces_the_results_of_an_older_run() {
    let place = Place::new();
    place.fine(&short(&["--out", "results"]));
    place.fine(&short(&["--out", "results", "--force", "--seed", "2"]));
    assert_eq!(place.json("results/summary.json")["seed"], 2);
    assert_eq!(fs::read_dir(place.path("")).expect("a folder").count(), 1, "nothing else is left");
}

#[test]
fn force_replaces_nothing_else() {
    let place = Place::new();
    place.write("other/thesis.txt", "years of work");
    place.write("file", "a file");
    fs::create_dir(place.path("empty")).expect("a folder");
    for taken in ["other", "file", "empty", ".", "/"] {
        let said = place.refused(&[&SHORT[..], &["--force", "--out", taken]].concat());
        assert_says(&said, &["exists and holds no results of a finished run", "--out"]);
    }
}

#[test]
fn force_does_not_take_every_manifest_for_its_own() {
    let place = Place::new();
    place.write("extension/manifest.json", "{\"name\": \"a browser extension\"}");
    place.write("extension/code.js", "years of work");
    let said = place.refused(&short(&["--force", "--out", "extension"]));
    assert_says(&said, &["exists and holds no results of a finished run"]);
}

#[test]
fn force_keeps_the_older_results_when_the_scenario_is_wrong() {
    let place = Place::new();
    place.fine(&short(&["--out", "results"]));
    let said = place.refused(&short(&["--out", "results", "--force", "--set", "run.untl=3 s"]));
    assert_says(&said, &["unknown key `untl`"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let place = Place::new();
    place.write("file", "in the way");
    let said = place.refused(&short(&["--out", "file/results"]));
    assert_says(&said, &["cannot write file/results: Not a directory", "nothing of this run was kept"]);
    assert_says(&place.refused(&short(&["--out", "/proc/results"])), &["cannot write /proc/results: "]);

    fs::create_dir(place.path("closed")).expect("a folder");
    fs::set_permissions(place.path("closed"), Permissions::from_mode(0o555)).expect("permissions");
    if fs::write(place.path("closed/probe"), "").is_ok() {
        println!("skipped in part: this user may write everywhere");
    } else {
        let said = place.refused(&short(&["--out", "closed/results"]));
        assert_says(&said, &["cannot write closed/results: Permission denied"]);
    }
}

#[test]
fn the_cause_is_printed_once() {
    let place = Place::new();
    place.write("file", "in the way");
    let said = place.refused(&short(&["--out", "file/results"]));
    assert_eq!(said.matches("Not a directory").count(), 1, "{said}");
}

#[test]
fn a_folder_without_a_name_is_refused_at_once() {
    let place = Place::new();
    place.refused(&short(&["--out", "new/.."]));
}

/// A file system of 64 kB.
struct Disk(PathBuf);

impl Disk {
    fn mount(place: &Place) -> Option<Disk> {
        let path = place.path("disk");
        fs::create_dir(&path).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&path).stderr(Stdio::null());
        if mount.status().is_ok_and(|status| status.success()) {
            return Some(Disk(path));
        }
        println!("skipped: a small disk cannot be mounted here (that takes root)");
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let place = Place::new();
    let Some(_disk) = Disk::mount(&place) else { return };
    // The recorded tables do not fit.
    let said = place.refused(&["run", "waste-cleanup", "-q", "--out", "disk/results"]);
    assert_says(
        &said,
        &["cannot write disk/results", "No space left on device", "nothing of this run was kept"],
    );
    // The tables fit, the report does not.
    let said = place.refused(&short(&["--set", "run.record-every=10 s", "--out", "disk/results"]));
    assert_says(
        &said,
        &["cannot write disk/results", "No space left on device", "nothing of this run was kept"],
    );
}

#[test]
fn a_full_disk_keeps_the_older_results() {
    let place = Place::new();
    let Some(disk) = Disk::mount(&place) else { return };
    place.fine(&[
        "run",
        "diffusion",
        "-q",
        "--set=run.until=1s",
        "--set=team.robots.robot.count=2",
        "--out=o",
    ]);
    fs::create_dir(disk.0.join("results")).expect("a folder");
    for file in ["manifest.json", "summary.json"] {
        fs::copy(place.path("o").join(file), disk.0.join("results").join(file)).expect("a copy");
    }
    let said = place.refused(&["run", "waste-cleanup", "-q", "--force", "--out", "disk/results"]);
    assert_says(&said, &["No space left on device"]);
}

#[test]
fn a_full_disk_leaves_no_folders_behind() {
    let place = Place::new();
    let Some(_disk) = Disk::mount(&place) else { return };
    place.refused(&["run", "waste-cleanup", "-q", "--out", "disk/a/b/results"]);
}

#[test]
fn a_full_disk_leaves_no_new_scenario_behind() {
    let place = Place::new();
    let Some(disk) = Disk::mount(&place) else { return };
    // The disk is full when this fails.
    let _ = fs::write(disk.0.join("fill"), vec![0; 1 << 20]);
    assert_says(&place.refused(&["new", "disk/new.yaml"]), &["cannot write disk/new.yaml", "No space left"]);
}

/// Starts a run and waits until it has written something.
fn started(place: &Place) -> Child {
    let mut run = place.command(&LONG).stdout(Stdio::null()).spawn().expect("it starts");
    let start = Instant::now();
    while !place.contents().iter().any(|(name, bytes)| name.ends_with("robots.csv") && !bytes.is_empty()) {
        let end = run.try_wait().expect("a state");
        assert!(end.is_none() && start.elapsed() < Duration::from_secs(60), "{end:?}");
        thread::sleep(Duration::from_millis(5));
    }
    run
}

#[test]
fn an_interrupted_run_does_not_look_complete() {
    let place = Place::new();
    let mut run = started(&place);
    run.kill().expect("a signal");
    assert_eq!(run.wait().expect("an end").code(), None, "it ended before it was interrupted");
    assert!(!place.exists("results"));
    let left = place.contents();
    assert!(names(&left).iter().all(|name| name.starts_with("results.partial-")), "{:?}", names(&left));
    assert!(!names(&left).iter().any(|name| name.ends_with("manifest.json")));
    // The remains do not block the next run.
    place.fine(&short(&["--out", "results"]));
}

#[test]
fn a_run_that_is_asked_to_stop_cleans_up() {
    for signal in ["INT", "TERM"] {
        let place = Place::new();
        let mut run = started(&place);
        let id = run.id().to_string();
        Command::new("kill").args(["-s", signal, &id]).status().expect("kill starts");
        assert!(!run.wait().expect("an end").success());
        assert_eq!(names(&place.contents()), Vec::<&str>::new(), "SIG{signal}");
    }
}

#[test]
fn two_runs_into_one_folder_do_not_mix() {
    let place = Place::new();
    let start = || {
        let args = ["run", "waste-cleanup", "-q", "--out", "results"];
        place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let runs = [start(), start()];
    let ends = runs.map(|run| Outcome::of(run.wait_with_output().expect("an end"), &["run"]));
    let mut codes = ends.each_ref().map(|end| end.code);
    codes.sort_unstable();
    assert_eq!(codes, [0, 1], "{ends:?}");
    assert!(ends.iter().any(|end| end.err.starts_with("error: ")), "{ends:?}");
    assert!(place.exists("results/manifest.json"));
    assert_eq!(fs::read_dir(place.path("")).expect("a folder").count(), 1, "nothing else is left");
}
