//! The learning parameters of a scenario, checked, with the file of learned values read in.

use super::text::{Diagnostic, SourceMap, Span};
use crewlab_sim::teams::alliance::learning::{LearningParams, Memory, Start, odd_time, parse_memories};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Names that learned values may refer to.
pub(super) struct Names<'a> {
    pub robots: Vec<&'a str>,
    pub sets: Vec<&'a str>,
    pub tasks: Vec<String>,
}

/// The result: warnings about unusable values, or errors with the path of their key.
pub(super) type Checked = Result<Vec<Diagnostic>, Vec<(&'static str, Diagnostic)>>;

/// Reads the file, if there is one, into the values and checks everything.
pub(super) fn check(
    learning: &mut LearningParams,
    folder: &Path,
    names: &Names,
    sources: &mut SourceMap,
) -> Checked {
    let mut errors = Vec::new();
    let mut error = |path: &'static str, message: String| errors.push((path, Diagnostic::error(message)));
    if learning.max_delay < learning.min_delay {
        let (low, high) = (learning.min_delay, learning.max_delay);
        error("max-delay", format!("`max-delay` must not be below `min-delay`, found {high} s and {low} s"));
    }
    let given = learning.file.is_some() || !learning.values.is_empty();
    match learning.start {
        Start::Learned if !given => {
            error("start", "`start: learned` needs a `file`, such as the learned.json of a run".into());
        }
        Start::Neutral | Start::HandSet if given => {
            error("file", "learned values are used only with `start: learned`".into());
        }
        _ => {}
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if let Some(file) = learning.file.take() {
        learning.values =
            read(&folder.join(file), sources).map_err(|diagnostic| vec![("file", *diagnostic)])?;
        let known = |name: &&String| names.robots.contains(&name.as_str());
        if !learning.values.keys().any(|name| known(&name)) {
            let found: Vec<&str> = learning.values.keys().map(String::as_str).collect();
            let message = format!(
                "the learned values are about other robots ({}) than the team's ({})",
                or_nobody(&found),
                or_nobody(&names.robots)
            );
            return Err(vec![("file", Diagnostic::error(message))]);
        }
    }
    for (robot, memory) in &learning.values {
        if let Some((about, time)) = odd_time(memory) {
            let message =
                format!("a time of {robot} at `{about}` must be finite and above 0 s, found {time} s");
            return Err(vec![("values", Diagnostic::error(message))]);
        }
    }
    Ok(strangers(&learning.values, names))
}

fn or_nobody(names: &[&str]) -> String {
    if names.is_empty() { "nobody".into() } else { names.join(", ") }
}

fn read(path: &Path, sources: &mut SourceMap) -> Result<BTreeMap<String, Memory>, Box<Diagnostic>> {
    let name = path.strip_prefix(".").unwrap_or(path).display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Box::new(Diagnostic::error(format!("cannot read {name}: {error}"))))?;
    let source = sources.add(name.clone(), text);
    parse_memories(sources.text(source)).map_err(|message| {
        let line =
            message.rsplit_once(" at line ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        let diagnostic = Diagnostic::error(format!("{name}: {message}"));
        Box::new(match line {
            Some(line) => diagnostic.at(whole_line(sources.text(source), line, source)),
            None => diagnostic,
        })
    })
}

fn whole_line(text: &str, line: usize, source: super::text::SourceId) -> Option<Span> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let length = text.get(start..)?.lines().next().map_or(0, str::len);
    Some(Span::new(source, start, start + length))
}

/// Values for unknown robots, behaviour sets and tasks.
fn strangers(values: &BTreeMap<String, Memory>, names: &Names) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut ignored = |what: &str, name: &str| {
        let message = format!("there is no {what} `{name}`: what was learned about it is ignored");
        let warning = Diagnostic::warning(message);
        if !warnings.iter().any(|known: &Diagnostic| known.message == warning.message) {
            warnings.push(warning);
        }
    };
    for (robot, memory) in values {
        if !names.robots.contains(&robot.as_str()) {
            ignored("robot", robot);
            continue;
        }
        memory
            .own
            .keys()
            .filter(|set| !names.sets.contains(&set.as_str()))
            .for_each(|s| ignored("behaviour set", s));
        for (task, by_robot) in &memory.others {
            if !names.tasks.contains(task) {
                ignored("task", task);
            }
            by_robot.keys().filter(|r| !names.robots.contains(&r.as_str())).for_each(|r| ignored("robot", r));
        }
    }
    warnings
}

/// The learning parameters of the resolved scenario: with values instead of a file.
pub(super) fn resolved(learning: &LearningParams) -> Value {
    serde_json::to_value(learning).unwrap_or_default()
}
