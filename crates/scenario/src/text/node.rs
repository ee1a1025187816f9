//! Scenario data in which every value knows where it was written.

use std::collections::HashMap;

use super::source::Span;

/// The deepest nesting of lists and maps that is accepted.
pub(super) const DEEPEST: usize = 64;

/// A value and the text it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The text; in block style without the line break at its end.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A YAML value. Floats are finite.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing, `null` or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Words, or anything quoted.
    Text(String),
    /// `[a, b]`, or lines that start with `- `.
    List(Vec<Node>),
    /// `{key: value}`, or lines of `key: value`. In the order of the text; no key occurs twice.
    Map(Vec<MapEntry>),
}

/// One `key: value` of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapEntry {
    /// The key; numbers and booleans as they were written.
    pub key: String,
    /// The text of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The entry with this key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&MapEntry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The entries of a map; none for anything else.
    pub fn entries(&self) -> &[MapEntry] {
        if let Value::Map(entries) = &self.value { entries } else { &[] }
    }

    /// The text, if this is one.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// True if this is a number.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.value, Value::Int(_) | Value::Float(_))
    }

    /// The same data without places.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => (*flag).into(),
            Value::Int(integer) => (*integer).into(),
            Value::Float(number) => (*number).into(),
            Value::Text(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Node::to_json).collect(),
            Value::Map(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json())).collect()
            }
        }
    }

    /// How many levels of lists and maps this has: 0 for a scalar.
    pub(super) fn depth(&self) -> usize {
        match &self.value {
            Value::List(items) => 1 + items.iter().map(Node::depth).max().unwrap_or(0),
            Value::Map(entries) => 1 + entries.iter().map(|entry| entry.node.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// Lays `over` on `base`: maps merge deeply, everything else is replaced.
///
/// Keys of `base` come first, then new ones; every entry keeps its position in the text. A null in `over` replaces, too: it
/// removes the value of `base`.
pub fn merge(base: Node, over: Node) -> Node {
    let (mut entries, additions) = match (base.value, over.value) {
        (Value::Map(entries), Value::Map(additions)) => (entries, additions),
        (_, value) => return Node { span: over.span, value },
    };
    let span = if additions.is_empty() { base.span } else { over.span };
    let places: HashMap<String, usize> =
        entries.iter().enumerate().map(|(place, entry)| (entry.key.clone(), place)).collect();
    for addition in additions {
        match places.get(&addition.key).and_then(|place| entries.get_mut(*place)) {
            Some(entry) => replace(entry, addition),
            None => entries.push(addition),
        }
    }
    Node { span, value: Value::Map(entries) }
}

fn replace(entry: &mut MapEntry, addition: MapEntry) {
    let placeholder = Node { span: entry.node.span, value: Value::Null };
    let base = std::mem::replace(&mut entry.node, placeholder);
    *entry = MapEntry { node: merge(base, addition.node), ..addition };
}

#[cfg(test)]
mod tests {
    use super::super::fixture::parsed;
    use super::*;

    fn check(base: &str, over: &str, expected: &str) {
        let merged = merge(parsed(base), parsed(over));
        assert_eq!(merged.to_json(), parsed(expected).to_json());
        // The order of the keys is part of the promise; `to_json` comparisons ignore it.
        assert_eq!(merged.to_json().to_string(), parsed(expected).to_json().to_string());
    }

    #[test]
    fn maps_merge_and_the_rest_is_replaced() {
        check("{a: 1, b: {c: 2, d: 3}}", "{b: {d: 4, e: 5}, f: 6}", "{a: 1, b: {c: 2, d: 4, e: 5}, f: 6}");
        check("{a: [1, 2]}", "{a: [3]}", "{a: [3]}");
        check("{a: {b: 1}}", "{a: 5}", "{a: 5}");
        check("{a: 5}", "{a: {b: 1}}", "{a: {b: 1}}");
        check("{a: 5, b: 6}", "{a: null}", "{a: null, b: 6}");
        check("", "{a: 5}", "{a: 5}");
        check("{a: 5}", "", "{a: 5}");
    }

    #[test]
    fn depth_counts_levels() {
        assert_eq!(parsed("{a: [1, {b: 2}], c: 3}").depth(), 3);
        assert_eq!(parsed("{}").depth(), 1);
        assert_eq!(parsed("5").depth(), 0);
    }
}
