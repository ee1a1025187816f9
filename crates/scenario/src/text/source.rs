//! The texts a scenario is made of, and places in them.

/// One text of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(usize);

/// A stretch of one text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// A span that ends at or after its start.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start, end: end.max(start) }
    }
}

/// Owns every text that was read, so that a message can show the line it is about.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
}

impl SourceMap {
    /// Keeps a text under the name messages show, usually the path as the user gave it.
    pub fn add(&mut self, name: String, text: String) -> SourceId {
        self.sources.push(Source { name, text });
        SourceId(self.sources.len() - 1)
    }

    /// The name of a text; empty if the id belongs to another map.
    pub fn name(&self, id: SourceId) -> &str {
        self.sources.get(id.0).map_or("", |source| &source.name)
    }

    /// The whole text; empty if the id belongs to another map.
    pub fn text(&self, id: SourceId) -> &str {
        self.sources.get(id.0).map_or("", |source| &source.text)
    }

    /// Line and column of the start of a span, both from 1, the column in characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = self.text(span.source);
        let start = text.floor_char_boundary(span.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The line in which a span starts, without its line break, and the byte offset at which that line starts.
    pub(super) fn line_of(&self, span: Span) -> (&str, usize) {
        let text = self.text(span.source);
        let start = text.floor_char_boundary(span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].split('\n').next().unwrap_or_default();
        (line.trim_end_matches('\r'), line_start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_start_at_one() {
        let mut sources = SourceMap::default();
        let id = sources.add("a.yaml".into(), "é: ü\nµ: x\r\n".into());
        let check = |start, expected| assert_eq!(sources.line_column(Span::new(id, start, start)), expected);
        check(0, (1, 1));
        check(4, (1, 4));
        check(7, (2, 1));
        check(11, (2, 4));
        check(999, (3, 1));
        // A place inside a character counts as that character.
        check(1, (1, 1));
    }

    #[test]
    fn an_id_of_another_map_is_harmless() {
        let mut other = SourceMap::default();
        let id = other.add("x".into(), "y".into());
        let empty = SourceMap::default();
        assert_eq!((empty.name(id), empty.text(id)), ("", ""));
        assert_eq!(empty.line_column(Span::new(id, 5, 2)), (1, 1));
    }
}
