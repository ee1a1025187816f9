//! Runs that can be opened instead of the one that is shown.
//!
//! The laboratory knows nothing of where they come from: whoever starts it hands it a [`Shelf`], such as the results of
//! one run or of a whole experiment.

use crewlab_scenario::Request;
use serde::Serialize;
use std::fmt;

/// Keys that an error names.
const NAMED: usize = 8;

/// Runs that belong together, and the page that reports on them.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// What they have in common, such as the name of the experiment.
    fn title(&self) -> String;

    /// The runs, in the order in which people get to see them. Asked when the laboratory opens, and for errors.
    fn list(&self) -> Vec<Entry>;

    /// What is to be loaded for the run with this key, or why it cannot be had. It may be one that is not in the list.
    /// It may take its time: nobody waits but the viewer who asked.
    fn run(&self, key: &str) -> Result<Request, String>;

    /// The report: an HTML page with everything inside. Its links to `replay/KEY` open a run, with the key encoded as
    /// one part of an address. Asked whenever somebody wants to see it, and once when the laboratory opens.
    fn report(&self) -> Option<String> {
        None
    }
}

/// A run on a shelf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What it is asked for by.
    pub key: String,
    /// What it is, in a few words.
    pub title: String,
    /// What is worth knowing about it, such as how it ended; may be empty.
    pub note: String,
}

/// The run with this key. If there is none, the error tells what there is.
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
