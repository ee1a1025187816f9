//! The names that an expression may use.

use crate::tree::Type;

/// What an expression can talk about. Whoever evaluates expressions implements it.
pub trait Vocabulary {
    /// What a name becomes: whatever finds its value quickly, such as an index.
    type Variable;

    /// The accepted names for error messages, such as `x, y` or `time, robots.NAME.x`.
    fn names(&self) -> String;

    /// Units of numbers for error messages, such as `times are in seconds`.
    fn units(&self) -> &str;

    /// The variable that a name stands for, and its type. `robots.blue.x` and `robots["blue"].x` are three parts each; there is always
    /// at least one.
    fn resolve(&self, name: &[Part]) -> Result<(Self::Variable, Type), Refusal>;

    /// Complains about a text that a variable is compared with and never equals.
    fn check_text(&self, _variable: &Self::Variable, _text: &str) -> Result<(), String> {
        Ok(())
    }
}

/// One part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part without dots, brackets and quotes.
    pub text: String,
    /// Where it begins: the byte of its letter, dot or bracket.
    pub(crate) at: usize,
}

/// Why a name is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing begins with this word.
    Unknown,
    /// One of its parts is wrong, or missing if there are not so many.
    Part {
        /// Which part, from 0.
        part: usize,
        /// What is wrong and what is accepted.
        message: String,
    },
}

impl Refusal {
    /// There is no such part: `what` is what was looked for, `known` are those that there are.
    pub fn unknown_part(part: usize, what: &str, found: &str, known: &[&str]) -> Refusal {
        let listed = known.iter().take(12).copied().collect::<Vec<_>>().join(", ");
        Refusal::Part { part, message: format!("there is no {what} `{found}`; there are {listed}") }
    }
}
