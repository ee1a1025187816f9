//! Places in YAML text, and YAML's own errors in plain words.

use saphyr_parser::ScanError;

use super::diagnostic::Diagnostic;
use super::source::{SourceId, Span};

/// Turns the parser's character counts into byte offsets of the source.
pub(super) struct Positions {
    source: SourceId,
    /// Where the parsed part starts in the source, in bytes.
    offset: usize,
    length: usize,
    /// Byte offset of every character; empty for ASCII, where both counts are the same.
    characters: Vec<usize>,
}

impl Positions {
    pub(super) fn new(source: SourceId, text: &str, offset: usize) -> Positions {
        let characters =
            if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(byte, _)| byte).collect() };
        Positions { source, offset, length: text.len(), characters }
    }

    /// The span between two character counts.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.byte(start) + self.offset, self.byte(end) + self.offset)
    }

    /// The span between two byte offsets of the parsed part.
    pub(super) fn byte_span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start + self.offset, end + self.offset)
    }

    /// The whole parsed part without the white space around it.
    pub(super) fn all(&self, text: &str) -> Span {
        let start = text.len() - text.trim_start().len();
        self.byte_span(start.min(text.trim_end().len()), text.trim_end().len())
    }

    /// The text of a span.
    pub(super) fn slice<'t>(&self, text: &'t str, span: Span) -> &'t str {
        let relative = |byte: usize| byte.saturating_sub(self.offset);
        text.get(relative(span.start)..relative(span.end)).unwrap_or_default()
    }

    /// The line in which a span starts, from 1.
    pub(super) fn line_of(&self, text: &str, span: Span) -> usize {
        let before = text.get(..span.start.saturating_sub(self.offset)).unwrap_or_default();
        before.matches('\n').count() + 1
    }

    fn byte(&self, character: usize) -> usize {
        let byte = if self.characters.is_empty() {
            character
        } else {
            *self.characters.get(character).unwrap_or(&self.length)
        };
        byte.min(self.length)
    }
}

/// YAML allows no control characters but tabs and line breaks.
pub(super) fn control_character(text: &str, positions: &Positions) -> Option<Diagnostic> {
    let forbidden = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}'))
            || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    let (start, character) = text.char_indices().find(|(_, c)| forbidden(*c))?;
    let message = format!("the control character U+{:04X} is not allowed in YAML", u32::from(character));
    let span = positions.byte_span(start, start + character.len_utf8());
    Some(Diagnostic::error(message).at(span).with_help(["is this really a text file?"]))
}

/// What is said about more than [`super::node::DEEPEST`] levels.
pub(super) const TOO_DEEP: &str = "lists and maps are nested more than 64 levels deep";

const NOT_YAML: &str = "this is not valid YAML";

/// The parser's error in helpful words, at the text that caused it.
pub(super) fn explain(error: &ScanError, text: &str, positions: &Positions) -> Diagnostic {
    let info = error.info();
    let mark = positions.span(error.marker().index(), error.marker().index());
    let start = mark.start.saturating_sub(positions.offset);
    let (message, help, place) = match info {
        _ if info.contains("tab") => tab(text, start),
        "mapping values are not allowed in this context" => (
            "`:` cannot stand here",
            "quote a text that contains `: `, or check the indentation",
            character_at(text, start),
        ),
        "simple key expect ':'" | "simple key expected" => {
            ("a key needs a `:` after it", "write `key: value`", line_before(text, start))
        }
        "while parsing node, found unknown anchor" => {
            ("this alias refers to no anchor", "`*name` needs a `&name` above it", word_at(text, start))
        }
        "invalid indentation in quoted scalar"
        | "while scanning a quoted scalar, found unexpected end of stream" => (
            "the quote that starts here has no end",
            "close it, or indent its lines",
            character_at(text, start),
        ),
        "recursion limit exceeded" => (TOO_DEEP, "", character_at(text, start)),
        "while parsing a node, did not find expected node content" => (
            "a value is missing here, or a bracket is not closed",
            "check `[`, `{`, `,` before this place",
            seen(text, start),
        ),
        "invalid trailing content after double-quoted scalar" => (
            "nothing can follow a closing quote",
            "write \"it's\" or 'it''s' for a quote inside a text",
            seen(text, start),
        ),
        "misplaced bracket" => ("this bracket was never opened", "remove it", seen(text, start)),
        _ if info.contains("flow") || info.contains("illegal placement of ':'") => (
            "a bracket is not closed, or a comma is missing",
            "check `[`, `{`, `,` before this place",
            seen(text, start),
        ),
        _ if info.contains("expected key")
            || info.contains("expected '-'")
            || info == "invalid indentation" =>
        {
            (
                "the indentation does not fit the lines above",
                "entries of one map or list start in one column",
                seen(text, start),
            )
        }
        _ => (NOT_YAML, "", seen(text, start)),
    };
    // The parser's own words only if there are no better ones.
    let label = if message == NOT_YAML { info } else { "" };
    let help = Some(help).filter(|help| !help.is_empty());
    Diagnostic::error(message).at(positions.byte_span(place.0, place.1)).with_label(label).with_help(help)
}

type Place = (usize, usize);

fn tab(text: &str, near: usize) -> (&'static str, &'static str, Place) {
    let near = text.floor_char_boundary(near);
    let at = if text[near..].starts_with('\t') { Some(near) } else { text[..near].rfind('\t') };
    let place = at.map_or_else(|| seen(text, near), |at| (at, at + 1));
    ("tabs cannot be used for indentation", "use spaces", place)
}

fn character_at(text: &str, start: usize) -> Place {
    let start = text.floor_char_boundary(start);
    (start, start + text[start..].chars().next().map_or(0, char::len_utf8))
}

fn word_at(text: &str, start: usize) -> Place {
    let start = text.floor_char_boundary(start);
    let rest = &text[start..];
    (start, start + rest.find(|c: char| c.is_whitespace() || ",]}".contains(c)).unwrap_or(rest.len()))
}

/// The last line with something on it that ends before the place.
fn line_before(text: &str, start: usize) -> Place {
    let before = text[..text.floor_char_boundary(start)].trim_end();
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.len() - line.trim_start().len(), before.len())
}

/// How much of a text that starts with a quoted scalar belongs to it.
pub(super) fn quoted_length(text: &str) -> usize {
    let Some(open) = text.find(['"', '\'']) else { return text.len() };
    let quote = text.as_bytes()[open];
    let mut bytes = text.bytes().enumerate().skip(open + 1).peekable();
    while let Some((at, byte)) = bytes.next() {
        let doubled = quote == b'\'' && bytes.peek().is_some_and(|(_, next)| *next == quote);
        if (byte == b'\\' && quote == b'"') || (byte == quote && doubled) {
            bytes.next();
        } else if byte == quote {
            return at + 1;
        }
    }
    text.len()
}

/// The character at the position or, if it is not visible, the last visible one before it.
fn seen(text: &str, start: usize) -> Place {
    let start = text.floor_char_boundary(start);
    match text[start..].chars().next() {
        Some(character) if !character.is_whitespace() => (start, start + character.len_utf8()),
        _ => {
            let before = text[..start].trim_end();
            (before.len() - before.chars().next_back().map_or(0, char::len_utf8), before.len())
        }
    }
}
