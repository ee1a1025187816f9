//! What is wrong with a scenario, ready to be shown.

use super::text::{Diagnostic, Severity, SourceMap, render};
use std::fmt;

/// Everything found wrong, with the texts it refers to.
#[derive(Debug)]
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
