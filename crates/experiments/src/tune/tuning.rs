//! A tuning file, read and checked.

use super::lookup::look_up;
use super::space::{Domain, Parameter, Setting, Space, Span};
use super::spec::{Goal, ParameterSpec, TuningSpec};
use crate::file::factor::number_in;
use crate::file::{Findings, PlanError, check_name, label, metric, seeds};
use crate::metrics::{Better, Metric};
use crate::plan::{Cell, Factor, Plan, Purpose};
use crewlab_scenario::{Document, Problems, Request, load};
use serde_json::Value;
use std::path::Path;

/// The most parameters that are accepted; more cannot be searched with any budget.
const MOST_PARAMETERS: usize = 50;
/// The most initial candidates that are chosen by default.
const MOST_AT_FIRST: usize = 20;

/// A tuning, ready to run.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Its name.
    pub name: String,
    /// The base scenario, as requested.
    pub scenario: String,
    /// The file's text.
    pub asked: String,
    /// The search space.
    pub space: Space,
    /// The scenario's value of each parameter.
    pub given: Vec<Given>,
    /// The metric to improve.
    pub metric: &'static Metric,
    /// The metric's index in a row.
    pub column: usize,
    /// Which direction is better.
    pub goal: Goal,
    /// The seeds of the search.
    pub seeds: Vec<u64>,
    /// The seeds of the final comparison.
    pub held_out: Vec<u64>,
    /// Number of candidates, including the default.
    pub candidates: usize,
    /// Number of candidates that are spread evenly at first.
    pub start: usize,
    /// Time after which no new run begins. [s]
    pub time: Option<f64>,
    /// Time after which a run is aborted. [s]
    pub per_run: Option<f64>,
    /// The scenario with the changes for all runs.
    request: Request,
    /// The default: the unchanged scenario.
    pub default: Cell,
}

/// The scenario's value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Its label.
    pub shown: String,
    /// The setting, if the search could have chosen it.
    pub setting: Option<Setting>,
}

/// The schema of tuning files, for editors.
pub fn schema() -> Value {
    Document::<TuningSpec>::schema()
}

/// Reads a tuning file.
pub fn read(path: &Path) -> Result<Tuning, PlanError> {
    let document = Document::<TuningSpec>::read(path, "a tuning file")?;
    tuning(&document, path)
}

fn tuning(document: &Document<TuningSpec>, path: &Path) -> Result<Tuning, PlanError> {
    let spec = &document.value;
    let mut wrong = Findings::new();
    let parameters = parameters(document, &mut wrong);
    let mut keep = |found: Findings| wrong.extend(found);
    let measure = metric(document, "metric", &spec.metric)
        .and_then(|(column, metric)| Ok((column, metric, goal(document, metric)?)));
    let measure = measure.map_err(&mut keep).ok();
    let seeds = both_seeds(document).map_err(&mut keep).ok();
    keep(check_name(document, spec.base.name.as_deref()));
    let (Some((column, metric, goal)), Some((seeds, held_out)), true) = (measure, seeds, wrong.is_empty())
    else {
        return Err(document.problems(wrong).into());
    };
    let request = spec.base.request(path);
    let scenario = load(&request)?;
    if metric.name == "time_s" && scenario.setup.mission.endless() {
        let measures: Vec<&str> = scenario.setup.mission.measures().iter().map(|spec| spec.name).collect();
        let message = format!(
            "every run of `{}` lasts until its time limit, so its time cannot be improved: choose another metric, such as {}, or completed with a goal (`run.goal`)",
            scenario.mission,
            measures.join(", ")
        );
        return Err(document.problems(vec![document.error("metric", message)]).into());
    }
    let space = Space { parameters };
    let defaults = defaults(document, &space, &request, &scenario.resolved)?;
    let candidates = spec.candidates.max(2) as usize;
    let start = spec.start.map_or((candidates / 3).clamp(1, MOST_AT_FIRST), |start| start as usize);
    Ok(Tuning {
        name: spec.base.name(path),
        scenario: spec.base.scenario.clone(),
        asked: document.text().to_string(),
        default: Cell::new(defaults.iter().map(|default| default.shown.clone()).collect(), &scenario),
        space,
        given: defaults,
        metric,
        column,
        goal,
        seeds,
        held_out,
        candidates,
        start: start.min(candidates - 1),
        time: spec.budget.time,
        per_run: spec.budget.per_run,
        request,
    })
}

