//! A coordinator's self-description: parameters and their checks, words for its gauges, guarantees, and memory from run to run.
//! Other code shows it without knowing which coordinator it is.

use crate::memory::Memories;
use crate::picture::{Picture, Standing};
use crate::placed::{Misfit, Placed};
use crewlab_onboard::{Coordinator, Identity, IndicatorSpec, RobotId, SignalSpec, TaskSpec, Time};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The environment in which a coordinator boots.
pub struct Boot<'a> {
    /// The robot.
    pub me: &'a Identity,
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// Names and numbers of the robots known in advance, for parameters that concern one of them. More may join.
    pub roster: &'a [(String, RobotId)],
    /// What the mission's software offers to conditions and bids of a plan.
    pub signals: &'a [SignalSpec],
    /// Robots of the roster that join later, if at all.
    pub reserve: &'a [RobotId],
    /// True if the hardware starts its software anew during a mission: what it knew before is lost.
    pub restarted: bool,
}

/// A missing parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its key.
    pub key: String,
    /// The behaviour set it is missing for; `None` if it is needed in any case.
    pub behaviour: Option<String>,
}

/// Words for the levels that a coordinator's gauges show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaugeWords {
    /// One of them, such as `motivation`.
    pub name: &'static str,
    /// Many of them.
    pub plural: &'static str,
    /// The unit; empty without one.
    pub unit: &'static str,
    /// What a high level means, in one or two sentences; empty if there is nothing to say.
    pub meaning: &'static str,
}

impl GaugeWords {
    /// Words for any level.
    pub const LEVEL: GaugeWords = GaugeWords { name: "level", plural: "levels", unit: "", meaning: "" };
}

/// What holds for every run, as far as it can be checked in advance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guarantee {
    /// Conditions that are fulfilled.
    pub kept: Vec<String>,
    /// Conditions that are not.
    pub breaches: Vec<String>,
}

/// A table for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainTable {
    /// Its heading.
    pub heading: String,
    /// How to read it.
    pub note: String,
    /// The columns' headings.
    pub columns: Vec<String>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<String>>,
}

/// A way to learn that `crewlab learn --strategy` accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearningStrategy {
    /// Its name.
    pub name: &'static str,
    /// What adapts, in a few words.
    pub summary: &'static str,
}

/// A parameter that may name a file: the file's content takes the place of its name before anything is checked, so that messages show
/// the file and a resolved scenario needs none.
#[derive(Clone, Copy)]
pub struct FileContent {
    /// The parameter.
    pub key: &'static str,
    /// The extension of files in a format of their own; all others are YAML, as scenarios are.
    pub extension: &'static str,
    /// The content of such a file, if it can be used, and what cannot be.
    pub import: fn(&str) -> (Option<Placed>, Vec<Misfit>),
}

/// How a team starts one run of a chain of runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lesson<'a> {
    /// Replaces the strategy of the parameters.
    pub strategy: Option<&'a str>,
    /// True if the team shall explore in this run.
    pub explore: bool,
    /// The team's memory of the previous runs; `None` in the first run.
    pub memories: Option<&'a Memories>,
}

/// A coordinator that a scenario can choose by name.
pub trait Plugin: Coordinator + Sized {
    /// A one-line description.
    const SUMMARY: &'static str;
    /// True if a robot keeps an exclusive task until it is done, even if it gets nowhere: nobody takes it over.
    const KEEPS: bool = false;
    /// What its gauges measure.
    const GAUGE: GaugeWords = GaugeWords::LEVEL;
    /// The numbers that it gives about how its work goes.
    const INDICATORS: &'static [IndicatorSpec] = &[];
    /// A parameter that names a file with all other parameters. If it is given, the mission's defaults are ignored.
    const FILE: Option<&'static str> = None;
    /// A parameter that may be the name of a file with its value.
    const CONTENT: Option<FileContent> = None;
    /// Ways to learn from run to run, the default last; none if it does not learn.
    const STRATEGIES: &'static [LearningStrategy] = &[];
    /// Its parameters, as in the scenario under `team.<name>`.
    type Params: Default + Clone + std::fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Boots it on one robot, or returns the missing parameters.
    fn boot(params: &Self::Params, boot: &Boot) -> Result<Self, Vec<Missing>>;

    /// Checks the parameters under `team.<name>` beyond their schema, and replaces files by their content.
    fn prepare(_said: &mut Value, _preparation: &mut Preparation) {}

    /// The plan that a team carries out with these parameters; `None` if it has none.
    fn picture(_params: &Self::Params, _tasks: &[TaskSpec]) -> Option<Picture> {
        None
    }

    /// Where the robot stands in the plan of [`Plugin::picture`]; `None` if there is no plan, or if it has not begun yet.
    fn standing(&self) -> Option<Standing> {
        None
    }

    /// True while the robot has stopped because it hears too few of its team to act safely.
    fn withdrawn(&self) -> bool {
        false
    }

    /// The level at which a gauge makes a robot act, for plots.
    fn threshold(_params: &Self::Params) -> Option<f64> {
        None
    }

    /// What it guarantees for a team, one entry per robot, for `crewlab check`.
    fn guarantee(_params: &Self::Params, _team: &[Boot]) -> Guarantee {
        Guarantee::default()
    }

    /// Number of messages that must be heard one after the other before robots begin to work on something: long ticks delay each.
    fn talks(_params: &Self::Params) -> u32 {
        0
    }

    /// The values of its [`Plugin::INDICATORS`], in that order; `None` for one that is undefined now.
    fn indicators(&self, _now: Time) -> Vec<Option<f64>> {
        Vec::new()
    }

