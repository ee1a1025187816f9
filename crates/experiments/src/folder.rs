//! The folder of an experiment: the plan, the journals, and the results.

use crate::plan::Plan;
use crate::store::Key;
use crate::table::Table;
use crewlab_lab::VERSION;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file that marks a folder as an experiment's.
const PLAN: &str = "plan.json";

/// The file that the first process in a folder locks.
const LOCK: &str = "sweep.lock";

/// The other files and folders that experiments create.
const LEFT_BEHIND: [&str; 15] = [
    "journal",
    "hq",
    "plots",
    "runs.csv",
    "runs.parquet",
    "cells.csv",
    "cells.parquet",
    "comparisons.csv",
    "comparisons.parquet",
    "candidates.csv",
    "candidates.parquet",
    "summary.json",
    "report.html",
    "tuned.yaml",
    "tuning.yaml",
];

/// A folder that belongs to an experiment.
#[derive(Debug)]
pub struct ExperimentFolder {
    path: PathBuf,
    /// The lock, held by the first process until it ends; the system releases it if the process is killed.
    first: Option<File>,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It has results already.
    #[error(
        "{0} already has results: use --resume to continue, --force to replace them, or --out to choose another folder"
    )]
    Exists(PathBuf),
    /// It has other content.
    #[error("{0} exists and contains no experiment: choose another folder with --out")]
    NotOurs(PathBuf),
    /// It belongs to another experiment.
    #[error(
        "{0} contains the experiment `{1}`, but this is the different experiment `{2}` (another name or purpose, or no common cell): choose another folder with --out"
    )]
    Another(PathBuf, String, String),
    /// Its results were made by another version of the program.
    #[error(
        "{0} was started by crewlab {1}, but this is crewlab {VERSION}, whose results may differ: continue with that version, choose another folder with --out, or repeat all runs with --force"
    )]
    Version(PathBuf, String),
    /// Another process uses it.
    #[error(
        "another process is working in {0}: wait until it ends, or choose another folder with --out (with --resume, both processes share the work of the same experiment)"
    )]
    Busy(PathBuf),
    /// It has no experiment.
    #[error("{0} contains no experiment: it has no {PLAN}")]
    Nothing(PathBuf),
    /// The plan cannot be read.
    #[error("{0} cannot be read: {1}; was it made by another version?")]
    Broken(PathBuf, String),
    /// Reading or writing failed.
    #[error("cannot use {0}: {1}")]
    Io(PathBuf, io::Error),
}

/// A plan as stored: with the version of the program that made it.
#[derive(Serialize)]
struct Kept<'a> {
    version: &'a str,
    #[serde(flatten)]
    plan: &'a Plan,
}

/// The plan in a folder.
pub fn read_plan(folder: &Path) -> Result<Plan, FolderError> {
    parse_plan(folder, &plan_bytes(folder)?)
}

/// The stored plan of a folder.
pub(crate) fn plan_bytes(folder: &Path) -> Result<Vec<u8>, FolderError> {
    let path = folder.join(PLAN);
    fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => FolderError::Nothing(folder.to_path_buf()),
        _ => FolderError::Io(path, error),
    })
}

/// Parses a stored plan.
pub(crate) fn parse_plan(folder: &Path, bytes: &[u8]) -> Result<Plan, FolderError> {
    let broken = |why: String| FolderError::Broken(folder.join(PLAN), why);
    let plan: Plan = serde_json::from_slice(bytes).map_err(|error| broken(error.to_string()))?;
    for cell in &plan.cells {
        if cell.levels.len() != plan.factors.len() {
            return Err(broken("a cell does not have one level per factor".into()));
        }
        // Its results would be stored as those of another scenario.
        if cell.fingerprint != Key::fingerprint(&cell.scenario) {
            let title = cell.title();
            return Err(broken(format!(
                "the scenario of the cell `{title}` was changed after it was planned"
            )));
        }
    }
    Ok(plan)
}

