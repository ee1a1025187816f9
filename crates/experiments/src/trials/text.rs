//! What came out, as text.

use super::CellSummary;

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "-".into(),
        _ => format!("{:.0} %", 100.0 * part as f64 / all as f64),
    }
}

/// One line per cell and condition, and one per estimator below it.
pub fn text(summaries: &[CellSummary]) -> String {
    let width = summaries.iter().map(|summary| summary.levels.join(", ").chars().count()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for summary in summaries {
        let CellSummary { maps, performance, errors_per_map, switches, .. } = summary;
        lines.push(format!(
            "{:width$}  {:8}  {maps:5} maps  q {performance:6.3}{}  errors per map {errors_per_map:.2}  short first {}  switched {}, if the short way is crowded {}, to the emptier way {}",
            summary.levels.join(", "),
            summary.condition.name(),
            summary.performance_with_stops.map_or(String::new(), |q| format!(" (with stops {q:6.3})")),
            percent((summary.short_first * *maps as f64).round() as usize, *maps),
            percent(switches.switched, switches.second_trials),
            percent(switches.crowded_switched, switches.crowded_second_trials),
            percent(switches.to_emptier, switches.switched),
        ));
        for one in &summary.estimators {
            let error = one.relative_error.map_or("-".into(), |error| format!("{error:.2}"));
            lines.push(format!(
                "{:width$}    {:12}  {:5} decisions  reliability {:.3}  squared error / variance {error}",
                "",
                one.estimator,
                one.decisions,
                one.reliability.unwrap_or_default()
            ));
        }
    }
    lines.join("\n")
}
