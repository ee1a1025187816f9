//! Validates a scenario against its schema: walks data and schema side by side.

use serde_json::Value as Json;

use super::branch::{self, Failure};
use super::diagnostic::Diagnostic;
use super::node::{Node, Value};
use super::scalar;
use super::shape::{Shape, unique};
use super::source::Span;
use super::spans::{self, SpanIndex};
use super::suggest::did_you_mean;
use super::words;

/// Largest nesting of choices; more is a cycle in the schema.
const MOST_CHOICES: usize = 64;

/// The outcome of [`conform`].
#[derive(Clone, Debug)]
pub struct Conformed {
    /// The data, with quantities as SI numbers and without defaults; complete only if there are no errors.
    pub value: Json,
    /// All errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Where each value was written, for later checks.
    pub spans: SpanIndex,
}

/// Checks `root` against a JSON Schema as schemars 1 makes it, and converts quantities to SI numbers.
///
/// A number schema with `x-unit: "m/s"` accepts a number or a text with a unit; on a list, `x-unit` holds for its items.
/// Objects with `properties` accept no other keys unless `additionalProperties` says so.
pub fn conform(root: &Node, schema: &Json) -> Conformed {
    let mut walker = Walker { root: schema, diagnostics: Vec::new(), path: String::new() };
    let value = walker.value(root, schema, None, root.span).unwrap_or(Json::Null);
    let mut diagnostics = walker.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.source, span.start)));
    Conformed { value, diagnostics, spans: SpanIndex::of(root) }
}

pub(super) struct Walker<'s> {
    root: &'s Json,
    diagnostics: Vec<Diagnostic>,
    path: String,
}

/// A shape without open choices.
pub(super) struct Resolved<'s> {
    pub(super) shape: Shape<'s>,
    /// Keys of branches that were not chosen, each with the key that chose another.
    pub(super) rivals: Vec<(&'s str, &'s str)>,
    /// A branch could not be chosen, which was already reported, so no key counts as unknown.
    pub(super) undecided: bool,
}

impl<'s> Walker<'s> {
    /// The converted value, or `None` after reporting why not. `site` is where missing keys are reported.
    pub(super) fn value(
        &mut self,
        node: &Node,
        schema: &'s Json,
        unit: Option<&'s str>,
        site: Span,
    ) -> Option<Json> {
        let resolved = self.resolve(node, schema, unit, site);
        let shape = &resolved.shape;
        if let Value::Map(entries) = &node.value
            && shape.allows(node)
        {
            return Some(self.map(node, entries, &resolved, site));
        }
        if resolved.undecided {
            return None;
        }
        if !shape.allows(node) {
            self.wrong_type(node, shape);
            return None;
        }
        if !self.is_listed(node, shape) {
            return None;
        }
        match &node.value {
            Value::List(items) => Some(self.list(node, items, shape)),
            Value::Int(_) | Value::Float(_) => self.number(node, shape),
            Value::Text(text) if is_quantity(text, shape) => self.number(node, shape),
            _ => Some(node.to_json()),
        }
    }

    /// Runs `check` one level deeper.
    pub(super) fn inside<T>(&mut self, element: &str, check: impl FnOnce(&mut Self) -> T) -> T {
        let parent = self.path.len();
        self.path = spans::join(&self.path, element);
        let outcome = check(self);
        self.path.truncate(parent);
        outcome
    }

