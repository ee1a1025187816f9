//! The behaviours of a graph while a tree is translated.

use crate::{Placed, PlacedValue};
use std::ops::Range;

/// Where something comes from. [bytes]
pub(super) type Span = Range<usize>;

/// A behaviour in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) span: Span,
    /// What it does.
    pub(super) work: Option<(String, Span)>,
    pub(super) children: Vec<usize>,
    pub(super) next: Vec<usize>,
    /// All must hold.
    pub(super) when: Vec<Term>,
    /// One ends it.
    pub(super) until: Vec<Term>,
    pub(super) any: bool,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) span: Span,
}

impl Term {
    pub(super) fn new(text: impl Into<String>, span: &Span) -> Term {
        Term { text: text.into(), span: span.clone() }
    }

    /// Holds when this one does not.
    pub(super) fn negated(&self) -> Term {
        let text = match self.text.strip_prefix('!').filter(|rest| is_whole(rest)) {
            Some(inner) => inner.to_string(),
            None => format!("!{}", bracketed(&self.text)),
        };
        Term { text, span: self.span.clone() }
    }
}

/// One of several that all have to hold, or of which one has to.
pub(super) fn joined(terms: &[Term], sign: &str) -> Option<Term> {
    let [first, rest @ ..] = terms else { return None };
    if rest.is_empty() {
        return Some(first.clone());
    }
    let texts: Vec<String> = terms.iter().map(|term| bracketed(&term.text)).collect();
    Some(Term::new(texts.join(&format!(" {sign} ")), &first.span))
}

/// A condition as an operand.
fn bracketed(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    let negated = text.strip_prefix('!').is_some_and(is_whole);
    if text.chars().all(plain) || negated || is_whole(text) { text.into() } else { format!("({text})") }
}

/// True if the first bracket of a text is closed at its end.
fn is_whole(text: &str) -> bool {
    let mut depth = 0;
    for (place, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            // A quoted text could have brackets; such a text is not simplified.
            '"' | '\'' => return false,
            _ => {}
        }
        if depth == 0 {
            return place > 0 && place + 1 == text.len();
        }
    }
    false
}

/// The graph of these behaviours that begins with this one.
pub(super) fn written(drafts: &[Draft], first: usize, span: &Span) -> Placed {
    let text = |text: &str, span: &Span| Placed { span: span.clone(), value: PlacedValue::Text(text.into()) };
    let nodes = drafts.iter().map(|draft| {
        let mut map: Vec<(String, Span, Placed)> = Vec::new();
        let mut put = |key: &str, value: Placed| map.push((key.into(), value.span.clone(), value));
        if let Some((work, span)) = &draft.work {
            put("do", text(work, span));
        }
        for (key, edges) in [("children", &draft.children), ("next", &draft.next)] {
            if !edges.is_empty() {
                let names = edges.iter().map(|&to| text(&drafts[to].name, &drafts[to].span)).collect();
                put(key, Placed { span: draft.span.clone(), value: PlacedValue::List(names) });
            }
        }
        for (key, terms, sign) in [("when", &draft.when, "&&"), ("until", &draft.until, "||")] {
            if let Some(term) = joined(terms, sign) {
                put(key, text(&term.text, &term.span));
            }
        }
        if draft.any {
            put("ends", text("any", &draft.span));
        }
        let node = Placed { span: draft.span.clone(), value: PlacedValue::Map(map) };
        (draft.name.clone(), draft.span.clone(), node)
    });
    let nodes = Placed { span: span.clone(), value: PlacedValue::Map(nodes.collect()) };
    let root = text(&drafts[first].name, &drafts[first].span);
    let map = vec![("root".into(), span.clone(), root), ("nodes".into(), span.clone(), nodes)];
    Placed { span: span.clone(), value: PlacedValue::Map(map) }
}
