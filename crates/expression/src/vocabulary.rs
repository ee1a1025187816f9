//! The names that an expression may use.

use crate::tree::Type;

/// The names that an expression can use. Implemented by whoever evaluates expressions.
pub trait Vocabulary {
    /// The resolved form of a name: something that finds its value quickly, such as an index.
    type Variable;

    /// The accepted names for error messages, such as `x, y` or `time, robots.NAME.x`.
    fn names(&self) -> String;

    /// Units of numbers for error messages, such as `times are in seconds`.
    fn units(&self) -> &str;

    /// The variable that a name stands for, and its type. `robots.blue.x` and `robots["blue"].x` are three parts each; there is always
    /// at least one.
    fn resolve(&self, name: &[Part]) -> Result<(Self::Variable, Type), Refusal>;

    /// Refuses a text that a variable is compared with but can never equal.
    fn check_text(&self, _variable: &Self::Variable, _text: &str) -> Result<(), String> {
        Ok(())
    }
}

/// One part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part without dots, brackets and quotes.
    pub text: String,
    /// Its start: the byte of its letter, dot or bracket.
    pub(crate) at: usize,
}

/// Why a name is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No name begins with this word.
    Unknown,
    /// One of its parts is wrong, or missing if there are fewer.
    Part {
        /// Index of the part.
        part: usize,
        /// What is wrong and what is accepted.
        message: String,
    },
}

impl Refusal {
    /// An unknown part: `what` is what was expected, `known` are the known ones.
    pub fn unknown_part(part: usize, what: &str, found: &str, known: &[&str]) -> Refusal {
        let listed = known.iter().take(12).copied().collect::<Vec<_>>().join(", ");
        Refusal::Part { part, message: format!("there is no {what} `{found}`; there are {listed}") }
    }
}
