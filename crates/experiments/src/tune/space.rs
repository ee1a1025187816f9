//! The search space: parameters with bounds, and their values at positions between them.

use crate::file::spec::Scale;

/// Whole numbers above this are not exactly representable.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A tunable parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The scenario's key that is set.
    pub key: String,
    /// Its possible values.
    pub domain: Domain,
}

/// The possible values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Any number in an interval, bounds included.
    Numbers(Span),
    /// One of at least two choices: its label, and its value.
    Choices(Vec<(String, String)>),
}

/// Numbers between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The lowest.
    pub low: f64,
    /// The highest, which is larger.
    pub high: f64,
    /// Their unit; may be empty.
    pub unit: String,
    /// Their scale; with `Log`, the lowest is above 0.
    pub scale: Scale,
    /// True if only whole numbers make sense.
    pub whole: bool,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its label.
    pub shown: String,
    /// Its value as YAML.
    pub text: String,
    /// The number, or the index of the choice.
    pub number: f64,
    /// Its position: from 0 to below 1 for numbers, the index of the choice otherwise.
    pub place: f64,
}

/// The largest number below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

impl Span {
    /// Valid bounds, or an error message.
    pub fn new(low: f64, high: f64, unit: String, scale: Scale, whole: bool) -> Result<Span, String> {
        if low >= high {
            return Err(format!("`from` must be below `to`, found {low} and {high}"));
        }
        if scale == Scale::Log && low <= 0.0 {
            return Err(format!("with `scale: log`, `from` must be above 0, found {low}"));
        }
        let (low, high) = if whole { (low.ceil(), high.floor()) } else { (low, high) };
        if low >= high {
            return Err("there are no two whole numbers between `from` and `to`".into());
        }
        if whole && low.abs().max(high.abs()) >= LARGEST_WHOLE || !(high - low).is_finite() {
            return Err("the bounds are too far apart for numbers between them to be told apart".into());
        }
        Ok(Span { low, high, unit, scale, whole })
    }

    /// The ends between which positions are spread: half a step outside for whole numbers, so that all are equally likely.
    fn ends(&self) -> (f64, f64) {
        if self.whole { (self.low - 0.5, self.high + 0.5) } else { (self.low, self.high) }
    }

    /// The number at a position between 0 and 1.
    pub fn at(&self, place: f64) -> f64 {
        let (low, high) = self.ends();
        let value = match self.scale {
            Scale::Linear => low + (high - low) * place,
            Scale::Log => low * libm::pow(high / low, place),
        };
        let value = if self.whole { value.round() } else { self.rounded(value) };
        value.clamp(self.low, self.high)
    }

    /// The position of a number; `None` if it lies outside.
    pub fn place(&self, value: f64) -> Option<f64> {
        let ((low, high), inside) = (self.ends(), self.low <= value && value <= self.high);
        let place = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log => libm::log(value / low) / libm::log(high / low),
        };
        (inside && place.is_finite()).then(|| place.clamp(0.0, BELOW_ONE))
    }

    /// Rounded to less than a thousandth of the range, or to three digits on a logarithmic scale: more would be noise.
    fn rounded(&self, value: f64) -> f64 {
        let digits = match self.scale {
            Scale::Linear => 3.0 - libm::floor(libm::log10(self.high - self.low)),
            Scale::Log => 2.0 - libm::floor(libm::log10(value.min(self.high - self.low))),
        };
        let rounded = match digits {
            digits if digits > 0.0 => format!("{value:.*}", digits.min(320.0) as usize).parse().ok(),
            digits => {
                let step = libm::pow(10.0, -digits);
                Some((value / step).round() * step)
            }
        };
        rounded.filter(|value: &f64| value.is_finite()).unwrap_or(value)
    }

    /// Number of values, if it is finite.
    fn count(&self) -> Option<u64> {
        self.whole.then_some((self.high - self.low) as u64 + 1)
    }

    fn setting(&self, value: f64) -> Setting {
        let shown = format!("{value} {}", self.unit).trim_end().to_string();
        let place = self.place(value).unwrap_or(0.5);
        Setting { text: shown.clone(), shown, number: value, place }
    }
}

impl Domain {
    /// The value at a position: see [`Setting::place`]. Positions outside are clamped.
    pub fn at(&self, place: f64) -> Setting {
        match self {
            Domain::Numbers(span) => span.setting(span.at(place.clamp(0.0, 1.0))),
            Domain::Choices(choices) => self.choice(choices, place.max(0.0) as usize),
        }
    }

    /// The value at a position between 0 and 1, also for choices.
    pub fn spread(&self, place: f64) -> Setting {
        match self {
            Domain::Numbers(_) => self.at(place),
            Domain::Choices(choices) => self.at(place * choices.len() as f64),
        }
    }

    fn choice(&self, choices: &[(String, String)], index: usize) -> Setting {
        let index = index.min(choices.len().saturating_sub(1));
        let (shown, text) = choices.get(index).cloned().unwrap_or_default();
        Setting { shown, text, number: index as f64, place: index as f64 }
    }

    /// Number of values, if it is finite.
    pub fn count(&self) -> Option<u64> {
        match self {
            Domain::Numbers(span) => span.count(),
            Domain::Choices(choices) => Some(choices.len() as u64),
        }
    }

