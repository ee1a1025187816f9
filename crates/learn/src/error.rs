//! Errors in the input: where, what was found and what is accepted.

use std::fmt;

/// Invalid input.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// Where it is, e.g. `column speed` or `row 3`.
    pub place: String,
    /// What was found there.
    pub found: String,
    /// What is accepted there.
    pub accepted: String,
}

impl Error {
    /// An error at a place.
    pub(crate) fn new(
        place: impl Into<String>,
        found: impl fmt::Display,
        accepted: impl Into<String>,
    ) -> Error {
        Error { place: place.into(), found: found.to_string(), accepted: accepted.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: found {}, accepted: {}", self.place, self.found, self.accepted)
    }
}

impl std::error::Error for Error {}
