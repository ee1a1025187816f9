//! Scenario text: from YAML files and `--set` assignments to validated data, with error messages that point at the text.
//!
//! The steps: [`SourceMap::add`] keeps the text, [`parse()`] makes a [`Node`] tree in which every value knows its position,
//! [`merge`] and [`apply_set`] combine several trees, [`conform()`] checks the result against the JSON Schema of the Rust types and
//! turns `40 s` into SI numbers, and [`render`] shows the errors. [`to_yaml`] prints data back, [`for_editors`] makes the schema
//! for editors.
//!
//! Nothing in here panics on any input, reads a file, or fills in a default.

mod branch;
mod conform;
mod diagnostic;
mod dimension;
mod list;
mod map;
mod node;
mod number;
mod overrides;
mod parse;
mod print;
mod scalar;
mod schema;
mod shape;
mod source;
mod spans;
mod suggest;
mod syntax;
mod unit;
mod unit_error;
mod words;

#[cfg(test)]
mod conform_key_tests;
#[cfg(test)]
mod conform_tests;
#[cfg(test)]
mod conform_value_tests;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod parse_tests;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod torture;

pub use conform::{Conformed, conform};
pub use diagnostic::{Diagnostic, Severity, render};
pub use dimension::Dimension;
pub use node::{MapEntry, Node, Value, merge};
pub use overrides::apply_set;
pub use parse::parse;
pub use print::to_yaml;
pub use schema::for_editors;
pub use source::{SourceId, SourceMap, Span};
pub use spans::SpanIndex;
pub use suggest::did_you_mean;
pub use unit::{Quantity, Unit, convert};
pub use unit_error::UnitError;
