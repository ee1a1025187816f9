//! `.properties` files as a source of ALLIANCE's parameters.

use super::text::Diagnostic;
use crewlab_sim::teams::alliance::Properties;
use serde_json::Value;
use std::path::Path;

/// The parameters of a file laid under what the scenario itself says about ALLIANCE. Notes come back as warnings.
pub(super) fn merge(
    path: &Path,
    said: &Value,
    robots: &[&str],
    behaviours: &[&str],
) -> Result<(Value, Vec<Diagnostic>), Vec<Diagnostic>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| vec![Diagnostic::error(format!("cannot read {}: {error}", path.display()))])?;
    let properties = Properties::parse(&text, robots, behaviours).map_err(|errors| {
        let place = |line: usize| if line == 0 { String::new() } else { format!(":{line}") };
        let describe = |e: &crewlab_sim::teams::alliance::PropertiesError| {
            Diagnostic::error(format!("{}{}: {}", path.display(), place(e.line), e.message))
        };
        errors.iter().map(describe).collect::<Vec<_>>()
    })?;
    let notes =
        properties.notes.iter().map(|note| Diagnostic::warning(format!("{}: {note}", path.display())));
    let mut value = serde_json::to_value(&properties.params)
        .map_err(|error| vec![Diagnostic::error(format!("{}: {error}", path.display()))])?;
    overlay(&mut value, said);
    if let Value::Object(map) = &mut value {
        // The values are in the resolved scenario now; the file is no longer needed.
        map.remove("properties");
    }
    Ok((value, notes.collect()))
}

fn overlay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}