    /// The robot's memory for the next run; `None` if it does not learn.
    fn memory(&self, _boot: &Boot, _now: Time) -> Option<Value> {
        None
    }

    /// The strategy with which a team learns; `None` if it does not learn with these parameters.
    fn strategy(_params: &Self::Params) -> Option<&'static str> {
        None
    }

    /// Makes a team learn.
    fn teach(_params: &mut Self::Params, _lesson: &Lesson) {}

    /// Disables learning: only the hand-set values remain.
    fn unteach(_params: &mut Self::Params) {}

    /// A team's memory, for people.
    fn remembered(_memories: &Memories) -> Option<PlainTable> {
        None
    }
}

/// Boxed, so that small coordinators of many robots do not pay for the size of large ones.
impl<P: Plugin> Plugin for Box<P> {
    const SUMMARY: &'static str = P::SUMMARY;
    const KEEPS: bool = P::KEEPS;
    const GAUGE: GaugeWords = P::GAUGE;
    const INDICATORS: &'static [IndicatorSpec] = P::INDICATORS;
    const FILE: Option<&'static str> = P::FILE;
    const CONTENT: Option<FileContent> = P::CONTENT;
    const STRATEGIES: &'static [LearningStrategy] = P::STRATEGIES;
    type Params = P::Params;

    fn boot(params: &P::Params, boot: &Boot) -> Result<Box<P>, Vec<Missing>> {
        P::boot(params, boot).map(Box::new)
    }

    fn prepare(said: &mut Value, preparation: &mut Preparation) {
        P::prepare(said, preparation);
    }

    fn picture(params: &P::Params, tasks: &[TaskSpec]) -> Option<Picture> {
        P::picture(params, tasks)
    }

    fn standing(&self) -> Option<Standing> {
        (**self).standing()
    }

    fn withdrawn(&self) -> bool {
        (**self).withdrawn()
    }

    fn threshold(params: &P::Params) -> Option<f64> {
        P::threshold(params)
    }

    fn guarantee(params: &P::Params, team: &[Boot]) -> Guarantee {
        P::guarantee(params, team)
    }

    fn talks(params: &P::Params) -> u32 {
        P::talks(params)
    }

    fn indicators(&self, now: Time) -> Vec<Option<f64>> {
        (**self).indicators(now)
    }

    fn memory(&self, boot: &Boot, now: Time) -> Option<Value> {
        (**self).memory(boot, now)
    }

    fn strategy(params: &P::Params) -> Option<&'static str> {
        P::strategy(params)
    }

    fn teach(params: &mut P::Params, lesson: &Lesson) {
        P::teach(params, lesson);
    }

    fn unteach(params: &mut P::Params) {
        P::unteach(params);
    }

    fn remembered(memories: &Memories) -> Option<PlainTable> {
        P::remembered(memories)
    }
}

/// Names that parameters may refer to, files that they may name, and findings.
pub struct Preparation<'a> {
    /// The robots of the team.
    pub robots: Vec<&'a str>,
    /// The robot types.
    pub types: Vec<&'a str>,
    /// All behaviour sets of the mission.
    pub sets: Vec<&'a str>,
    /// The behaviour sets that robots of the team have.
    pub team_sets: Vec<&'a str>,
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// The mission's signals.
    pub signals: Vec<&'a str>,
    /// The effectors that robots of the team have.
    pub effectors: Vec<&'a str>,
    /// The effectors of each robot, in the order of `robots`.
    pub fitted: Vec<Vec<&'a str>>,
    /// Reads a file next to the scenario; the error is a sentence.
    pub read: &'a mut dyn FnMut(&str) -> Result<TextFile, String>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// A file that parameters name.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// Its number, for [`Finding::in_line`].
    pub number: usize,
    /// Its name for people.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Something wrong or unusual about parameters, and its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// True if the scenario can be used nevertheless.
    pub warning: bool,
    /// What is wrong and what is accepted.
    pub message: String,
    /// The path of the key below `team.<name>`; `None` if there is no place to show.
    pub path: Option<String>,
    /// True if the key itself is wrong, not its value. Users are not responsible for keys of a mission's defaults: findings about
    /// them are dropped.
    pub key: bool,
    /// A line of a file, counted from 1, with the file's number.
    pub line: Option<(usize, usize)>,
    /// An unknown word, and the known words: the nearest one is suggested.
    pub unknown: Option<(String, Vec<String>)>,
    /// True if the known words are listed, too.
    pub list: bool,
}

impl Finding {
    /// An error.
    pub fn error(message: impl Into<String>) -> Finding {
        Finding { message: message.into(), ..Finding::default() }
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Finding {
        Finding { warning: true, ..Finding::error(message) }
    }

    /// About the value at a path below `team.<name>`.
    pub fn at(self, path: impl Into<String>) -> Finding {
        Finding { path: Some(path.into()), ..self }
    }

    /// About a key at a path below `team.<name>`.
    pub fn at_key(self, path: impl Into<String>) -> Finding {
        Finding { key: true, ..self.at(path) }
    }

    /// About a line of a file.
    pub fn in_line(self, file: &TextFile, line: usize) -> Finding {
        Finding { line: Some((file.number, line)), ..self }
    }

    /// Suggests the known word that is nearest to an unknown one.
    pub fn unknown<'k>(self, word: &str, known: impl IntoIterator<Item = &'k str>) -> Finding {
        let known = known.into_iter().map(String::from).collect();
        Finding { unknown: Some((word.into(), known)), ..self }
    }

    /// Lists the known words, too.
    pub fn listed(self) -> Finding {
        Finding { list: true, ..self }
    }
}

/// Merges `over` into `base`: maps merge deeply, everything else is replaced.
pub fn overlay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}
