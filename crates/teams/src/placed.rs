//! Plain data from a file in another format, whose parts know where they come from, so that messages can show them.

use std::ops::Range;

/// Something in a file that cannot be used, or is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// True if the rest can be used nevertheless.
    pub warning: bool,
    /// Where. [bytes]
    pub span: Range<usize>,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl Misfit {
    /// An error.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Misfit {
        Misfit { warning: false, span, message: message.into() }
    }

    /// A warning.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Misfit {
        Misfit { warning: true, ..Misfit::error(span, message) }
    }
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its text. [bytes]
    pub span: Range<usize>,
    /// The value.
    pub value: PlacedValue,
}

/// The value itself.
#[derive(Clone, Debug, PartialEq)]
pub enum PlacedValue {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Placed>),
    /// Keys, each with its text, and values.
    Map(Vec<(String, Range<usize>, Placed)>),
}
