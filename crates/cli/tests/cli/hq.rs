//! `crewlab sweep --on hq`: the same results from other machines.
//!
//! Most tests use a script of a few lines in place of HyperQueue. It answers as `hq` does and runs a job's tasks one after
//! another. It cannot show that HyperQueue itself repeats the task of a worker that died. The last two tests do, with a real
//! server and two real workers. The first of them takes these from HyperQueue's Python package, which `make test` installs;
//! `hq.py` next to this file is their `hq`. Only the second shows that the program `hq` accepts our commands and answers as we
//! expect. It needs that program and is run by `make test-hq`.

use super::harness::{Outcome, Place, assert_says};
use std::env;
use std::fs;
use std::iter;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Twelve runs of some tenths of a second.
const SWEEP: &str = "crewlab: 1\nname: both\nscenario: waste-cleanup\nset: {run.until: 10 min}\n\
                     factors: {team.coordinator: [alliance, greedy]}\nseeds: 6\n";

/// A fake `hq`: a folder is the server, a job is a loop in the background. With a file `once` there, the first task is killed as
/// soon as it has stored a run, and restarted; `broken` makes all tasks fail; `slow` delays a job.
const STAND_IN: &str = r#"#!/bin/sh
server="$HQ_SERVER_DIR"
[ -d "$server" ] || { echo '{"error": "No online server found"}'; exit 1; }
count() { if [ -e "$server/$1" ]; then wc -l < "$server/$1" | tr -d ' '; else echo 0; fi; }
case "$1 $2" in
"server info") echo '{"version": "stand-in"}' ;;
"worker list") echo '[{"configuration": {"resources": {"resources": [{"name": "cpus", "kind": "list", "values": ["0", "1"]}]}}}]' ;;
"job cancel") echo cancelled > "$server/canceled"; echo '{}' ;;
"job list")
    all=$(count lines); ended=$(( $(count finished) + $(count failed) ))
    canceled=0; [ -e "$server/canceled" ] && canceled=$(( all - ended ))
    echo "[{\"id\": 1, \"task_stats\": {\"running\": 0, \"waiting\": $(( all - ended - canceled )),"
    echo "\"finished\": $(count finished), \"failed\": $(count failed), \"canceled\": $canceled, \"aborted\": 0}}]" ;;
