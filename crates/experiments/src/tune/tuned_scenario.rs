//! The best candidate as a scenario file.

use super::lookup::{look_up, put};
use super::summary::TuningSummary;
use super::verdict::TuningVerdict;
use crate::plan::Cell;
use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Request, load};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The text of a scenario file: the differences from the mission's defaults if that gives the same runs, everything otherwise.
pub(super) fn text(summary: &TuningSummary, best: &Cell) -> String {
    let body = differences(summary, best).unwrap_or_else(|| named(&best.scenario, &summary.name));
    format!("{}{}", comment(summary), to_yaml(&body))
}

fn comment(summary: &TuningSummary) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "# {} with parameters found by `crewlab tune` ({}): the best of {} candidates by {} on {} seeds.",
        summary.scenario, summary.name, summary.effort.candidates, summary.title, summary.effort.seeds
    );
    summary.sentence.lines().for_each(|line| {
        let _ = writeln!(text, "# {line}");
    });
    for chosen in summary.parameters.iter().filter(|_| summary.verdict != TuningVerdict::NothingBetter) {
        let _ = writeln!(text, "#   {}: {} (was {})", chosen.key, chosen.best, chosen.default);
    }
    text
}

fn named(scenario: &Value, name: &str) -> Value {
    let mut scenario = scenario.clone();
    scenario["name"] = format!("{name}-tuned").into();
    scenario
}

/// The differences from the mission's defaults, the tuned values with their units; `None` if that is not the same scenario.
fn differences(summary: &TuningSummary, best: &Cell) -> Option<Value> {
    let mission = best.scenario.get("mission")?;
    let bare = json!({"crewlab": 1, "mission": mission});
    let of = |scenario: &Value| {
        let text = Some(to_yaml(scenario));
        load(&Request { scenario: "tuned".into(), text, ..Request::default() }).ok()
    };
    let defaults = of(&bare)?.resolved;
    let mut changed = difference(&defaults, &named(&best.scenario, &summary.name))?;
    let mut scenario = Map::new();
    scenario.insert("crewlab".into(), 1.into());
    scenario.insert("mission".into(), mission.clone());
    scenario.insert("name".into(), changed.get("name")?.clone());
    if let Value::Object(map) = &mut changed {
        scenario.append(map);
    }
    let scenario = Value::Object(scenario);
    let wanted = named(&best.scenario, &summary.name);
    let same = |scenario: &Value| of(scenario).is_some_and(|loaded| loaded.resolved == wanted);
    let mut readable = scenario.clone();
    for chosen in summary.parameters.iter().filter(|_| summary.verdict != TuningVerdict::NothingBetter) {
        // Keys outside the differences keep their values, and a number without a unit is readable as it is.
        let differs = look_up(&readable, &chosen.key).is_some_and(Value::is_number);
        if differs && chosen.best.parse::<f64>().is_err() {
            put(&mut readable, &chosen.key, chosen.best.clone().into());
        }
    }
    [readable, scenario].into_iter().find(same)
}

/// The overlay that turns one value into another; `None` if they are equal.
fn difference(from: &Value, to: &Value) -> Option<Value> {
    match (from, to) {
        (Value::Object(from), Value::Object(to)) => {
            let changed = to.iter().filter_map(|(key, value)| {
                let changed = match from.get(key) {
                    Some(before) => difference(before, value),
                    None => Some(value.clone()),
                };
                changed.map(|changed| (key.clone(), changed))
            });
            let changed: Map<String, Value> = changed.collect();
            (!changed.is_empty()).then_some(Value::Object(changed))
        }
        _ => (from != to).then(|| to.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_only_what_changed() {
        let from = json!({"a": 1, "b": {"c": 2, "d": [1, 2]}, "e": 5});
        let to = json!({"a": 1, "b": {"c": 3, "d": [1, 2]}, "e": 5, "f": 6});
        assert_eq!(difference(&from, &to), Some(json!({"b": {"c": 3}, "f": 6})));
        assert_eq!(difference(&to, &to), None);
        assert_eq!(difference(&json!([1]), &json!([1, 2])), Some(json!([1, 2])));
    }
}
