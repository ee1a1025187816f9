//! The result of a hunt.

use super::judge::{End, Judge};
use super::mishap::Schedule;
use super::search::Tried;
use super::shrink::Steps;
use crewlab_scenario::Scenario;
use serde::Serialize;
use std::fmt::Write;

/// The result of a hunt.
#[derive(Clone, Debug, Serialize)]
pub struct BreakReport {
    /// The scenario's name.
    pub scenario: String,
    /// The coordinator to defeat.
    pub coordinator: String,
    /// Coordinators to spare.
    pub spare: Vec<String>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The scenario's time limit. [s]
    pub until_s: f64,
    /// The goal of a mission without an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The undisturbed runs.
    pub undisturbed: Vec<Shown>,
    /// The schedules tried, by size.
    pub tried: Vec<Tried>,
    /// The schedule found, if there is one.
    pub found: Option<Defeat>,
    /// Number of distinct runs requested.
    pub runs: usize,
    /// Number of runs in which the program failed: bugs.
    pub broken_down: usize,
    /// The first of those error messages.
    pub first_breakdown: Option<String>,
}

/// A run that demonstrates the result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// Its coordinator.
    pub coordinator: String,
    /// Its seed.
    pub seed: u64,
    /// True if the mission was completed.
    pub completed: bool,
    /// Completion time. [s]
    pub time_s: Option<f64>,
    /// The share of the mission that was done.
    pub progress: f64,
    /// The measures that the goal names, if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(&'static str, Option<f64>)>,
}

impl Shown {
    pub(super) fn new(coordinator: String, seed: u64, end: &End) -> Shown {
        let (completed, time_s, progress, measures) = match end {
            End::Completed(run) => (true, Some(run.time), 1.0, run.measures.clone()),
            End::NotCompleted(run) => (false, None, run.progress, run.measures.clone()),
            End::Broken => (false, None, 0.0, Vec::new()),
        };
        Shown { coordinator, seed, completed, time_s, progress, measures }
    }

    /// Its end in words.
    fn words(&self) -> String {
        match (self.time_s, measured(&self.measures)) {
            (Some(_), Some(measured)) => format!("completed, {measured}"),
            (None, Some(measured)) => format!("not completed, {measured}"),
            (Some(time), None) => format!("completed after {time:.0} s"),
            (None, None) => format!("not completed, {:.0} % done", self.progress * 100.0),
        }
    }
}

