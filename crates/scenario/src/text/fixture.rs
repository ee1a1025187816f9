//! Helpers for the tests of this folder.

use super::conform::{Conformed, conform};
use super::diagnostic::render;
use super::node::Node;
use super::parse::parse;
use super::sample::schema;
use super::source::SourceMap;

/// A text that must be valid YAML.
pub(super) fn parsed(text: &str) -> Node {
    let mut sources = SourceMap::default();
    let id = sources.add("test.yaml".into(), text.into());
    parse(&sources, id).unwrap_or_else(|errors| panic!("{}", render(&errors, &sources, false)))
}

/// The messages about a text that must not be valid YAML.
pub(super) fn refused(text: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add("test.yaml".into(), text.into());
    match parse(&sources, id) {
        Ok(node) => panic!("accepted as {}", node.to_json()),
        Err(errors) => render(&errors, &sources, false),
    }
}

/// A valid text checked against the sample schema, and the messages about it.
pub(super) fn conformed(text: &str) -> (Conformed, String) {
    let mut sources = SourceMap::default();
    let id = sources.add("test.yaml".into(), text.into());
    let conformed = conform(&parse(&sources, id).expect("valid YAML"), &schema());
    let messages = render(&conformed.diagnostics, &sources, false);
    (conformed, messages)
}

/// The complete messages about a valid text, so that changes of wording are detected.
pub(super) fn check_messages(text: &str, expected: &str) {
    let (_, messages) = conformed(text);
    assert_eq!(messages, expected, "\n{messages}");
}

/// A small deterministic generator (xorshift), so that tests need no other crate and always see the same data.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`, which is at least 1.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