    /// The path of the map that has `key`, seen from inside that key.
    pub(super) fn parent_path(&self, key: &str) -> &str {
        self.path.strip_suffix(key).map_or("", |parent| parent.trim_end_matches('.'))
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic.with_path(self.path.clone()));
    }

    /// The value in a sentence: its path, or `the scenario`.
    pub(super) fn subject(&self) -> String {
        if self.path.is_empty() { "the scenario".into() } else { format!("`{}`", self.path) }
    }

    fn resolve(&mut self, node: &Node, schema: &'s Json, unit: Option<&'s str>, site: Span) -> Resolved<'s> {
        let mut shape = Shape::of(self.root, schema, unit);
        let (mut rivals, mut failures) = (Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(choice) = shape.choices.get(next).copied().filter(|_| next < MOST_CHOICES) {
            match branch::pick(&shape, choice, node) {
                Ok(picked) => {
                    rivals.extend(picked.rivals);
                    shape.add(picked.schema, 0);
                }
                Err(failure) => failures.push(failure),
            }
            next += 1;
        }
        let undecided = !failures.is_empty();
        for failure in failures {
            self.unresolved(node, &shape, failure, site);
        }
        Resolved { shape, rivals, undecided }
    }

    fn unresolved(&mut self, node: &Node, shape: &Shape<'s>, failure: Failure<'s>, site: Span) {
        match failure {
            Failure::Kind => self.wrong_type(node, shape),
            Failure::Word(accepted) => self.unknown_word(node, &accepted, Some(shape)),
            Failure::Tag { key, accepted } => match node.get(key) {
                Some(entry) if entry.node.value != Value::Null => {
                    self.inside(key, |walker| walker.unknown_word(&entry.node, &accepted, None));
                }
                _ => self.missing_tag(key, &accepted, site),
            },
            Failure::Keys(keys) => self.missing_choice(node, shape, &keys, site),
        }
    }

    fn missing_tag(&mut self, key: &str, accepted: &[&str], site: Span) {
        let label = format!("{} needs `{key}`", self.subject());
        let help = format!("`{key}` is one of {}", words::quoted(accepted));
        self.report(
            Diagnostic::error(format!("missing key `{key}`")).at(site).with_label(label).with_help([help]),
        );
    }

    /// None of the keys that select a branch is present: one is misspelt, or missing.
    fn missing_choice(&mut self, node: &Node, shape: &Shape<'s>, keys: &[&'s str], site: Span) {
        let leaves = shape.choices.iter().flat_map(|choice| shape.leaves(choice));
        let mut known = shape.property_names();
        known.extend(leaves.flat_map(|leaf| leaf.shape.property_names()));
        let strays: Vec<_> =
            node.entries().iter().filter(|entry| !known.contains(&entry.key.as_str())).collect();
        for entry in &strays {
            self.inside(&entry.key, |walker| walker.unknown_key(entry, &unique(keys.iter().copied()), None));
        }
        if strays.is_empty() {
            let label = format!("{} needs one of them", self.subject());
            let message = format!("missing key: one of {}", words::quoted(keys));
            self.report(Diagnostic::error(message).at(site).with_label(label));
        }
    }

    fn is_listed(&mut self, node: &Node, shape: &Shape<'s>) -> bool {
        let Some(values) = shape.listed() else { return true };
        let same = |value: &Json| match (value.as_f64(), &node.value) {
            (Some(number), Value::Int(given)) => number == *given as f64,
            (Some(number), Value::Float(given)) => number == *given,
            _ => *value == node.to_json(),
        };
        if values.iter().any(same) {
            return true;
        }
        let texts: Vec<String> = values
            .iter()
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect();
        self.unknown_word(node, &texts.iter().map(String::as_str).collect::<Vec<_>>(), None);
        false
    }

    fn unknown_word(&mut self, node: &Node, accepted: &[&str], shape: Option<&Shape<'s>>) {
        let found = match &node.value {
            Value::Text(text) => format!("unknown value `{}` for {}", words::cut(text), self.subject()),
            _ => format!("unknown value for {}: {}", self.subject(), words::describe(node)),
        };
        let meant = node.text().and_then(|text| did_you_mean(text, accepted.iter().copied()));
        let mut help: Vec<String> = meant.map(|word| format!("did you mean `{word}`?")).into_iter().collect();
        let is_key = |shape: &&Shape<'s>| node.text().is_some_and(|text| shape.branch_keys().contains(&text));
        if let Some(key) = shape.filter(is_key).and(node.text()) {
            help.push(format!("`{key}` needs a value: write `{key}: ...`"));
        }
        help.push(match shape {
            Some(shape) => format!("accepted: {}", shape.expected()),
            None => format!("accepted: {}", words::quoted(accepted)),
        });
        self.report(Diagnostic::error(found).at(node.span).with_label("not accepted here").with_help(help));
    }

    pub(super) fn wrong_type(&mut self, node: &Node, shape: &Shape<'s>) {
        let message = format!("expected {}, found {}", shape.expected(), words::describe(node));
        let label = format!("{} takes {}", self.subject(), shape.kind());
        let help = type_help(node, shape);
        self.report(Diagnostic::error(message).at(node.span).with_label(label).with_help(help));
    }
}

fn is_quantity(text: &str, shape: &Shape<'_>) -> bool {
    let number = shape.has_type("number") || shape.has_type("integer");
    number && shape.unit.is_some() && (!shape.has_type("string") || scalar::number_length(text).is_some())
}

fn type_help(node: &Node, shape: &Shape<'_>) -> Option<&'static str> {
    let number = shape.has_type("number") || shape.has_type("integer");
    match &node.value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) if shape.has_type("string") => {
            Some("put it in quotes if it is meant as text")
        }
        Value::Text(text) if shape.has_type("boolean") => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" => Some("write `true`"),
            "no" | "off" => Some("write `false`"),
            _ => None,
        },
        Value::Text(text) if number && scalar::number_length(text).is_some() => {
            Some("write the number without a unit and without quotes")
        }
        Value::List(_) | Value::Map(_) | Value::Null => None,
        _ if shape.has_type("array") => Some("a list is written as `[a, b]`"),
        _ => None,
    }
}