/// Measures with their values, if there are any.
pub(super) fn measured(measures: &[(&'static str, Option<f64>)]) -> Option<String> {
    let one = |(name, value): &(&str, Option<f64>)| match value {
        Some(value) => format!("{name} {}", (value * 1e3).round() / 1e3),
        None => format!("{name} undefined"),
    };
    (!measures.is_empty()).then(|| measures.iter().map(one).collect::<Vec<_>>().join(" and "))
}

/// A schedule that defeats the team.
#[derive(Clone, Debug, Serialize)]
pub struct Defeat {
    /// The schedule as first found, one line of YAML per disturbance.
    pub first: Vec<String>,
    /// The schedule after shrinking.
    pub schedule: Vec<String>,
    /// Descriptions of its disturbances.
    pub words: Vec<String>,
    /// What shrinking did.
    pub steps: Steps,
    /// True if no single step makes it smaller; false if the budget was used up before that was known.
    pub minimal: bool,
    /// Runs of the scenario below, under every coordinator and with every seed.
    pub shown: Vec<Shown>,
    /// The scenario, without comments.
    pub text: String,
}

impl Defeat {
    pub(super) fn new(
        first: &Schedule,
        schedule: &Schedule,
        steps: Steps,
        minimal: bool,
        shown: Vec<Shown>,
        text: String,
    ) -> Defeat {
        let words = schedule.mishaps().iter().map(|mishap| mishap.words()).collect();
        Defeat { first: first.lines(), schedule: schedule.lines(), words, steps, minimal, shown, text }
    }
}

impl BreakReport {
    pub(super) fn new(scenario: &Scenario, judge: &Judge, undisturbed: Vec<Shown>) -> BreakReport {
        let names =
            |sides: &[super::judge::Side]| sides.iter().map(|side| side.coordinator.clone()).collect();
        BreakReport {
            scenario: scenario.name.clone(),
            coordinator: judge.sides[0].coordinator.clone(),
            spare: names(&judge.sides[1..]),
            seeds: judge.seeds.clone(),
            until_s: judge.sides[0].until,
            goal: judge.sides[0].goal.as_ref().map(|goal| goal.text().to_string()),
            undisturbed,
            tried: Vec::new(),
            found: None,
            runs: 0,
            broken_down: 0,
            first_breakdown: None,
        }
    }

    /// The found scenario with a comment that explains the result, the command that found it and how to reproduce it. `file` is the
    /// name of the file.
    pub fn file(&self, command: &str, file: &str) -> Option<String> {
        let found = self.found.as_ref()?;
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = writeln!(text, "# {}", self.sentence());
        let _ = writeln!(text, "# What goes wrong: {}.", one_line(&found.words.join("; ")));
        let _ = writeln!(text, "# Found by: {}", one_line(command));
        let _ = writeln!(text, "# To reproduce it:");
        for (command, what) in self.commands(file) {
            let _ = writeln!(text, "#   {}   # {what}", one_line(&command));
        }
        Some(text + &found.text)
    }

    /// What the scenario shows, in one sentence.
    pub fn sentence(&self) -> String {
        let spare = match &self.spare[..] {
            [] => String::new(),
            names => format!(", and {} {}", ticked(names), if names.len() == 1 { "does" } else { "do" }),
        };
        let fails = match &self.goal {
            Some(goal) => format!("does not reach the goal `{goal}` of this mission at"),
            None => "does not complete this mission within".into(),
        };
        let (until, seeds) = (time(self.until_s), seeds(&self.seeds));
        format!("`{}` {fails} {until}, with {seeds}{spare}.", self.coordinator)
    }

    /// Commands that reproduce the result, with their outcomes.
    pub fn commands(&self, file: &str) -> Vec<(String, String)> {
        let file = quoted(file);
        let mut all = vec![(format!("crewlab run {file}"), "not completed, exit code 3".to_string())];
        for name in &self.spare {
            all.push((format!("crewlab run {file} --set team.coordinator={name}"), "completed".into()));
        }
        all.push((format!("crewlab live {file}"), "in the browser".into()));
        all
    }

    /// The report as text.
    pub fn readable(&self) -> String {
        let mut text = String::new();
        let spared = match &self.spare[..] {
            [] => String::new(),
            names => format!(", spare {}", names.join(", ")),
        };
        let _ =
            writeln!(text, "{}: defeat {}{spared}; {}", self.scenario, self.coordinator, seeds(&self.seeds));
        for name in [&self.coordinator].into_iter().chain(&self.spare) {
            let _ = writeln!(text, "  undisturbed, {}", self.unhindered(name));
        }
        let _ = writeln!(text);
        for tried in &self.tried {
            let _ = writeln!(text, "  {}", line(tried));
        }
        if let Some(reason) = &self.first_breakdown {
            let _ =
                writeln!(text, "  {} runs failed because of a bug in crewlab: {reason}", self.broken_down);
        }
        let _ = writeln!(text);
        let Some(found) = &self.found else {
            let _ = writeln!(text, "Nothing was found in {} runs: {}", self.runs, self.nothing());
            return text;
        };
        let _ = writeln!(text, "{}", self.sentence());
        for (words, line) in found.words.iter().zip(&found.schedule) {
            let _ = writeln!(text, "  {words}\n      {line}");
        }
        let _ = writeln!(text, "  {}", shrunk(found));
        let _ = writeln!(text);
        for shown in &found.shown {
            let _ = writeln!(text, "  seed {:<4} {:<10} {}", shown.seed, shown.coordinator, shown.words());
        }
        let _ = writeln!(text, "  {} runs in total", self.runs);
        text
    }

    /// What a coordinator's undisturbed runs are like.
    fn unhindered(&self, name: &str) -> String {
        let runs = self.undisturbed.iter().filter(|shown| shown.coordinator == *name);
        if let Some(goal) = &self.goal {
            let ends: Vec<String> = runs.filter_map(|shown| measured(&shown.measures)).collect();
            return format!("{name} reaches `{goal}`: {}", ends.join("; "));
        }
        let times = runs.filter_map(|shown| shown.time_s).map(|time| format!("{time:.0} s"));
        format!("{name} completes it after {}", times.collect::<Vec<_>>().join(", "))
    }

    fn nothing(&self) -> &'static str {
        match self.tried.iter().all(|tried| tried.exhaustive) {
            true => "no schedule of these sizes, kinds and times defeats the team. Try a larger --most.",
            false => "the search was not exhaustive. A larger --budget tries more schedules.",
        }
    }
}

fn line(tried: &Tried) -> String {
    let things = if tried.size == 1 { "disturbance " } else { "disturbances" };
    let of = match (tried.of, tried.exhaustive, tried.found) {
        (Some(of), true, true) => format!("of {of}, the smallest first"),
        (Some(of), true, false) if of == tried.schedules => "all of them".into(),
        (Some(of), ..) => format!("of {of}, not all"),
        (None, ..) => "the most promising, not all".into(),
    };
    let mut words = format!(
        "{} {things}  {} schedules tried ({of}), not completed in time on the first seed: {}",
        tried.size, tried.schedules, tried.not_completed
    );
    if tried.survived > 0 {
        let _ = write!(words, "; {} of them completed with more time or another seed", tried.survived);
    }
    if tried.not_spared > 0 {
        let _ = write!(words, "; {} of them also defeated a coordinator to spare", tried.not_spared);
    }
    words
}

fn shrunk(found: &Defeat) -> String {
    let Steps { tried, removed, milder, lowered, shortened, later } = found.steps;
    let did = [
        (removed, "removed"),
        (milder, "replaced by a milder one"),
        (lowered, "lowered"),
        (shortened, "shortened"),
        (later, "delayed"),
    ];
    let did: Vec<String> =
        did.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let did = if did.is_empty() { "nothing could be made smaller".into() } else { did.join(", ") };
    let end = match found.minimal {
        true => "no single step makes it smaller",
        false => "the budget was used up, so a smaller one may exist",
    };
    format!("shrinking: found as {}; {tried} smaller ones tried, {did}; {end}", found.first.join(" "))
}

/// A time limit as text.
pub(super) fn time(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    if minutes >= 2.0 && minutes.fract() == 0.0 { format!("{minutes} min") } else { format!("{seconds} s") }
}

fn seeds(seeds: &[u64]) -> String {
    match seeds {
        [one] => format!("seed {one}"),
        [first, .., last] => format!("seeds {first} to {last}"),
        [] => "no seed".into(),
    }
}

fn ticked(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

/// Replaces line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A word, quoted for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