impl Tuning {
    /// The scenario with other values.
    pub fn cell(&self, settings: &[Setting]) -> Result<Cell, Problems> {
        let mut request = self.request.clone();
        request.sets.extend(self.space.sets(settings));
        let labels = settings.iter().map(|setting| setting.shown.clone()).collect();
        load(&request).map(|scenario| Cell::new(labels, &scenario))
    }

    /// The plan that identifies the folder of this tuning: the default on the search seeds. All other runs follow from the file and
    /// from the results of these.
    pub fn plan(&self) -> Plan {
        let unit = |parameter: &Parameter| match &parameter.domain {
            Domain::Numbers(span) => Some(span.unit.clone()),
            Domain::Choices(_) => None,
        };
        let factor = |parameter: &Parameter| Factor { name: parameter.name.clone(), unit: unit(parameter) };
        Plan {
            name: self.name.clone(),
            purpose: Purpose::Tuning,
            scenario: self.scenario.clone(),
            asked: self.asked.clone(),
            factors: self.space.parameters.iter().map(factor).collect(),
            cells: vec![self.default.clone()],
            seeds: self.seeds.clone(),
            left_out: 0,
            metrics: vec![self.metric.name.to_string()],
            time: self.time,
            per_run: self.per_run,
        }
    }
}

fn parameters(document: &Document<TuningSpec>, wrong: &mut Findings) -> Vec<Parameter> {
    let asked = &document.value.parameters;
    if asked.is_empty() || asked.len() > MOST_PARAMETERS {
        let message = format!("from 1 to {MOST_PARAMETERS} parameters are accepted, found {}", asked.len());
        wrong.push(document.error("parameters", message));
        return Vec::new();
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for (name, value) in asked {
        match parameter(document, name, value) {
            Ok(new) => match parameters.iter().find(|known| known.key == new.key) {
                Some(known) => wrong.push(document.error(
                    &format!("parameters.{name}"),
                    format!("`{}` already sets `{}`: only one parameter may set a key", known.name, new.key),
                )),
                None => parameters.push(new),
            },
            Err(found) => wrong.extend(found),
        }
    }
    parameters
}

fn parameter(document: &Document<TuningSpec>, name: &str, value: &Value) -> Result<Parameter, Findings> {
    let path = format!("parameters.{name}");
    let wrong = |message: String| vec![document.error(&path, message)];
    let spec: ParameterSpec = serde_json::from_value(value.clone())
        .map_err(|error| wrong(format!("the parameter cannot be used: {error}")))?;
    let domain = match (spec.choices, spec.from, spec.to) {
        (Some(choices), None, None) => {
            let choices: Vec<(String, String)> =
                choices.iter().map(|choice| (label(choice), choice.to_string())).collect();
            let mut texts: Vec<&String> = choices.iter().map(|(_, text)| text).collect();
            texts.sort();
            if let Some(twice) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(wrong(format!("the choice {} is given twice", twice[0])));
            }
            if choices.len() < 2 {
                return Err(wrong(format!("at least two choices are needed, found {}", choices.len())));
            }
            Domain::Choices(choices)
        }
        (None, Some(from), Some(to)) => {
            let (low, unit) = number_in(document, &path, "from", &from)?;
            let (high, other) = number_in(document, &path, "to", &to)?;
            if unit != other {
                return Err(wrong(format!("`from` and `to` have different units: `{unit}` and `{other}`")));
            }
            Domain::Numbers(Span::new(low, high, unit, spec.scale, spec.whole).map_err(wrong)?)
        }
        _ => {
            let message = "a parameter has either `from` and `to`, or `choices`";
            return Err(wrong(message.into()));
        }
    };
    Ok(Parameter { name: name.to_string(), key: spec.key.unwrap_or_else(|| name.to_string()), domain })
}

fn goal(document: &Document<TuningSpec>, metric: &Metric) -> Result<Goal, Findings> {
    match (document.value.goal, metric.better) {
        (Some(goal), _) => Ok(goal),
        (None, Better::Less) => Ok(Goal::Minimise),
        (None, Better::More) => Ok(Goal::Maximise),
        (None, Better::Neither) => Err(vec![document.error(
            "metric",
            format!(
                "neither less nor more of `{}` is better in itself: add `goal: minimise` or `goal: maximise`",
                metric.name
            ),
        )]),
    }
}

