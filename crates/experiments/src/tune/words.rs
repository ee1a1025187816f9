//! Numbers in words.

use crewlab_statistics::Interval;

/// A number in as many digits as one reads.
pub(super) fn value(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".into(),
        size if size >= 1e7 => format!("{value:.3e}"),
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        0.0 => "0".into(),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// A number with its unit.
pub(super) fn with_unit(number: f64, unit: &str) -> String {
    format!("{} {unit}", value(number)).trim_end().to_string()
}

/// A number with its unit and its interval.
pub(super) fn with_interval(number: Option<f64>, interval: Option<Interval>, unit: &str) -> String {
    match (number, interval) {
        (Some(number), Some(interval)) => {
            format!("{} ({} to {})", with_unit(number, unit), value(interval.low), value(interval.high))
        }
        (Some(number), None) => with_unit(number, unit),
        _ => "-".into(),
    }
}

/// A probability.
pub(super) fn probability(p: Option<f64>) -> String {
    match p {
        None => "p unknown".into(),
        Some(p) if p < 0.001 => "p < 0.001".into(),
        Some(p) => format!("p = {p:.3}"),
    }
}
