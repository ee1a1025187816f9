//! A folder to work in, the program run in it, and its output.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The usual beginning of a scenario.
pub const HEAD: &str = "crewlab: 1\nmission: waste-cleanup\n";

/// The program.
pub const CREWLAB: &str = env!("CARGO_BIN_EXE_crewlab");

/// An empty folder that disappears with the test.
pub struct Place {
    path: PathBuf,
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Place {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder for a test");
        Place { path }
    }

    /// A place with one file, `scenario.yaml`: the usual beginning and a body.
    pub fn with(body: &str) -> Place {
        let place = Place::new();
        place.write("scenario.yaml", format!("{HEAD}{body}"));
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Everything in the folder: files with their bytes, folders with a slash at the end.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        contents(&self.path)
    }

    /// The program as a command in this folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(CREWLAB);
        command.args(args).current_dir(&self.path);
        command
    }

    /// Runs the program, which must neither panic nor be killed, whatever the arguments.
    pub fn crewlab(&self, args: &[&str]) -> Outcome {
        Outcome::of(self.command(args).output().expect("the program starts"), args)
    }

    /// Runs the program with this much memory. [kB]
    pub fn crewlab_within(&self, kilobytes: u64, args: &[&str]) -> Outcome {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"")).arg(CREWLAB);
        Outcome::of(command.args(args).current_dir(&self.path).output().expect("sh starts"), args)
    }

    /// Runs a command that must succeed without messages; its standard output.
    pub fn fine(&self, args: &[&str]) -> String {
        let outcome = self.crewlab(args);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{args:?} {}", outcome.out);
        outcome.out
    }

    /// Runs a command that must fail with code 1, print only the reason and change no file; returns the reason.
    pub fn refused(&self, args: &[&str]) -> String {
        let before = self.contents();
        let outcome = self.crewlab(args);
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{args:?}\n{}", outcome.err);
        assert!(outcome.err.starts_with("error: "), "{args:?}\n{}", outcome.err);
        assert_eq!(names(&before), names(&self.contents()), "{args:?} left something behind");
        assert!(before == self.contents(), "{args:?} changed a file");
        outcome.err
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Outcome {
    pub fn of(output: Output, args: &[&str]) -> Outcome {
        let err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(!err.contains("panicked"), "{args:?}\n{err}");
        let code = output.status.code().unwrap_or_else(|| panic!("{args:?}: {}\n{err}", output.status));
        Outcome { code, out: String::from_utf8(output.stdout).expect("output is UTF-8"), err }
    }
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            let below = contents(&entry).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes));
            found.extend(below);
            found.insert(name + "/", Vec::new());
        } else {
            found.insert(name, fs::read(&entry).unwrap_or_default());
        }
    }
    found
}

/// The names of files and folders.
pub fn names(contents: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    contents.keys().map(String::as_str).collect()
}

/// Removes the marks `$0` from a text and returns their lines and columns.
pub fn unmark(text: &str) -> (String, Vec<String>) {
    let mut parts = text.split("$0");
    let mut plain = parts.next().unwrap_or_default().to_string();
    let mut places = Vec::new();
    for part in parts {
        let line = plain.matches('\n').count() + 1;
        let column = plain.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        places.push(format!("{line}:{column}"));
        plain += part;
    }
    (plain, places)
}

/// The places that messages point at, in the order of the messages.
pub fn places(said: &str) -> Vec<&str> {
    said.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect()
}

/// Asserts that messages contain all of these parts, in this order.
pub fn assert_says(said: &str, parts: &[&str]) {
    let mut rest = said;
    for part in parts {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("`{part}` is missing, or not in its place:\n{said}"));
        rest = &rest[at + part.len()..];
    }
}

/// Checks a scenario that is wrong at the places marked `$0`: `check` and `run` report them in the order of the text, quote the
/// lines, and leave no files.
pub fn check_mistakes(text: &str, parts: &[&str]) {
    let place = Place::new();
    let (plain, marks) = unmark(text);
    place.write("scenario.yaml", &plain);
    let said = place.refused(&["check", "scenario.yaml"]);
    let expected: Vec<String> = marks.iter().map(|mark| format!("scenario.yaml:{mark}")).collect();
    assert_eq!(places(&said), expected, "\n{plain}\n{said}");
    for mark in &marks {
        let line: usize = mark.split(':').next().and_then(|line| line.parse().ok()).expect("a line");
        let quoted = plain.lines().nth(line - 1).unwrap_or_default().replace('\t', "    ");
        assert!(said.contains(quoted.trim()), "line {line} is not quoted:\n{said}");
    }
    assert_says(&said, parts);
    assert_eq!(place.refused(&["run", "scenario.yaml", "--out", "results"]), said);
    assert_eq!(place.refused(&["run", "scenario.yaml", "--json"]), said);
}

/// The same for a body below the usual beginning.
pub fn check_body(body: &str, parts: &[&str]) {
    check_mistakes(&format!("{HEAD}{body}"), parts);
}
