//! Factors and their levels.

use super::base::{mishaps, sets};
use super::spec::{DescribedFactor, ExperimentSpec, FactorSpec, LevelsSpec, Scale};
use super::{Findings, label, wrong};
use crate::plan::number;
use crewlab_scenario::Document;
use serde_json::Value;

/// A change of the base scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Change {
    pub sets: Vec<String>,
    pub disturbances: Vec<String>,
}

impl Change {
    fn set(key: &str, value: impl std::fmt::Display) -> Change {
        Change { sets: vec![format!("{key}={value}")], ..Change::default() }
    }
}

/// A level: its label, and its changes.
pub(super) type Level = (String, Change);

/// A factor with all its possible levels.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub name: String,
    /// Its position in the file.
    path: String,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    Listed(Vec<Level>),
    Between { key: String, low: f64, high: f64, unit: String, steps: Option<u32>, scale: Scale, whole: bool },
}

impl Range {
    pub(super) fn of(
        document: &Document<ExperimentSpec>,
        name: &str,
        value: &Value,
    ) -> Result<Range, Findings> {
        let path = format!("factors.{name}");
        let spec = serde_json::from_value(value.clone())
            .map_err(|error| wrong(document, &path, format!("the factor cannot be used: {error}")))?;
        let described = match spec {
            FactorSpec::Described(described) => *described,
            FactorSpec::Levels(levels) => {
                DescribedFactor { levels: Some(LevelsSpec::Values(levels)), ..DescribedFactor::default() }
            }
        };
        let values = values(document, name, &path, described)?;
        Ok(Range { name: name.to_string(), path, values })
    }

    /// All levels, for a grid.
    pub(super) fn levels(&self, document: &Document<ExperimentSpec>) -> Result<Vec<Level>, Findings> {
        match &self.values {
            Values::Listed(levels) => Ok(levels.clone()),
            Values::Between { steps: Some(steps), .. } => {
                let last = f64::from(steps - 1);
                let mut levels: Vec<Level> =
                    (0..*steps).map(|step| self.at(f64::from(step) / last)).collect();
                // Rounding to whole numbers may produce duplicates.
                levels.dedup();
                Ok(levels)
            }
            Values::Between { .. } => Err(wrong(
                document,
                &self.path,
                "a grid needs the number of levels of this range: add `steps`, e.g. `steps: 5`",
            )),
        }
    }

    /// The level at a position between 0 and 1.
    pub(super) fn at(&self, place: f64) -> Level {
        match &self.values {
            Values::Listed(levels) => {
                let index = (place * levels.len() as f64) as usize;
                levels[index.min(levels.len() - 1)].clone()
            }
            Values::Between { key, low, high, unit, scale, whole, .. } => {
                let value = match scale {
                    Scale::Linear => low + (high - low) * place,
                    Scale::Log => low * (high / low).powf(place),
                };
                let value = if *whole { value.round() } else { significant(value) };
                let text = if unit.is_empty() { value.to_string() } else { format!("{value} {unit}") };
                let change = Change::set(key, &text);
                (text, change)
            }
        }
    }
}

/// Rounded to six significant digits, so that the run uses the value shown.
fn significant(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Refuses keys that have no meaning for this form of factor.
fn check_form(
    document: &Document<ExperimentSpec>,
    path: &str,
    factor: &DescribedFactor,
) -> Result<(), Findings> {
    let between = factor.from.is_some() || factor.to.is_some();
    let useless = [
        ("steps", factor.steps.is_some() && !between, "`from` and `to`"),
        ("scale", factor.scale != Scale::Linear && !between, "`from` and `to`"),
        ("whole", factor.whole && !between, "`from` and `to`"),
        ("key", factor.key.is_some() && factor.disturb.is_some(), "levels of a key"),
        (
            "key",
            factor.key.is_some() && matches!(factor.levels, Some(LevelsSpec::Named(_))),
            "levels without names",
        ),
    ];
    let found: Findings = useless
        .iter()
        .filter(|(_, is_useless, _)| *is_useless)
        .flat_map(|(key, _, of)| wrong(document, &format!("{path}.{key}"), format!("`{key}` goes with {of}")))
        .collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn values(
    document: &Document<ExperimentSpec>,
    name: &str,
    path: &str,
    factor: DescribedFactor,
) -> Result<Values, Findings> {
    check_form(document, path, &factor)?;
    let key = factor.key.clone().unwrap_or_else(|| name.to_string());
    let of_key = |value: &Value| (label(value), Change::set(&key, value));
    let levels = match (factor.levels, factor.disturb, factor.from, factor.to) {
        (Some(LevelsSpec::Values(values)), None, None, None) => values.iter().map(of_key).collect(),
        (Some(LevelsSpec::Named(named)), None, None, None) => {
            let level = |(name, value): (&String, &Value)| match value {
                Value::Object(map) => Ok((name.clone(), Change { sets: sets(map), ..Change::default() })),
                other => Err(wrong(
                    document,
                    &format!("{path}.levels.{name}"),
                    format!("a named level is a map of the keys that it sets, found {}", label(other)),
                )),
            };
            named.iter().map(level).collect::<Result<Vec<Level>, _>>()?
        }
        (None, Some(entries), None, None) => {
            let change = |entry: &Value| Change {
                disturbances: mishaps(std::slice::from_ref(entry)),
                ..Change::default()
            };
            entries.iter().map(|entry| (label(entry), change(entry))).collect()
        }
        (None, None, Some(from), Some(to)) => {
            let ends = (number_in(document, path, "from", &from)?, number_in(document, path, "to", &to)?);
            let ((low, unit), (high, other)) = ends;
            if unit != other {
                let message = format!("`from` and `to` have different units: `{unit}` and `{other}`");
                return Err(wrong(document, path, message));
            }
            if low >= high {
                return Err(wrong(document, path, "`from` must be below `to`"));
            }
            if factor.scale == Scale::Log && low <= 0.0 {
                return Err(wrong(document, path, "with `scale: log`, `from` must be above 0"));
            }
            let (steps, scale, whole) = (factor.steps, factor.scale, factor.whole);
            return Ok(Values::Between { key, low, high, unit, steps, scale, whole });
        }
        _ => {
            return Err(wrong(
                document,
                path,
                "a factor has either `levels`, or `disturb`, or `from` and `to`; a list is short for `levels`",
            ));
        }
    };
    if levels.is_empty() {
        return Err(wrong(document, path, "the factor has no levels"));
    }
    let mut names: Vec<&String> = levels.iter().map(|(name, _)| name).collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(wrong(document, path, format!("the level `{}` is given twice", twice[0]))),
        None => Ok(Values::Listed(levels)),
    }
}

/// A number with its unit, at one end of a range.
pub(crate) fn number_in<T>(
    document: &Document<T>,
    path: &str,
    end: &str,
    value: &Value,
) -> Result<(f64, String), Findings> {
    let text = label(value);
    let found = number(&text).map(|(value, unit)| (value, unit.to_string()));
    found.ok_or_else(|| {
        let message = format!("`{end}` must be a number, with its unit if it has one, found `{text}`");
        wrong(document, &format!("{path}.{end}"), message)
    })
}
