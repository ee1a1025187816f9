//! Runs that can be opened instead of the current one.
//!
//! The laboratory does not know where they come from: its caller provides a [`Shelf`], such as the results of one run or of a
//! whole experiment.

use crewlab_scenario::Request;
use serde::Serialize;
use std::fmt;

/// Number of keys listed in an error.
const NAMED: usize = 8;

/// A collection of runs, and the page that reports on them.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// Its title, such as the name of the experiment.
    fn title(&self) -> String;

    /// The runs, in display order. Called when the laboratory opens, and for errors.
    fn list(&self) -> Vec<ShelfRun>;

    /// What to load for the run with this key, or why it is not available. The run need not be in the list. The call may take long:
    /// only the viewer who asked waits.
    fn run(&self, key: &str) -> Result<Request, String>;

    /// The report: a self-contained HTML page. Its links to `replay/KEY` open a run, with the key percent-encoded as one path
    /// segment. Called whenever somebody opens it, and once when the laboratory opens.
    fn report(&self) -> Option<String> {
        None
    }
}

/// A run on a shelf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShelfRun {
    /// Its key.
    pub key: String,
    /// A short description.
    pub title: String,
    /// A note, such as how it ended; may be empty.
    pub note: String,
}

/// The run with this key. If there is none, the error lists the available ones.
pub(crate) fn find(shelf: &dyn Shelf, key: &str) -> Result<Request, String> {
    shelf.run(key).map_err(|why| {
        let list = shelf.list();
        if list.is_empty() || list.iter().any(|entry| entry.key == key) {
            return why;
        }
        let named: Vec<String> = list.iter().take(NAMED).map(|entry| format!("`{}`", entry.key)).collect();
        let more = list.len() - named.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{why}; there are: {}{rest}", named.join(", "))
    })
}