    /// The value with this index, if they are countable.
    fn counted(&self, index: u64) -> Setting {
        match self {
            Domain::Numbers(span) => span.setting(span.low + index as f64),
            Domain::Choices(_) => self.at(index as f64),
        }
    }

    /// The bound that a value is at: within a fiftieth of the range.
    pub fn bound(&self, setting: &Setting) -> Option<&'static str> {
        let Domain::Numbers(span) = self else { return None };
        let margin = if span.whole { 0.0 } else { 0.02 };
        let low = setting.number <= span.low || !span.whole && setting.place <= margin;
        let high = setting.number >= span.high || !span.whole && setting.place >= 1.0 - margin;
        match (low, high) {
            (true, _) => Some("lowest"),
            (_, true) => Some("highest"),
            _ => None,
        }
    }
}

/// All parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// In the order of the file.
    pub parameters: Vec<Parameter>,
}

impl Space {
    /// Number of combinations, if it is finite.
    pub fn count(&self) -> Option<u64> {
        let counts = self.parameters.iter().map(|parameter| parameter.domain.count());
        counts.into_iter().try_fold(1u64, |all, count| all.checked_mul(count?))
    }

    /// The combination with this index; the last parameter changes fastest.
    pub fn combination(&self, mut index: u64) -> Vec<Setting> {
        let mut settings: Vec<Setting> = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters.iter().rev() {
            let count = parameter.domain.count().unwrap_or(1).max(1);
            settings.push(parameter.domain.counted(index % count));
            index /= count;
        }
        settings.reverse();
        settings
    }

    /// The assignments of a combination, in the form of `--set`.
    pub fn sets(&self, settings: &[Setting]) -> Vec<String> {
        let set =
            |(parameter, setting): (&Parameter, &Setting)| format!("{}={}", parameter.key, setting.text);
        self.parameters.iter().zip(settings).map(set).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(low: f64, high: f64, scale: Scale, whole: bool) -> Span {
        Span::new(low, high, "s".into(), scale, whole).unwrap()
    }

    #[test]
    fn values_are_rounded_for_reading() {
        assert_eq!(Domain::Numbers(span(0.0, 1.0, Scale::Linear, false)).at(1.0 / 3.0).shown, "0.333 s");
        assert_eq!(Domain::Numbers(span(10.0, 1000.0, Scale::Log, false)).at(0.5).shown, "100 s");
        assert_eq!(Domain::Numbers(span(1000.0, 1001.0, Scale::Linear, false)).at(0.5).shown, "1000.5 s");
        assert_eq!(Domain::Numbers(span(0.0, 2e6, Scale::Linear, false)).at(1.0 / 3.0).shown, "667000 s");
    }

    #[test]
    fn whole_numbers_are_equally_likely_ends_included() {
        let span = span(1.0, 4.0, Scale::Linear, true);
        let mut counts = [0; 5];
        (0..400).for_each(|step| counts[span.at((f64::from(step) + 0.5) / 400.0) as usize] += 1);
        assert_eq!(counts, [0, 100, 100, 100, 100]);
    }

    #[test]
    fn combinations_are_counted_if_they_can_be() {
        let choices = Domain::Choices(vec![("a".into(), "a".into()), ("b".into(), "b".into())]);
        let whole = Domain::Numbers(span(1.0, 3.0, Scale::Linear, true));
        let parameter = |domain| Parameter { name: "p".into(), key: "k".into(), domain };
        let mut space = Space { parameters: vec![parameter(choices), parameter(whole)] };
        assert_eq!(space.count(), Some(6));
        let all: Vec<String> = (0..6)
            .map(|index| space.combination(index).iter().map(|setting| setting.shown.clone()).collect())
            .collect();
        assert_eq!(all, ["a1 s", "a2 s", "a3 s", "b1 s", "b2 s", "b3 s"]);
        space.parameters.push(parameter(Domain::Numbers(span(0.0, 1.0, Scale::Linear, false))));
        assert_eq!(space.count(), None);
    }

    proptest! {
        #[test]
        fn values_stay_in_bounds_and_positions_round_trip(
            low in -1e9f64..1e9,
            width in 1e-3f64..1e9,
            place in 0.0f64..=1.0,
            log: bool,
            whole: bool,
        ) {
            let (low, scale) = if log { (low.abs() + 1e-6, Scale::Log) } else { (low, Scale::Linear) };
            let Ok(span) = Span::new(low, low + width, String::new(), scale, whole) else { return Ok(()) };
            let value = span.at(place);
            prop_assert!(span.low <= value && value <= span.high, "{value} of {span:?}");
            prop_assert!(!whole || value.fract() == 0.0);
            let again = span.place(value).unwrap();
            prop_assert!((0.0..1.0).contains(&again));
            // The value at the reported position is the value that is run.
            let close = (span.at(again) - value).abs() <= 2e-3 * (span.high - span.low);
            prop_assert!(close, "{value} became {} in {span:?}", span.at(again));
        }

        #[test]
        fn any_position_gives_a_value_within_the_bounds(place: f64) {
            let span = span(2.0, 8.0, Scale::Log, false);
            let value = Domain::Numbers(span).at(if place.is_nan() { 0.0 } else { place }).number;
            prop_assert!((2.0..=8.0).contains(&value));
        }
    }
}
