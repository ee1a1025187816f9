//! The client of the `hq` program.

use super::HqError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout of an answer.
const LONGEST: Duration = Duration::from_secs(60);

/// HyperQueue's program.
#[derive(Clone, Debug)]
pub struct Hq {
    program: PathBuf,
}

/// Number of tasks of a job by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Tasks {
    pub running: u64,
    pub waiting: u64,
    pub failed: u64,
    pub canceled: u64,
    /// Aborted by HyperQueue itself; older versions have no such state.
    #[serde(default)]
    pub aborted: u64,
}

impl Tasks {
    /// True if all tasks have ended.
    pub(super) fn are_over(&self) -> bool {
        self.running + self.waiting == 0
    }

    /// Number of tasks that did not finish successfully.
    pub(super) fn lost(&self) -> u64 {
        self.failed + self.canceled + self.aborted
    }
}

#[derive(Deserialize)]
struct Submitted {
    id: u64,
}

#[derive(Deserialize)]
struct Job {
    id: u64,
    task_stats: Tasks,
}

impl Hq {
    /// The program at this path, or the first one on the search path.
    pub fn find(wanted: Option<&Path>) -> Result<Hq, HqError> {
        let program = match wanted {
            Some(path) if path.is_file() => path.to_path_buf(),
            Some(path) => return Err(HqError::NotThere(path.to_path_buf())),
            None => {
                let path = env::var_os("PATH").unwrap_or_default();
                let found =
                    env::split_paths(&path).map(|folder| folder.join("hq")).find(|file| file.is_file());
                found.ok_or(HqError::NotFound)?
            }
        };
        Ok(Hq { program })
    }

    /// Fails unless a server answers.
    pub(super) fn greet(&self) -> Result<(), HqError> {
        match self.ask::<Value>(&["server".into(), "info".into()]) {
            Ok(_) => Ok(()),
            Err(HqError::Answer { said, .. }) => Err(HqError::NoServer(said)),
            Err(error) => Err(error),
        }
    }

    /// How many cores all workers have together.
    pub(super) fn cores(&self) -> Result<usize, HqError> {
        let workers: Vec<Value> = self.ask(&["worker".into(), "list".into()])?;
        Ok(workers.iter().map(cores).sum())
    }

    /// Submits a job with one task per line of a file; returns its number.
    pub(super) fn submit(
        &self,
        name: &str,
        folder: &Path,
        lines: &Path,
        program: Vec<OsString>,
    ) -> Result<u64, HqError> {
        let mut args: Vec<OsString> = ["submit", "--name", name, "--cpus", "1"].map(Into::into).into();
        // The output of a task is kept only if it fails. The folder's path may contain placeholders of HyperQueue, so it is given
        // as the working directory.
        args.extend(["--stdout", "none", "--stderr"].map(Into::into));
        args.push(format!("%{{CWD}}/{}/%{{JOB_ID}}-%{{TASK_ID}}.txt:rm-if-finished", super::FOLDER).into());
        args.extend(["--directives".into(), "off".into(), "--cwd".into(), folder.into()]);
        args.extend(["--each-line".into(), lines.into(), "--".into()]);
        args.extend(program);
        Ok(self.ask::<Submitted>(&args)?.id)
    }

    /// The state of a job; `None` if the server does not know it.
    pub(super) fn tasks(&self, job: u64) -> Result<Option<Tasks>, HqError> {
        let jobs: Vec<Job> = self.ask(&["job".into(), "list".into(), "--all".into()])?;
        Ok(jobs.into_iter().find(|other| other.id == job).map(|job| job.task_stats))
    }

    /// Cancels a job.
    pub(super) fn cancel(&self, job: u64) -> Result<(), HqError> {
        self.call(&["job".into(), "cancel".into(), job.to_string().into()]).map(|_| ())
    }

    fn ask<T: DeserializeOwned>(&self, args: &[OsString]) -> Result<T, HqError> {
        let out = self.call(args)?;
        serde_json::from_slice(&out).map_err(|error| {
            let said = format!("{error} in `{}`", short(&out));
            HqError::Answer { asked: asked(args), said }
        })
    }

