//! The store of an experiment's results. Every process appends to its own journal, one line per run, written at once; the
//! journals of a folder together are the store. So a killed process loses only its unfinished runs, several processes and
//! machines can work on one experiment, and no locks are needed.

mod journal;
mod row;

pub use row::{Failure, Key, RunOutcome, StoredRun};

use crewlab_lab::VERSION;
use journal::{Journal, Reader};
use row::Line;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of journals inside an experiment's folder.
const JOURNALS: &str = "journal";

/// All results in a folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// The version of the program whose rows are read.
    version: String,
    rows: HashMap<Key, RunOutcome>,
    /// Read positions of the journals.
    readers: HashMap<OsString, Reader>,
    /// This process' own journal, once it has written something.
    own: Option<Journal>,
    /// Problems in the journals.
    pub oddities: Oddities,
}

/// Problems in journals. No result is lost: damaged lines are done again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Unreadable lines, except those cut off at the end of a journal.
    pub damaged: u64,
    /// Rows of other versions of the program.
    pub strangers: u64,
    /// Runs with two different results: the program is not reproducible, or not the same.
    pub contradictions: Vec<Key>,
}

/// Results could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {path}: {error}")]
pub struct StoreError {
    path: PathBuf,
    error: io::Error,
}

impl Store {
    /// Opens the store of an experiment's folder for reading and writing; creates it if it is missing.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::made_by(folder, VERSION)
    }

    /// Opens the store of an experiment's folder to read the results of a version of the program.
    pub fn made_by(folder: &Path, version: &str) -> Result<Store, StoreError> {
        let folder = folder.join(JOURNALS);
        fs::create_dir_all(&folder).map_err(|error| StoreError { path: folder.clone(), error })?;
        let mut store = Store {
            folder,
            version: version.to_string(),
            rows: HashMap::new(),
            readers: HashMap::new(),
            own: None,
            oddities: Oddities::default(),
        };
        store.refresh()?;
        Ok(store)
    }

    /// True if a folder has a store.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(JOURNALS).is_dir()
    }

    /// Reads what other processes have added to the journals.
    pub fn refresh(&mut self) -> Result<(), StoreError> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| StoreError { path, error }
        };
        let entries = fs::read_dir(&self.folder).map_err(failed(&self.folder))?;
        // Sorted, so that contradictions are resolved in the same way each time: the first journal counts.
        let mut names: Vec<OsString> = entries
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<Result<_, _>>()
            .map_err(failed(&self.folder))?;
        names.retain(|name| name.to_string_lossy().ends_with(".jsonl"));
        names.sort();
        let own = self.own.as_ref().map(|journal| journal.name().to_os_string());
        for name in names.into_iter().filter(|name| Some(name) != own.as_ref()) {
            let path = self.folder.join(&name);
            let reader = self.readers.entry(name).or_default();
            let lines = reader.read(&path).map_err(failed(&path))?;
            for line in lines.split_inclusive('\n') {
                match StoredRun::read(line.trim_end_matches('\n'), &self.version) {
                    Some(Line::Row(row)) => self.keep(row),
                    Some(Line::Stranger) => self.oddities.strangers += 1,
                    None => self.oddities.damaged += 1,
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, row: StoredRun) {
        match self.rows.entry(row.key) {
            Entry::Vacant(place) => {
                place.insert(row.outcome);
            }
            Entry::Occupied(mut known) => match (known.get(), &row.outcome) {
                // A failure may have external causes, so a second attempt replaces it.
                (RunOutcome::Failed { .. }, _) => {
                    known.insert(row.outcome);
                }
                (RunOutcome::Done { result: one, .. }, RunOutcome::Done { result: two, .. })
                    if one != two =>
                {
                    self.oddities.contradictions.push(row.key);
                }
                _ => {}
            },
        }
    }

    /// The version of the program that made these runs.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The outcome of a run, if it is done.
    pub fn get(&self, key: &Key) -> Option<&RunOutcome> {
        self.rows.get(key)
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Stores a run. When this returns, the operating system has it.
    pub fn put(&mut self, row: StoredRun) -> Result<(), StoreError> {
        let journal = match &mut self.own {
            Some(journal) => journal,
            none => {
                let journal = Journal::create(&self.folder)
                    .map_err(|error| StoreError { path: self.folder.clone(), error })?;
                none.insert(journal)
            }
        };
        let written = journal.append(&row.line(&self.version));
        written.map_err(|error| StoreError { path: self.folder.join(journal.name()), error })?;
        self.keep(row);
        Ok(())
    }

    /// Makes the stored runs survive a loss of power, too.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.own.as_ref().map_or(Ok(()), |journal| {
            journal.sync().map_err(|error| StoreError { path: self.folder.join(journal.name()), error })
        })
    }
}

#[cfg(test)]
mod tests;
