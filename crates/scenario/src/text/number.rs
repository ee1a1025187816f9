//! Checking numbers: unit, wholeness and range.

use serde_json::Value as Json;

use super::conform::Walker;
use super::diagnostic::Diagnostic;
use super::node::{Node, Value};
use super::shape::Shape;
use super::unit::{self, Unit};
use super::words;

/// Beyond this, floats skip whole numbers, so it is unclear which number was meant (2^53).
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

impl<'s> Walker<'s> {
    /// The number in the unit of the schema, if it is one and within its limits.
    pub(super) fn number(&mut self, node: &Node, shape: &Shape<'s>) -> Option<Json> {
        let number = self.measure(node, shape)?;
        let whole_wanted = shape.has_type("integer") && !shape.has_type("number");
        let value = match (&node.value, whole_wanted) {
            (Value::Int(integer), _) if shape.unit.is_none() || whole_wanted => Json::from(*integer),
            (_, true) => Json::from(self.whole(node, number, shape)?),
            (_, false) => Json::from(number),
        };
        self.in_range(node, number, shape).then_some(value)
    }

    fn measure(&mut self, node: &Node, shape: &Shape<'s>) -> Option<f64> {
        let text = match &node.value {
            Value::Int(integer) => return Some(*integer as f64),
            Value::Float(number) => return Some(*number),
            Value::Text(text) => text,
            _ => return None,
        };
        match unit::convert(text, shape.unit.unwrap_or("1")) {
            Ok(number) => Some(number),
            Err(error) => {
                let label = format!("{} takes {}", self.subject(), shape.kind());
                let message = Diagnostic::error(error.to_string()).at(node.span);
                self.report(message.with_label(label).with_help(error.help()));
                None
            }
        }
    }

    /// The integer that a number stands for. A quantity is rounded if only the conversion made it fractional.
    fn whole(&mut self, node: &Node, number: f64, shape: &Shape<'s>) -> Option<i64> {
        let slack = if node.text().is_some() { number.abs() * 1e-12 } else { 0.0 };
        let rounded = number.round();
        if rounded.abs() <= LARGEST_EXACT && (number - rounded).abs() <= slack {
            return Some(rounded as i64);
        }
        let unit = shape.unit.map(|unit| format!(" of {unit}")).unwrap_or_default();
        let message = if rounded.abs() > LARGEST_EXACT {
            format!("{} is too large for a whole number, found {}", self.subject(), found(node))
        } else {
            format!("{} must be a whole number{unit}, found {}", self.subject(), found(node))
        };
        self.report(Diagnostic::error(message).at(node.span).with_label("not a whole number"));
        None
    }

    fn in_range(&mut self, node: &Node, number: f64, shape: &Shape<'s>) -> bool {
        let Some((words, limit)) = broken_limit(number, shape) else { return true };
        let limit = limit_text(limit, shape);
        let message = format!("{} must be {words} {limit}, found {}", self.subject(), found(node));
        self.report(Diagnostic::error(message).at(node.span).with_label(format!("must be {words} {limit}")));
        false
    }
}

/// The first limit that a number violates, and its wording.
fn broken_limit(number: f64, shape: &Shape<'_>) -> Option<(&'static str, f64)> {
    let stated =
        |keyword: &'static str| shape.layers.iter().filter_map(move |layer| layer.get(keyword)?.as_f64());
    let (least, most) = format_range(shape.word("format").unwrap_or_default());
    let least =
        stated("minimum").chain([least]).find(|limit| number < *limit).map(|limit| ("at least", limit));
    let most = stated("maximum").chain([most]).find(|limit| number > *limit).map(|limit| ("at most", limit));
    let above =
        stated("exclusiveMinimum").find(|limit| number <= *limit).map(|limit| ("greater than", limit));
    let below = stated("exclusiveMaximum").find(|limit| number >= *limit).map(|limit| ("less than", limit));
    least.or(most).or(above).or(below)
}

/// What was written: `-3 cm`, `7`.
fn found(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => format!("`{}`", words::cut(text)),
        Value::Int(integer) => format!("`{integer}`"),
        Value::Float(number) => format!("`{}`", words::number_text(*number)),
        _ => words::describe(node),
    }
}

fn limit_text(limit: f64, shape: &Shape<'_>) -> String {
    let number = words::number_text(limit);
    match shape.unit.and_then(Unit::find).map(Unit::symbol) {
        None | Some("1") => number,
        Some(symbol) => format!("{number} {symbol}"),
    }
}

/// The range of the Rust type behind a schema.
fn format_range(format: &str) -> (f64, f64) {
    match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "uint8" => (0.0, u8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "uint16" => (0.0, u16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint32" => (0.0, u32::MAX.into()),
        "uint64" | "uint" => (0.0, f64::MAX),
        "float" => (f32::MIN.into(), f32::MAX.into()),
        _ => (f64::MIN, f64::MAX),
    }
}
