//! Results of `crewlab run` as a shelf: one folder, or several side by side in one.

use anyhow::Context;
use crewlab_live::shelf::{Shelf, ShelfRun};
use crewlab_scenario::Request;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs in folders.
#[derive(Debug)]
pub struct Results {
    title: String,
    runs: Vec<Run>,
}

/// The results of one run.
#[derive(Debug)]
struct Run {
    folder: PathBuf,
    /// The folder's name.
    key: String,
    scenario: String,
    seed: u64,
    /// The version of the program that made it.
    version: String,
}

impl Results {
    /// The run whose results a folder holds, or those whose results are in its subfolders; `None` if there are
    /// none.
    pub fn read(folder: &Path) -> anyhow::Result<Option<Results>> {
        let at = folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
        let title = name_of(&at);
        if let Some(run) = Run::read(&at) {
            return Ok(Some(Results { title, runs: vec![run] }));
        }
        let mut runs: Vec<Run> = within(&at)?.iter().filter_map(|inside| Run::read(inside)).collect();
        runs.sort_by(|a, b| (&a.scenario, a.seed, &a.key).cmp(&(&b.scenario, b.seed, &b.key)));
        Ok((!runs.is_empty()).then_some(Results { title, runs }))
    }

    /// Why repeated runs may differ.
    pub fn doubts(&self) -> Option<String> {
        self.runs.iter().find_map(|run| crewlab_lab::doubt(&run.key, &run.version))
    }
}

impl Shelf for Results {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn list(&self) -> Vec<ShelfRun> {
        self.runs.iter().map(Run::entry).collect()
    }

    fn run(&self, key: &str) -> Result<Request, String> {
        let found = self.runs.iter().find(|run| run.key == key);
        found.ok_or_else(|| format!("there is no run `{key}` in {}", self.title))?.request()
    }

    fn report(&self) -> Option<String> {
        let [only] = &self.runs[..] else { return None };
        fs::read_to_string(only.folder.join("report.html")).ok()
    }
}

impl Run {
    /// The run whose results a folder holds, if it does.
    fn read(folder: &Path) -> Option<Run> {
        let manifest = json(folder, "manifest.json");
        manifest["result_hash"].as_str()?;
        if !folder.join("scenario.yaml").is_file() {
            return None;
        }
        Some(Run {
            key: name_of(folder),
            scenario: manifest["scenario"].as_str()?.into(),
            seed: manifest["seed"].as_u64()?,
            version: manifest["crewlab"].as_str()?.into(),
            folder: folder.to_path_buf(),
        })
    }

    /// The scenario in the folder is complete, with its seed.
    fn request(&self) -> Result<Request, String> {
        let file = self.folder.join("scenario.yaml");
        let text =
            fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        Ok(Request { scenario: self.scenario.clone(), text: Some(text), ..Request::default() })
    }

    fn entry(&self) -> ShelfRun {
        let summary = json(&self.folder, "summary.json");
        let coordinator = summary["coordinator"].as_str().map_or(String::new(), |name| format!("{name}, "));
        let note = match (summary["completed"].as_bool(), summary["time_s"].as_f64()) {
            (Some(true), Some(time)) => format!("completed after {time} s"),
            (Some(false), Some(time)) => {
                let done = summary["progress"].as_f64().unwrap_or_default() * 100.0;
                format!("not completed: {done:.0} % done after {time} s")
            }
            _ => String::new(),
        };
        let title = format!("{}, {coordinator}seed {}", self.scenario, self.seed);
        ShelfRun { key: self.key.clone(), title, note }
    }
}

/// The entries of a folder.
pub fn within(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.with_context(cannot)?;
    paths.sort();
    Ok(paths)
}

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A JSON file; null if there is none.
fn json(folder: &Path, name: &str) -> Value {
    let bytes = fs::read(folder.join(name)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}
