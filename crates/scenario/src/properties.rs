//! `.properties` files as a source of ALLIANCE's parameters.

use super::text::{Diagnostic, SourceId, SourceMap, Span, did_you_mean};
use crewlab_sim::teams::alliance::{Properties, PropertiesError};
use serde_json::Value;
use std::path::Path;

/// Merges the parameters of a file below the scenario's own ALLIANCE parameters. Notes become warnings.
pub(super) fn merge(
    path: &Path,
    said: &Value,
    robots: &[&str],
    behaviours: &[&str],
    sources: &mut SourceMap,
) -> Result<(Value, Vec<Diagnostic>), Vec<Diagnostic>> {
    let name = path.strip_prefix(".").unwrap_or(path).display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| vec![Diagnostic::error(format!("cannot read {name}: {error}"))])?;
    let source = sources.add(name.clone(), text);
    let (properties, errors) = Properties::read(sources.text(source), robots, behaviours);
    let errors: Vec<Diagnostic> = errors
        .iter()
        .filter(|error| !(error.line == 0 && error.key.as_ref().is_some_and(|key| supplied(said, key))))
        .map(|error| describe(error, &name, source, sources))
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let notes = properties.notes.iter().map(|note| Diagnostic::warning(format!("{name}: {note}"))).collect();
    let mut value = serde_json::to_value(&properties.params)
        .map_err(|error| vec![Diagnostic::error(format!("{name}: {error}"))])?;
    overlay(&mut value, said);
    if let Value::Object(map) = &mut value {
        // The values are in the resolved scenario now; the file is no longer needed.
        map.remove("properties");
    }
    Ok((value, notes))
}

/// An error with its position in the file.
fn describe(error: &PropertiesError, name: &str, source: SourceId, sources: &SourceMap) -> Diagnostic {
    if error.line == 0 {
        return Diagnostic::error(format!("{name}: {}", error.message));
    }
    let text = sources.text(source);
    let start: usize = text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let span = Span::new(source, start + indent, start + line.trim_end().len());
    let unknown = error.key.as_ref().and_then(|key| key.split('.').next());
    let unknown = unknown.filter(|word| !Properties::names().any(|name| name == *word));
    let help = unknown.and_then(|word| did_you_mean(word, Properties::names()));
    Diagnostic::error(error.message.clone())
        .at(span)
        .with_help(help.map(|name| format!("did you mean `{name}`?")))
}

/// True if the scenario itself gives the parameter that a file lacks.
fn supplied(said: &Value, key: &str) -> bool {
    let mut parts = key.split('.');
    let kebab = |name: &str| {
        let spell = |c: char| if c.is_uppercase() { format!("-{}", c.to_lowercase()) } else { c.to_string() };
        name.chars().map(spell).collect::<String>()
    };
    let (Some(name), set) = (parts.next().map(kebab), parts.next_back()) else { return false };
    let in_set = |set: &str| said.get("behaviours")?.get(set)?.get(&name).cloned();
    said.get(&name).is_some() || set.and_then(in_set).is_some()
}

/// Merges `over` into `base`: maps merge deeply, everything else is replaced.
pub(super) fn overlay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}
