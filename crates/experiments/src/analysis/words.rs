//! Formatting of numbers.

use crate::metrics::Metric;

/// A value with its unit, rounded for reading.
pub fn amount(value: f64, metric: &Metric) -> String {
    let (value, unit) = shown(value, metric);
    format!("{}{unit}", digits(value))
}

/// A difference with its sign and unit.
pub fn signed(value: f64, metric: &Metric) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    format!("{sign}{}", amount(value, metric))
}

/// Shares are shown in per cent.
fn shown(value: f64, metric: &Metric) -> (f64, String) {
    match (metric.is_share(), metric.unit) {
        (true, _) => (value * 100.0, " %".into()),
        (false, "") => (value, String::new()),
        (false, unit) => (value, format!(" {unit}")),
    }
}

fn digits(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        _ if size == 0.0 => "0".to_string(),
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ if size >= 0.005 => format!("{value:.2}"),
        _ => format!("{value:.2e}"),
    };
    // -0 is shown as 0.
    if text.starts_with('-') && !text.contains(|c: char| ('1'..='9').contains(&c)) {
        return text[1..].to_string();
    }
    text
}

/// A p value as text.
pub fn chance(p: f64) -> String {
    match p {
        _ if p < 0.001 => "p < 0.001".into(),
        _ if p < 0.01 => format!("p = {p:.3}"),
        _ if (0.045..0.055).contains(&p) => format!("p = {p:.4}"),
        _ => format!("p = {p:.2}"),
    }
}