/// The search seeds and the held-out seeds, which are disjoint.
fn both_seeds(document: &Document<TuningSpec>) -> Result<(Vec<u64>, Vec<u64>), Findings> {
    let spec = &document.value;
    let searched = seeds(document, "seeds", &spec.seeds)?;
    let held_out = match &spec.held_out {
        Some(asked) => seeds(document, "held-out", asked)?,
        None => {
            let last = searched.iter().max().copied().unwrap_or(0);
            let end = last.saturating_add(1).saturating_add(searched.len() as u64);
            if end > i64::MAX as u64 {
                let message = "there are no seeds above these to hold out: add `held-out`";
                return Err(vec![document.error("seeds", message)]);
            }
            (last + 1..end).collect()
        }
    };
    let mut sorted = searched.clone();
    sorted.sort_unstable();
    let seen: Vec<u64> = held_out.iter().copied().filter(|seed| sorted.binary_search(seed).is_ok()).collect();
    match seen[..] {
        [] => Ok((searched, held_out)),
        [first, ..] => {
            let many = if seen.len() == 1 { "1 seed is".into() } else { format!("{} seeds are", seen.len()) };
            let message = format!(
                "{many} used both for the search and for the held-out comparison, e.g. {first}: the comparison needs seeds that the search has not seen"
            );
            let path = if spec.held_out.is_some() { "held-out" } else { "seeds" };
            let next = sorted.last().copied().unwrap_or(0).saturating_add(1);
            let help = format!("use others, e.g. `held-out: {{first: {next}, count: {}}}`", held_out.len());
            Err(vec![document.error(path, message).with_help([help])])
        }
    }
}

/// The scenario's value of each parameter. The scenario must accept the ends of every parameter.
fn defaults(
    document: &Document<TuningSpec>,
    space: &Space,
    request: &Request,
    scenario: &Value,
) -> Result<Vec<Given>, PlanError> {
    let mut wrong = Vec::new();
    let mut defaults = Vec::new();
    for parameter in &space.parameters {
        let mut try_out = |setting: &Setting, place: &str| {
            let mut request = request.clone();
            request.sets.push(format!("{}={}", parameter.key, setting.text));
            match load(&request) {
                Ok(scenario) => look_up(&scenario.resolved, &parameter.key).cloned(),
                Err(problems) => {
                    let path = format!("parameters.{}{place}", parameter.name);
                    let message =
                        format!("the scenario does not accept {} for `{}`", setting.shown, parameter.key);
                    wrong.push(document.error(&path, message).with_help([problems.brief()]));
                    None
                }
            }
        };
        let now = look_up(scenario, &parameter.key);
        defaults.push(match &parameter.domain {
            Domain::Numbers(span) => {
                let ends = [(0.0, ".from"), (1.0, ".to")];
                let ends = ends.map(|(place, end)| try_out(&parameter.domain.at(place), end));
                number_now(span, now, ends)
            }
            Domain::Choices(choices) => {
                let tried: Vec<Option<Value>> = (0..choices.len())
                    .map(|choice| try_out(&parameter.domain.at(choice as f64), &format!(".choices.{choice}")))
                    .collect();
                let chosen = tried.iter().position(|value| now.is_some() && value.as_ref() == now);
                let setting = chosen.map(|choice| parameter.domain.at(choice as f64));
                let shown = setting.as_ref().map(|setting| setting.shown.clone());
                Given { shown: shown.unwrap_or_else(|| now.map_or("none".into(), label)), setting }
            }
        });
    }
    if wrong.is_empty() { Ok(defaults) } else { Err(document.problems(wrong).into()) }
}

/// The current value of a number in the file's unit: scenarios have SI units, and their values at the two ends give the factor.
fn number_now(span: &Span, now: Option<&Value>, ends: [Option<Value>; 2]) -> Given {
    let Some(now) = now else { return Given { shown: "none".into(), setting: None } };
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    let converted = match (now.as_f64(), number(&ends[0]), number(&ends[1])) {
        (Some(now), Some(low), Some(high)) if high != low => {
            Some(span.low + (now - low) * (span.high - span.low) / (high - low))
        }
        _ => None,
    };
    match converted {
        Some(value) => {
            // Removes digits that the conversion has added.
            let value: f64 = format!("{value:.9e}").parse().unwrap_or(value);
            let shown = format!("{value} {}", span.unit).trim_end().to_string();
            let setting = span.place(value).map(|place| Setting {
                shown: shown.clone(),
                text: shown.clone(),
                number: value,
                place,
            });
            Given { shown, setting }
        }
        None => Given { shown: label(now), setting: None },
    }
}
