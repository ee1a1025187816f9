//! What is wrong with a scenario, ready to be shown.

use super::text::{Diagnostic, Severity, SourceMap, render};
use std::fmt;

/// Everything found wrong, with the texts it refers to.
#[derive(Debug, Default)]
pub struct Problems {
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: SourceMap,
}

impl Problems {
    /// How many of them are errors.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// In one line: what is wrong and what helps, without the places in the text.
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
