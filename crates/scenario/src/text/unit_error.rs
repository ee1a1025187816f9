//! Why a text is not the expected quantity.

use std::fmt;

use super::dimension::Dimension;
use super::suggest::did_you_mean;
use super::unit::{UNITS, Unit};
use super::words;

/// Words that people write instead of a symbol; they are suggested, not accepted.
static WORDS: &[(&str, &str)] = &[
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("minute", "min"),
    ("minutes", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("meter", "m"),
    ("meters", "m"),
    ("metre", "m"),
    ("metres", "m"),
    ("mps", "m/s"),
    ("kph", "km/h"),
    ("degree", "deg"),
    ("degrees", "deg"),
    ("watt", "W"),
    ("watts", "W"),
    ("joule", "J"),
    ("percent", "%"),
    ("bytes", "B"),
    ("bps", "bit/s"),
    ("kbps", "kbit/s"),
    ("Mbps", "Mbit/s"),
];

/// A refused quantity. Its `Display` is one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`found` is the text, `expected` the dimension that is wanted")]
pub enum UnitError {
    /// The text does not start with a number.
    NotANumber { found: String, expected: Dimension },
    /// What follows the number is no unit.
    UnknownUnit { found: String, unit: String, expected: Dimension },
    /// The unit measures something else.
    WrongDimension { found: String, dimension: Dimension, expected: Dimension },
    /// The number is too large.
    NotFinite { found: String },
    /// The schema asks for a unit that does not exist: our own mistake.
    UnknownAnnotation { unit: String },
}

impl UnitError {
    /// A suggestion, if there is one.
    pub fn help(&self) -> Option<String> {
        let UnitError::UnknownUnit { unit, expected, .. } = self else { return None };
        if unit.starts_with(',') {
            return Some("write a decimal point, not a comma".into());
        }
        if unit.starts_with('_') {
            return Some("write the digits without underscores".into());
        }
        let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(unit)).map(|(_, symbol)| *symbol);
        let symbols = |units: &mut dyn Iterator<Item = &'static Unit>| -> Vec<&'static str> {
            units.map(Unit::symbol).filter(|symbol| *symbol != "1").collect()
        };
        let fitting = symbols(&mut Unit::of(*expected));
        let near = || did_you_mean(unit, fitting.iter().copied());
        let any = || did_you_mean(unit, symbols(&mut UNITS.iter()));
        match word.or_else(near).or_else(any) {
            Some(symbol) => Some(format!("did you mean `{symbol}`?")),
            None => Some(format!("accepted units: {}", words::quoted(&fitting))),
        }
    }
}

impl fmt::Display for UnitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::NotANumber { found, expected } => {
                write!(out, "expected {}, found the text {}", expected.with_examples(), words::shown(found))
            }
            UnitError::UnknownUnit { found, unit, expected } => write!(
                out,
                "unknown unit `{}` in `{}`, expected {}",
                words::cut(unit),
                words::cut(found),
                expected.with_examples()
            ),
            UnitError::WrongDimension { found, dimension, expected } => write!(
                out,
                "expected {}, found `{}`, which is {}",
                expected.with_examples(),
                words::cut(found),
                dimension.name()
            ),
            UnitError::NotFinite { found } => {
                write!(out, "numbers must be finite, found `{}`", words::cut(found))
            }
            UnitError::UnknownAnnotation { unit } => {
                write!(out, "the schema asks for the unknown unit `{unit}`")
            }
        }
    }
}

impl std::error::Error for UnitError {}