/// True if a folder is empty except for what a process killed at its start may have left.
fn is_as_good_as_empty(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != LOCK && !name.starts_with(&format!("{PLAN}.partial-")) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The version of the program that made the plan in a folder.
pub fn version(folder: &Path) -> Result<String, FolderError> {
    Ok(version_of(&plan_bytes(folder)?).unwrap_or("unknown".into()))
}

/// The version of the program that made a plan, if the plan says so.
pub(crate) fn version_of(plan: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Made {
        version: String,
    }
    serde_json::from_slice(plan).ok().map(|Made { version }| version)
}

/// True if a folder belongs to an experiment.
pub fn is_experiment(folder: &Path) -> bool {
    folder.join(PLAN).is_file()
}

impl ExperimentFolder {
    /// A folder for a plan: a new one, or one whose runs are resumed.
    pub fn claim(
        path: &Path,
        plan: &Plan,
        resume: bool,
        force: bool,
    ) -> Result<ExperimentFolder, FolderError> {
        let failed = |error| FolderError::Io(path.to_path_buf(), error);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        // Created atomically, so that only one of two concurrent processes succeeds.
        let there = match fs::create_dir(path) {
            Ok(()) => None,
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            Err(_) => match read_plan(path) {
                Ok(there) => Some(there),
                Err(FolderError::Nothing(_)) if is_as_good_as_empty(path).map_err(failed)? => None,
                Err(FolderError::Nothing(_)) => return Err(FolderError::NotOurs(path.to_path_buf())),
                Err(error) => return Err(error),
            },
        };
        if there.is_some() && !resume && !force {
            return Err(FolderError::Exists(path.to_path_buf()));
        }
        if let Some(there) = there.as_ref().filter(|_| !force) {
            let found = version(path)?;
            if found != VERSION {
                return Err(FolderError::Version(path.to_path_buf(), found));
            }
            if !there.is_like(plan) {
                return Err(FolderError::Another(path.to_path_buf(), there.name.clone(), plan.name.clone()));
            }
        }
        let mut folder = ExperimentFolder { path: path.to_path_buf(), first: None };
        folder.first = folder.lock()?;
        let same = there.as_ref() == Some(plan) && !force;
        if !same && folder.first.is_none() {
            return Err(FolderError::Busy(path.to_path_buf()));
        }
        if force && there.is_some() {
            folder.clear()?;
        }
        if !same {
            let kept = Kept { version: VERSION, plan };
            let text = serde_json::to_string_pretty(&kept).map_err(|error| failed(error.into()))?;
            folder.write(PLAN, format!("{text}\n").as_bytes())?;
        }
        Ok(folder)
    }

    /// Removes what experiments create in a folder, and nothing else; the plan last, so that the folder stays ours until then.
    fn clear(&self) -> Result<(), FolderError> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| FolderError::Io(path, error)
        };
        let entries = fs::read_dir(&self.path).map_err(failed(&self.path))?;
        for entry in entries {
            let path = entry.map_err(failed(&self.path))?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let ours = LEFT_BEHIND
                .iter()
                .any(|known| name == *known || name.starts_with(&format!("{known}.partial-")));
            if ours && path.is_dir() {
                fs::remove_dir_all(&path).map_err(failed(&path))?;
            } else if ours {
                fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        let plan = self.path.join(PLAN);
        fs::remove_file(&plan).map_err(failed(&plan))
    }

    /// The folder of an existing experiment.
    pub fn open(path: &Path) -> ExperimentFolder {
        ExperimentFolder { path: path.to_path_buf(), first: None }
    }

    fn lock(&self) -> Result<Option<File>, FolderError> {
        let path = self.path.join(LOCK);
        let failed = |error| FolderError::Io(path.clone(), error);
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            // A file system without locks: every process counts as the first, and some runs may be done twice.
            Err(TryLockError::Error(_)) => Ok(Some(file)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True unless another process uses it already.
    pub fn is_first(&self) -> bool {
        self.first.is_some()
    }

    /// Writes a file atomically: others see the old one or the new one, never half of it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let target = self.path.join(name);
        let failed = |error| FolderError::Io(target.clone(), error);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut partial = target.clone().into_os_string();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(partial);
        fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, &target)).map_err(|error| {
            // If it cannot be removed either, nothing more can be done.
            let _ = fs::remove_file(&partial);
            failed(error)
        })
    }

    /// Writes a table, as CSV and, if supported, as Parquet.
    pub fn write_table(&self, name: &str, table: &Table) -> Result<(), FolderError> {
        self.write(&format!("{name}.csv"), &table.to_csv())?;
        #[cfg(feature = "parquet")]
        {
            let path = format!("{name}.parquet");
            let failed = |error| FolderError::Io(self.path.join(&path), io::Error::other(error));
            self.write(&path, &table.to_parquet().map_err(failed)?)?;
        }
        Ok(())
    }
}