"submit "*)
    echo "$@" > "$server/asked"
    while [ "$1" != -- ]; do
        case "$1" in --cwd) cwd="$2" ;; --each-line) cp "$2" "$server/lines" ;; esac
        shift
    done
    shift
    (
        cd "$cwd" || exit 1
        while [ -e "$server/slow" ] && [ ! -e "$server/canceled" ]; do sleep 0.1; done
        while read -r HQ_ENTRY; do
            export HQ_ENTRY
            [ -e "$server/canceled" ] && break
            if [ -e "$server/once" ]; then
                rm "$server/once"
                "$@" & task=$!
                until cat journal/*.jsonl 2>/dev/null | grep -q result; do sleep 0.01; done
                kill -9 $task
                wait $task
                echo killed > "$server/killed"
            fi
            if [ ! -e "$server/broken" ] && "$@"; then echo . >> "$server/finished"
            else echo 'error: it is broken' > "hq/1-0.txt"; echo . >> "$server/failed"; fi
        done < "$server/lines"
    ) > /dev/null 2>&1 &
    echo '{"id": 1}' ;;
esac
"#;

/// A place with the sweep and, in `hq`, the script that plays HyperQueue; `server` is its server.
fn place() -> Place {
    let place = Place::new();
    place.write("sweep.yaml", SWEEP);
    place.write("hq", STAND_IN);
    fs::set_permissions(place.path("hq"), fs::Permissions::from_mode(0o755)).expect("a program");
    fs::create_dir(place.path("server")).expect("a folder");
    place
}

/// The sweep on other machines, with extra options.
fn on_hq(place: &Place, more: &[&str]) -> Command {
    let args = ["sweep", "sweep.yaml", "--on", "hq", "--hq", "./hq", "--out", "there", "--quiet"];
    let mut command = place.command(&[&args, more].concat());
    command.env("HQ_SERVER_DIR", place.path("server"));
    command
}

fn outcome(mut command: Command) -> Outcome {
    Outcome::of(command.output().expect("the program starts"), &["sweep", "--on", "hq"])
}

/// The tables of two folders are the same, byte by byte.
fn assert_same(place: &Place, here: &str, there: &str) {
    for table in ["runs.csv", "runs.parquet"] {
        let read = |folder: &str| fs::read(place.path(folder).join(table)).expect(table);
        assert!(read(here) == read(there), "{table} differs");
    }
    let runs = place.read(&format!("{here}/runs.csv")).lines().count() - 1;
    assert!([12, 24].contains(&runs), "{runs} runs");
}

/// How many lines there are in the journals.
fn kept(place: &Place) -> usize {
    let contents = place.contents();
    let journals = contents.iter().filter(|(name, _)| name.starts_with("there/journal/"));
    journals.map(|(_, bytes)| bytes.iter().filter(|byte| **byte == b'\n').count()).sum()
}

fn here(place: &Place) {
    place.fine(&["sweep", "sweep.yaml", "--out", "here", "--quiet"]);
}

#[test]
fn other_machines_give_the_same_results_even_if_one_dies() {
    let place = place();
    place.write("server/once", "");
    let there = outcome(on_hq(&place, &["--batch", "4"]));
    assert_eq!((there.code, there.err.as_str()), (0, ""));
    assert!(place.exists("server/killed"));
    // The server reports two cores: four batches at a time while there are enough runs, then fewer.
    assert_eq!(place.read("server/lines"), "0-3\n4-7\n8-9\n10\n11\n");
    assert_says(&place.read("server/asked"), &["--cpus 1", "--each-line", "-- ", "sweep-worker", "--plan"]);
    assert!(!place.exists("there/hq"), "its files remain");
    here(&place);
    assert_same(&place, "here", "there");
    // The run that was stored before the kill was not repeated: there are as many lines as runs.
    assert_eq!(kept(&place), 12);
}

#[test]
fn missing_runs_are_reported_and_done_by_the_next_sweep_on_any_machine() {
    let place = place();
    place.write("server/broken", "");
    let broken = outcome(on_hq(&place, &[]));
    assert_eq!(broken.code, 3, "{}", broken.err);
    assert_says(
        &broken.err,
        &["tasks failed", "error: it is broken", "0 of 12 runs are done: use --resume to continue"],
    );
    // A few of them on this machine.
    let args = ["sweep-worker", "there", "--runs", "2-4"];
    place.fine(&args);
    place.fine(&args);
    for left in ["broken", "failed"] {
        fs::remove_file(place.path("server").join(left)).expect("a file");
    }
    let rest = outcome(on_hq(&place, &["--resume", "--batch", "2"]));
    assert_eq!(rest.code, 0, "{}", rest.err);
    assert!(place.read("server/lines").starts_with("0-1\n5-6\n"), "{}", place.read("server/lines"));
    here(&place);
    assert_same(&place, "here", "there");
}

#[test]
fn an_interrupted_sweep_cancels_its_job_and_continues_locally() {
    let place = place();
    place.write("server/slow", "");
    let mut command = on_hq(&place, &[]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    wait_until("the job is there", || place.exists("server/lines"));
    kill("-INT", child.id());
    let ended = Outcome::of(child.wait_with_output().expect("an end"), &["sweep"]);
    assert_eq!(ended.code, 130, "{}", ended.err);
    assert_says(&ended.err, &["--resume to continue"]);
    assert!(place.exists("server/canceled") && !place.exists("there/hq"));
    place.fine(&["sweep", "sweep.yaml", "--out", "there", "--resume", "--quiet"]);
    here(&place);
    assert_same(&place, "here", "there");
}

#[test]
fn without_hyperqueue_or_its_server_the_error_says_what_to_do() {
    let place = place();
    let refused = |mut command: Command, words: &[&str]| {
        let outcome = Outcome::of(command.output().expect("the program starts"), &["sweep"]);
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{}", outcome.err);
        assert_says(&outcome.err, words);
        assert!(!place.exists("there"), "something was started");
    };
    let mut command = place.command(&["sweep", "sweep.yaml", "--on", "hq", "--out", "there"]);
    command.env("PATH", place.path("server"));
    refused(command, &["there is no `hq`", "docs/clusters.md", "--hq PATH"]);
    let mut command = on_hq(&place, &[]);
    command.env("HQ_SERVER_DIR", place.path("nowhere"));
    let commands = ["hq server start", "hq worker start", "hq alloc add slurm", "crewlab sweep FILE --on hq"];
    refused(command, &[&["no HyperQueue server answers (No online server found)"], &commands[..]].concat());
    let command = place.command(&["sweep", "sweep.yaml", "--on", "hq", "--hq", "no/hq", "--out", "there"]);
    refused(command, &["there is no program at no/hq"]);
    assert_eq!(place.crewlab(&["sweep", "sweep.yaml", "--on", "hq", "--jobs", "2"]).code, 2);
}

#[test]
fn a_worker_does_only_runs_of_the_plan_it_was_sent_for() {
    let place = place();
    here(&place);
    let said = |args: &[&str]| place.refused(&[&["sweep-worker"], args].concat());
    assert_says(&said(&["here"]), &["--runs", "HQ_ENTRY"]);
    assert_says(&said(&["here", "--runs", "11-12"]), &["`11-12` are not in the plan", "up to 11"]);
    assert_says(&said(&["nowhere", "--runs", "0"]), &["nowhere contains no experiment"]);
    // A job that was cancelled.
    fs::remove_dir_all(place.path("here/journal")).expect("a folder");
    place.fine(&["sweep-worker", "here", "--runs", "0", "--only-while", "batches.txt"]);
    assert!(!place.exists("here/journal"), "a run was done");
    let plan = place.read("here/plan.json");
    place.write("here/plan.json", plan.replacen("\"version\": \"", "\"version\": \"9.", 1));
    assert_says(&said(&["here", "--runs", "0"]), &["made by crewlab 9.", "but this is crewlab"]);
}

/// The Python environment that `make` maintains.
fn environment() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin")
}

/// Where the processes of a sweep with two workers write their output, in the order in which they are started.
const SAID: [&str; 4] = ["server.txt", "first-worker.txt", "second-worker.txt", "sweep.txt"];

/// Processes that end with the test, whatever its result, together with their children.
struct Started(Vec<Child>);

impl Drop for Started {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let tasks = children(child.id());
            let _ = child.kill();
            tasks.iter().for_each(|task| kill_if_there(*task));
            let _ = child.wait();
        }
    }
}

impl Started {
    /// Fails with the output of a process that has ended.
    fn assert_alive(&mut self, place: &Place) {
        for (child, said) in self.0.iter_mut().zip(SAID) {
            let ended = child.try_wait().expect("a state");
            assert!(ended.is_none(), "{said} ends too early: {}", place.read(said));
        }
    }
}

/// It may have ended by itself.
fn kill_if_there(process: u32) {
    let _ = Command::new("kill").args(["-KILL", &process.to_string()]).stderr(Stdio::null()).status();
}

fn kill(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().expect("kill").success());
}

fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let began = Instant::now();
    while !there() {
        assert!(began.elapsed() < Duration::from_secs(120), "timed out before {what}");
        sleep(Duration::from_millis(20));
    }
}

/// The children of a process.
fn children(process: u32) -> Vec<u32> {
    let all = Command::new("ps").args(["-e", "-o", "pid=,ppid="]).output().expect("ps");
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    let pairs = text.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    let pairs =
        pairs.filter_map(|(child, parent)| Some((child.parse().ok()?, parent.trim().parse::<u32>().ok()?)));
    pairs.filter(|(_, parent)| *parent == process).map(|(child, _)| child).collect()
}

/// Pauses a process; false if it has just ended.
fn stop(process: u32) -> bool {
    let number = process.to_string();
    let _ = Command::new("kill").args(["-STOP", &number]).stderr(Stdio::null()).status();
    let state = Command::new("ps").args(["-o", "stat=", "-p", &number]).output().expect("ps");
    state.stdout.starts_with(b"T")
}

/// A sweep with a real server and two workers, one of which dies in the middle of a task.
fn a_killed_workers_batch_is_done_again(hq: &Path) {
    let place = place();
    place.write("sweep.yaml", SWEEP.replace("seeds: 6", "seeds: 12"));
    // The arguments before those of `hq`: if it is a script, the Python of the environment runs it.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(iter::once(environment()).chain(env::split_paths(&path))).expect("a path");
    let ready = |mut command: Command| {
        command.env("HQ_SERVER_DIR", place.path("real")).env("PATH", &path);
        command
    };
    let hq_command = |args: &[&str]| {
        let mut command = ready(Command::new(hq));
        command.args(args).env("HQ_OUTPUT_MODE", "json");
        command
    };
    let start = |mut command: Command, said: &str| {
        let out = fs::File::create(place.path(said)).expect("a file");
        let err = out.try_clone().expect("the same file");
        command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().expect("it starts")
    };
    let mut started = Started(vec![start(hq_command(&["server", "start", "--host", "localhost"]), SAID[0])]);
    wait_until("the server answers", || {
        started.assert_alive(&place);
        hq_command(&["server", "info"]).output().is_ok_and(|answer| answer.status.success())
    });
    let worker = |said| start(hq_command(&["worker", "start", "--cpus", "1"]), said);
    started.0.extend([SAID[1], SAID[2]].map(worker));
    wait_until("the server has both workers", || {
        started.assert_alive(&place);
        let answer = hq_command(&["worker", "list"]).output().expect("an answer");
        let workers: Option<Vec<serde_json::Value>> = serde_json::from_slice(&answer.stdout).ok();
        workers.is_some_and(|workers| workers.len() == 2)
    });
    let victim = started.0[1].id();
    let args = ["sweep", "sweep.yaml", "--on", "hq", "--batch", "8", "--out", "there", "--quiet", "--hq"];
    let mut command = ready(place.command(&args));
    command.arg(hq);
    started.0.push(start(command, SAID[3]));
    // In the middle of the sweep: something is stored, and the victim has a task, which is paused so that it cannot end by
    // itself.
    let mut tasks = Vec::new();
    wait_until("the first worker has a task", || {
        started.assert_alive(&place);
        tasks = children(victim);
        kept(&place) > 0 && !tasks.is_empty() && tasks.iter().all(|task| stop(*task))
    });
    assert!(kept(&place) < 24, "the kill comes too late");
    kill("-KILL", victim);
    tasks.iter().for_each(|task| kill_if_there(*task));
    let mut ended = None;
    wait_until("the sweep ends", || {
        ended = started.0[3].try_wait().expect("a state");
        ended.is_some()
    });
    let code = ended.and_then(|ended| ended.code());
    assert_eq!((code, place.read(SAID[3]).as_str()), (Some(0), ""), "{args:?}");
    here(&place);
    assert_same(&place, "here", "there");
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "HyperQueue's Python package is for Linux on x86-64"
)]
fn hyperqueue_repeats_the_batch_of_a_killed_worker() {
    let python = environment().join("python");
    let found = Command::new(&python).args(["-c", "import hyperqueue"]).output();
    assert!(
        found.is_ok_and(|found| found.status.success()),
        "{} has no HyperQueue: run `make test` (or `make hyperqueue` once), which installs it there",
        python.display()
    );
    a_killed_workers_batch_is_done_again(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/hq.py"));
}

#[test]
#[ignore = "needs the program hq: make test-hq"]
fn the_program_hq_repeats_the_batch_of_a_killed_worker() {
    let hq = environment().join("hq");
    assert!(hq.is_file(), "{} is missing: run `make hq` once, which installs it", hq.display());
    a_killed_workers_batch_is_done_again(&hq);
}
