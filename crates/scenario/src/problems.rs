//! The errors and warnings of a scenario, ready to be shown.

use super::text::{Diagnostic, Severity, SourceMap, render};
use std::fmt;

/// Diagnostics with the texts they refer to.
#[derive(Debug, Default)]
pub struct Problems {
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: SourceMap,
}

impl Problems {
    /// Number of errors.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// In one line: errors and suggestions, without positions.
    pub fn brief(&self) -> String {
        let said = |found: &Diagnostic| [vec![found.message.clone()], found.help.clone()].concat().join("; ");
        self.diagnostics.iter().map(said).collect::<Vec<_>>().join(". ")
    }

    /// As text, with or without colours for a terminal.
    pub fn render(&self, colour: bool) -> String {
        render(&self.diagnostics, &self.sources, colour)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Problems {}
