//! Terminal output.

use anyhow::Context;
use crewlab_scenario::Problems;
use std::io::{self, IsTerminal, Write};

/// True if colours should be used on standard error.
pub fn colour() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Shows an error with its causes.
pub fn complain(error: &anyhow::Error) {
    match error.downcast_ref::<Problems>() {
        Some(problems) => {
            // The context of the problems, if there is one.
            if error.chain().count() > 1 {
                eprintln!("error: {error}:");
            }
            eprint!("{}", problems.render(colour()));
        }
        None => eprintln!("error: {error:#}"),
    }
}

/// Shows warnings.
pub fn warn(problems: &Problems) {
    if !problems.diagnostics.is_empty() {
        eprint!("{}", problems.render(colour()));
    }
}

/// Prints to standard output. A closed reader (`| head`) is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}
