//! Checking lists: how many items, and each of them.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::conform::Walker;
use super::diagnostic::Diagnostic;
use super::node::Node;
use super::shape::Shape;
use super::words;

impl<'s> Walker<'s> {
    pub(super) fn list(&mut self, node: &Node, items: &[Node], shape: &Shape<'s>) -> Json {
        self.check_length(node, items.len(), shape);
        let first = shape.get("prefixItems").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let rest = shape.get("items").filter(|schema| !schema.is_boolean());
        let mut values = Vec::with_capacity(items.len());
        let mut seen = HashMap::new();
        for (position, item) in items.iter().enumerate() {
            let value = self.inside(&position.to_string(), |walker| match first.get(position).or(rest) {
                Some(schema) => walker.value(item, schema, shape.unit, item.span),
                None => Some(item.to_json()),
            });
            if let Some(value) = value {
                if shape.get("uniqueItems") == Some(&Json::Bool(true)) {
                    self.check_unique(item, &value, position, &mut seen);
                }
                values.push(value);
            }
        }
        Json::Array(values)
    }

    fn check_length(&mut self, node: &Node, length: usize, shape: &Shape<'s>) {
        let prefix = shape.get("prefixItems").and_then(Json::as_array).map(Vec::len);
        let closed = prefix.filter(|_| shape.get("items") == Some(&Json::Bool(false)));
        let (least, most) = (shape.count("minItems"), shape.count("maxItems").or(closed));
        let wanted = match (least, most) {
            (Some(least), Some(most)) if least == most => format!("exactly {}", words::items(least)),
            (Some(least), _) if length < least => format!("at least {}", words::items(least)),
            (_, Some(most)) => format!("at most {}", words::items(most)),
            _ => return,
        };
        if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            let message = format!("{} needs {wanted}, found {length}", self.subject());
            self.report(Diagnostic::error(message).at(node.span).with_label(words::items(length)));
        }
    }

    fn check_unique(
        &mut self,
        item: &Node,
        value: &Json,
        position: usize,
        seen: &mut HashMap<String, usize>,
    ) {
        let Some(earlier) = seen.insert(value.to_string(), position) else { return };
        let message = format!("{} lists {} twice", self.subject(), words::describe(item));
        let help = format!("items {} and {} are the same", earlier + 1, position + 1);
        self.report(
            Diagnostic::error(message).at(item.span).with_label("listed again here").with_help([help]),
        );
    }
}
