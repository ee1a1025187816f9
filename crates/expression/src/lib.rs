//! The expression language of scenario files. A [`Formula`] gives a number, such as `-95 + x / 10`; a [`Condition`] holds or does
//! not, such as `robots.blue.task == "find-locations" && time > 20`. The syntax and the functions are the same for both and are
//! described in docs/expressions.md.
//!
//! Callers bring their own names: a [`Vocabulary`] turns `robots.blue.x` into a variable when the text is parsed. Names and types
//! are checked then, so that evaluation cannot fail and needs no lookup by name.

mod parse;
mod tree;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use tree::{FUNCTIONS, Function, Type, Value};
pub use vocabulary::{Part, Refusal, Vocabulary};

use serde::{Deserialize, Serialize};
use std::fmt;
use tree::Node;

/// An error in an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Column of the error, from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// An expression whose value is a number, over variables of type `V`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Formula<V> {
    text: String,
    root: Node<V>,
}

impl<V> Formula<V> {
    /// Parses a formula and checks its names and types.
    pub fn parse(
        text: &str,
        vocabulary: &impl Vocabulary<Variable = V>,
    ) -> Result<Formula<V>, ExpressionError> {
        Ok(Formula { root: parse::root(text, vocabulary, Type::Number)?, text: text.to_string() })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value, given the values of its variables.
    #[inline]
    pub fn value<'a>(&'a self, of: impl Fn(&'a V) -> Value<'a>) -> f64 {
        self.root.number(&of)
    }
}

/// An expression that is true or false, over variables of type `V`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition<V> {
    text: String,
    root: Node<V>,
}

impl<V> Condition<V> {
    /// Parses a condition and checks its names and types.
    pub fn parse(
        text: &str,
        vocabulary: &impl Vocabulary<Variable = V>,
    ) -> Result<Condition<V>, ExpressionError> {
        Ok(Condition { root: parse::root(text, vocabulary, Type::Truth)?, text: text.to_string() })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if it holds for these values of its variables.
    #[inline]
    pub fn holds<'a>(&'a self, of: impl Fn(&'a V) -> Value<'a>) -> bool {
        self.root.truth(&of)
    }
}
