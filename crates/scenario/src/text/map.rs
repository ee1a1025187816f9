//! Checking maps: which keys there are, and which there should be.

use serde_json::{Map, Value as Json};

use super::conform::{Resolved, Walker};
use super::diagnostic::Diagnostic;
use super::node::{MapEntry, Node, Value};
use super::shape::{Additional, Shape};
use super::source::Span;
use super::suggest::did_you_mean;
use super::words;

/// How many unknown keys are looked at to explain a missing one.
const MOST_SLIPS: usize = 20;

impl<'s> Walker<'s> {
    pub(super) fn map(
        &mut self,
        node: &Node,
        entries: &[MapEntry],
        resolved: &Resolved<'s>,
        site: Span,
    ) -> Json {
        let required = resolved.shape.required();
        let mut values = Map::new();
        for entry in entries {
            let needed = required.contains(&entry.key.as_str());
            if let Some(value) = self.inside(&entry.key, |walker| walker.entry(entry, resolved, needed)) {
                values.insert(entry.key.clone(), value);
            }
        }
        for key in required {
            if node.get(key).is_none() && !self.misspelt(entries, key, resolved) {
                self.missing_key(key, &resolved.shape, site);
            }
        }
        Json::Object(values)
    }

    /// True if an unknown key was already reported as a misspelling of `key`, which then is not reported as missing.
    fn misspelt(&self, entries: &[MapEntry], key: &str, resolved: &Resolved<'s>) -> bool {
        let accepted = resolved.shape.property_names();
        let refuses = !resolved.undecided && matches!(resolved.shape.additional(), Additional::Refused);
        let unknown = entries.iter().filter(|entry| !accepted.contains(&entry.key.as_str()));
        refuses
            && unknown
                .take(MOST_SLIPS)
                .any(|entry| did_you_mean(&entry.key, accepted.iter().copied()) == Some(key))
    }

    fn entry(&mut self, entry: &MapEntry, resolved: &Resolved<'s>, needed: bool) -> Option<Json> {
        let shape = &resolved.shape;
        let (schema, unit) = match shape.property(&entry.key) {
            Some(schema) => (schema, None),
            None => match shape.additional() {
                Additional::Anything => return Some(entry.node.to_json()),
                Additional::Like(schema) => (schema, shape.unit),
                Additional::Numbered(schema) => {
                    self.numbered_key(entry)?;
                    (schema, shape.unit)
                }
                Additional::Refused if resolved.undecided => return None,
                Additional::Refused => {
                    self.refused_key(entry, resolved);
                    return None;
                }
            },
        };
        if entry.node.value == Value::Null && !Shape::of(shape.root, schema, unit).allows_null() {
            // Null means "unset: use the default", so there must be one.
            if needed {
                let message = format!("{} is empty, but it has no default", self.subject());
                self.report(Diagnostic::error(message).at(entry.key_span).with_label("needs a value"));
            }
            return None;
        }
        self.value(&entry.node, schema, unit, entry.key_span)
    }

    fn numbered_key(&mut self, entry: &MapEntry) -> Option<()> {
        if entry.key.parse::<i64>().is_ok() {
            return Some(());
        }
        let message = format!("expected a whole number as key, found `{}`", words::cut(&entry.key));
        self.report(Diagnostic::error(message).at(entry.key_span));
        None
    }

    fn refused_key(&mut self, entry: &MapEntry, resolved: &Resolved<'s>) {
        let Some((rival, chosen)) = resolved.rivals.iter().find(|(rival, _)| *rival == entry.key) else {
            let amounts = resolved.shape.amounts().filter(|_| entry.node.is_number());
            let hint = amounts.map(|key| {
                let name = words::cut(&entry.key);
                format!("amounts by name go under `{key}`: `{key}: {{{name}: ...}}`")
            });
            return self.unknown_key(entry, &resolved.shape.property_names(), hint);
        };
        let message = format!("`{rival}` cannot be given together with `{chosen}`");
        self.report(Diagnostic::error(message).at(entry.key_span).with_label("remove one of them"));
    }

    /// Reports a key that is not in `accepted`; the path is the key's own. `hint` says where else it may belong.
    pub(super) fn unknown_key(&mut self, entry: &MapEntry, accepted: &[&str], hint: Option<String>) {
        let parent = self.parent_path(&entry.key);
        let label = if parent.is_empty() {
            "not a key of the scenario".into()
        } else {
            format!("not a key of `{parent}`")
        };
        let meant = did_you_mean(&entry.key, accepted.iter().copied());
        let mut help: Vec<String> =
            meant.map(|key| format!("did you mean `{key}`?")).into_iter().chain(hint).collect();
        help.push(match accepted {
            [] => "no keys are accepted here".into(),
            _ => format!("accepted keys: {}", words::quoted(accepted)),
        });
        let message = format!("unknown key `{}`", words::cut(&entry.key));
        self.report(Diagnostic::error(message).at(entry.key_span).with_label(label).with_help(help));
    }

    fn missing_key(&mut self, key: &str, shape: &Shape<'s>, site: Span) {
        let property = shape.property(key).map(|schema| Shape::of(shape.root, schema, None));
        let meaning = property.as_ref().and_then(|property| property.word("description"));
        let help = match (&property, meaning) {
            (_, Some(meaning)) => Some(format!("`{key}`: {}", words::first_sentence(meaning))),
            (Some(property), None) if property.types().is_some() => {
                Some(format!("`{key}` takes {}", property.expected()))
            }
            _ => None,
        };
        let label = format!("{} needs `{key}`", self.subject());
        self.report(
            Diagnostic::error(format!("missing key `{key}`")).at(site).with_label(label).with_help(help),
        );
    }
}
