//! Scales, round ticks, and the format of times and numbers.

use super::svg::{Element, group, label, line};
use super::text;
use super::theme::Ink;

/// Beyond this size a value is treated like one that is not a number: it cannot be a time, a level or a place.
const LARGEST: f64 = 1e12;

/// Steps of a time axis [s].
const TIME_STEPS: [f64; 24] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0,
    1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0,
];

/// Whether a value can be drawn.
pub fn usable(value: f64) -> bool {
    value.is_finite() && value.abs() <= LARGEST
}

/// A linear map from values to pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
}

impl Scale {
    /// Maps `domain` onto `range`; a domain without extent gets one.
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        let low = if usable(domain.0) { domain.0 } else { 0.0 };
        let high = if usable(domain.1) && domain.1 > low { domain.1 } else { low + 1.0 };
        Self { domain: (low, high), range }
    }

    /// The time axis of a run that took `duration` [s].
    pub fn of_time(duration: f64, left: f64, right: f64) -> Self {
        Self::new((0.0, duration), (left, right))
    }

    /// The pixel of a value.
    pub fn at(self, value: f64) -> f64 {
        let share = (value - self.domain.0) / (self.domain.1 - self.domain.0);
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// The pixel of a value, kept inside the range.
    pub fn clamped(self, value: f64) -> f64 {
        self.at(value.clamp(self.domain.0, self.domain.1))
    }

    /// Whether a value can be drawn and lies inside, give or take a rounding error.
    pub fn contains(self, value: f64) -> bool {
        let slack = (self.domain.1 - self.domain.0) * 1e-6;
        usable(value) && value >= self.domain.0 - slack && value <= self.domain.1 + slack
    }

    /// The last value.
    pub fn end(self) -> f64 {
        self.domain.1
    }

    /// The first and last value.
    pub fn domain(self) -> (f64, f64) {
        self.domain
    }

    /// The first and last pixel.
    pub fn range(self) -> (f64, f64) {
        self.range
    }
}

/// The distance between round ticks (1, 2 or 5 times a power of ten), about `wanted` of them.
pub fn nice_step(span: f64, wanted: usize) -> f64 {
    if !usable(span) || span <= 0.0 {
        return 1.0;
    }
    let raw = span / wanted.max(1) as f64;
    let power = libm::pow(10.0, libm::log10(raw).floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw * 0.999);
    power * factor.unwrap_or(10.0)
}

/// Multiples of `step` from `low` to `high`, at most a hundred.
pub fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    if !usable(low) || !usable(high) || !usable(step) || step <= 0.0 {
        return Vec::new();
    }
    let first = (low / step - 1e-6).ceil();
    let last = (high / step + 1e-6).floor();
    let count = ((last - first).max(-1.0) + 1.0).min(100.0) as usize;
    (0..count).map(|index| (first + index as f64) * step).collect()
}

/// The distance between ticks of a time axis [s].
pub fn time_step(duration: f64, wanted: usize) -> f64 {
    let raw = duration / wanted.max(1) as f64;
    let known = TIME_STEPS.into_iter().find(|step| *step >= raw * 0.999);
    known.unwrap_or_else(|| nice_step(duration / 86400.0, wanted) * 86400.0)
}

/// A time in readable form: `0 s`, `30 s`, `5 min`, `12 min 40 s`, `1 h`.
pub fn time_label(seconds: f64) -> String {
    if !usable(seconds) {
        return "–".to_owned();
    }
    if seconds < 0.0 {
        return format!("−{}", time_label(-seconds));
    }
    if seconds < 60.0 && (seconds - seconds.round()).abs() > 1e-3 {
        return format!("{} s", super::svg::number(seconds));
    }
    let whole = seconds.round() as u64;
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")];
    let mut words = Vec::new();
    for (amount, unit) in parts {
        if amount > 0 {
            words.push(format!("{amount} {unit}"));
        }
    }
    if words.is_empty() { "0 s".to_owned() } else { words.join(" ") }
}

/// A tick value with as many decimals as the distance between ticks needs.
pub fn tick_label(value: f64, step: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.1e}").replace('-', "−");
    }
    let decimals = if step > 0.0 && step < 1.0 {
        (-libm::log10(step) - 1e-6).ceil().clamp(1.0, 6.0) as usize
    } else {
        0
    };
    let text = format!("{value:.decimals$}");
    let zero = text.trim_start_matches('-').chars().all(|digit| digit == '0' || digit == '.');
    if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', "−") }
}

/// Upright grid lines from `top` to `bottom` at round times, without labels.
pub fn time_grid(scale: Scale, top: f64, bottom: f64) -> Element {
    let mut grid = group().stroke(Ink::Grid, 1.0);
    for time in time_ticks(scale) {
        let x = scale.at(time);
        grid.push(line((x, top), (x, bottom)));
    }
    grid
}

/// The labels of a time axis, with their baseline at `baseline`; none reaches beyond the axis on the right.
pub fn time_labels(scale: Scale, baseline: f64) -> Element {
    let mut labels = group().fill(Ink::Muted);
    for time in time_ticks(scale) {
        let words = time_label(time);
        let (x, right) = (scale.at(time), scale.range().1);
        let half = text::width(&words, 11.0) / 2.0;
        let (x, anchor) = if x + half > right { (right, "end") } else { (x, "middle") };
        labels.push(label(x, baseline, 11.0, anchor, &words));
    }
    labels
}

/// Level grid lines with their labels on the left.
pub fn level_axis(scale: Scale, values: &[f64], step: f64, left: f64, right: f64) -> Element {
    let mut axis = group();
    for &value in values {
        let y = scale.at(value);
        axis.push(line((left, y), (right, y)).stroke(Ink::Grid, 1.0));
        axis.push(label(left - 8.0, y + 4.0, 11.0, "end", &tick_label(value, step)).fill(Ink::Muted));
    }
    axis
}

/// The round times of a time axis, as many as their labels leave room for. [s]
pub fn time_ticks(scale: Scale) -> Vec<f64> {
    let (left, right) = scale.range();
    let wanted = ((right - left) / 84.0).clamp(2.0, 12.0) as usize;
    ticks(0.0, scale.end(), time_step(scale.end(), wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_readable() {
        let cases = [
            (0.0, "0 s"),
            (30.0, "30 s"),
            (0.5, "0.5 s"),
            (300.0, "5 min"),
            (760.0, "12 min 40 s"),
            (3600.0, "1 h"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(time_label(seconds), expected);
        }
        assert_eq!(time_label(5400.0), "1 h 30 min");
        assert_eq!(time_label(f64::NAN), "–");
        assert_eq!(time_label(59.9999), "1 min");
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0.0, 105.0, nice_step(105.0, 5)), [0.0, 50.0, 100.0]);
        assert_eq!(time_step(900.0, 8), 120.0);
        for span in [1e-9, 0.3, 7.0, 1e11, f64::NAN, f64::INFINITY, -1.0] {
            assert!(ticks(0.0, span, nice_step(span, 5)).len() <= 12, "{span}");
        }
    }

    #[test]
    fn a_scale_without_extent_still_maps() {
        let scale = Scale::new((0.0, 0.0), (10.0, 20.0));
        assert!(scale.at(0.0).is_finite());
        assert!(Scale::of_time(f64::NAN, 0.0, 1.0).at(0.5).is_finite());
    }

    #[test]
    fn tick_labels_show_the_needed_decimals() {
        assert_eq!(tick_label(0.5, 0.25), "0.5");
        assert_eq!(tick_label(100.0, 20.0), "100");
        assert_eq!(tick_label(-0.0, 0.2), "0.0");
    }
}