    fn call(&self, args: &[OsString]) -> Result<Vec<u8>, HqError> {
        let failed = |error| HqError::Start(self.program.clone(), error);
        let mut command = Command::new(&self.program);
        command.args(args).env("HQ_OUTPUT_MODE", "json");
        // Its error messages are passed on, without their source locations.
        command.env("RUST_BACKTRACE", "0").env("RUST_LIB_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is meant for this process: a pending question to the server is answered first.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let (out, err) = (child.stdout.take().map(collect), child.stderr.take().map(collect));
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if began.elapsed() > LONGEST {
                // Killing fails only if the process has just ended.
                let _ = child.kill();
                let _ = child.wait();
                let said = format!("no answer after {} s", LONGEST.as_secs());
                return Err(HqError::Answer { asked: asked(args), said });
            }
            thread::sleep(Duration::from_millis(10));
        };
        let text = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
            reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
        };
        let (out, err) = (text(out), text(err));
        if status.success() {
            return Ok(out);
        }
        let said = complaint(&out).or_else(|| complaint(&err)).unwrap_or_else(|| status.to_string());
        Err(HqError::Answer { asked: asked(args), said })
    }
}

fn collect(mut from: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Unreadable output counts as empty.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

/// The cores of a worker; at least one, however they are described.
fn cores(worker: &Value) -> usize {
    let resources = worker["configuration"]["resources"]["resources"].as_array();
    let cpus = resources.and_then(|all| all.iter().find(|resource| resource["name"] == "cpus"));
    let length = |list: &Value| list.as_array().map_or(0, Vec::len);
    let count = cpus.map_or(0, |cpus| match cpus["kind"].as_str() {
        Some("list") => length(&cpus["values"]),
        Some("groups") => cpus["groups"].as_array().map_or(0, |groups| groups.iter().map(length).sum()),
        Some("range") => match (cpus["start"].as_u64(), cpus["end"].as_u64()) {
            (Some(start), Some(end)) => {
                usize::try_from(end.saturating_sub(start)).map_or(0, |last| last.saturating_add(1))
            }
            _ => 0,
        },
        _ => 0,
    });
    count.clamp(1, 65_536)
}

/// The error message of an answer; `None` if it is empty. Errors may come as JSON or as text.
fn complaint(bytes: &[u8]) -> Option<String> {
    let error = serde_json::from_slice::<Value>(bytes)
        .ok()
        .and_then(|answer| Some(answer["error"].as_str()?.to_string()));
    let said = short(error.as_deref().map_or(bytes, str::as_bytes));
    (!said.is_empty()).then_some(said)
}

/// A short form of the command.
fn asked(args: &[OsString]) -> String {
    let words = args.iter().take(2).take_while(|word| !word.to_string_lossy().starts_with('-'));
    let words: Vec<_> = words.map(|word| OsStr::to_string_lossy(word)).collect();
    format!("hq {}", words.join(" "))
}

/// An answer in one line of limited length.
pub(super) fn short(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cores_are_counted_however_they_are_described() {
        let worker =
            |cpus: Value| json!({"configuration": {"resources": {"resources": [{"name": "mem"}, cpus]}}});
        let cases = [
            (json!({"name": "cpus", "kind": "list", "values": ["0", "1", "5"]}), 3),
            (json!({"name": "cpus", "kind": "groups", "groups": [["0", "1"], ["2", "3"]]}), 4),
            (json!({"name": "cpus", "kind": "range", "start": 0, "end": 7}), 8),
            (json!({"name": "cpus", "kind": "range", "start": 0, "end": u64::MAX}), 65_536),
            (json!({"name": "cpus", "kind": "new"}), 1),
            (json!("odd"), 1),
        ];
        for (cpus, count) in cases {
            assert_eq!(cores(&worker(cpus.clone())), count, "{cpus}");
        }
    }

    #[test]
    fn errors_of_hq_are_found_in_json_and_in_text() {
        assert_eq!(complaint(b"{\"error\": \"no\\nserver\"}").as_deref(), Some("no server"));
        assert_eq!(complaint(b"no  server\n").as_deref(), Some("no server"));
        assert_eq!(complaint(b" \n"), None);
    }
}
