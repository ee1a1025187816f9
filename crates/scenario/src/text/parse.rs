//! From YAML text to a [`Node`].

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span as Marks, StrInput};

use super::diagnostic::Diagnostic;
use super::node::{DEEPEST, MapEntry, Node, Value};
use super::scalar;
use super::source::{SourceId, SourceMap, Span};
use super::syntax::{self, Positions};

/// How many values a text may hold after its aliases are expanded; long texts count more than once.
const LARGEST: usize = 200_000;

/// Reads one text as one YAML document. An empty text is an empty map.
///
/// Plain scalars follow the core schema of YAML 1.2. Anchors, aliases and `<<` are understood, tags are not. As many
/// errors as can be told apart are given at once.
pub fn parse(sources: &SourceMap, id: SourceId) -> Result<Node, Vec<Diagnostic>> {
    parse_from(sources, id, 0)
}

/// Reads the part of a text that starts at `offset`.
pub(super) fn parse_from(sources: &SourceMap, id: SourceId, offset: usize) -> Result<Node, Vec<Diagnostic>> {
    let text = sources.text(id).get(offset..).unwrap_or_default();
    // A byte order mark is allowed at the very start only.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let offset = offset + (text.len() - body.len());
    let positions = Positions::new(id, body, offset);
    if let Some(error) = syntax::control_character(body, &positions) {
        return Err(vec![error]);
    }
    Reader {
        text: body,
        events: Parser::new_from_str(body),
        positions,
        anchors: HashMap::new(),
        size: 0,
        errors: Vec::new(),
    }
    .document()
}

/// Reading cannot continue; the reason is among the reader's errors.
struct Stop;

struct Anchored {
    node: Node,
    size: usize,
}

struct Reader<'t> {
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
    positions: Positions,
    anchors: HashMap<usize, Anchored>,
    size: usize,
    errors: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn document(mut self) -> Result<Node, Vec<Diagnostic>> {
        let root = self.stream();
        match root {
            Ok(node) if self.errors.is_empty() => Ok(node),
            _ => Err(self.errors),
        }
    }

    fn stream(&mut self) -> Result<Node, Stop> {
        let mut root = None;
        loop {
            let (event, marks) = self.next()?;
            match event {
                Event::StreamEnd => break,
                Event::DocumentStart(_) if root.is_some() => {
                    let error = Diagnostic::error("a scenario file holds one YAML document")
                        .at(self.span(marks))
                        .with_label("a second document starts here");
                    return self.stop(error);
                }
                Event::DocumentStart(_) => root = Some(self.next_node(0)?),
                _ => {}
            }
        }
        let empty = Node { span: self.positions.all(self.text), value: Value::Map(Vec::new()) };
        // A text of nothing but `---` or comments is as empty as an empty one.
        Ok(root
            .filter(|node| node.value != Value::Null || !self.slice(node.span).is_empty())
            .unwrap_or(empty))
    }

    fn next(&mut self) -> Result<(Event<'t>, Marks), Stop> {
        match self.events.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let error = syntax::explain(&error, self.text, &self.positions);
                self.stop(error)
            }
            None => Ok((Event::StreamEnd, Marks::default())),
        }
    }

    fn next_node(&mut self, depth: usize) -> Result<Node, Stop> {
        let (event, marks) = self.next()?;
        self.node(event, marks, depth)
    }

    fn node(&mut self, event: Event<'t>, marks: Marks, depth: usize) -> Result<Node, Stop> {
        let span = self.span(marks);
        let size_before = self.size;
        if depth > DEEPEST {
            return self.stop(too_deep(span));
        }
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), span);
                self.grow(1 + text.len() / 64, span)?;
                (self.scalar(&text, style, span), anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_tag(tag.is_some(), span);
                self.grow(1, span)?;
                (self.list(span, depth)?, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_tag(tag.is_some(), span);
                self.grow(1, span)?;
                (self.map(span, depth)?, anchor)
            }
            Event::Alias(anchor) => (self.alias(anchor, span, depth)?, 0),
            _ => return self.stop(Diagnostic::error("a value is missing here").at(span)),
        };
        if anchor > 0 {
            // The copy counts too: otherwise nested anchors would multiply unnoticed.
            let size = self.size - size_before;
            self.grow(size, span)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), size });
        }
        Ok(node)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Node {
        if style != ScalarStyle::Plain {
            return Node { span: self.without_comment(span, style), value: Value::Text(text.to_owned()) };
        }
        let span = if text.is_empty() { Span::new(span.source, span.start, span.start) } else { span };
        let value = scalar::plain(text).unwrap_or_else(|_| {
            let error =
                Diagnostic::error("numbers must be finite").at(span).with_label("not a finite number");
            self.errors.push(error);
            Value::Null
        });
        Node { span, value }
    }

    fn list(&mut self, start: Span, depth: usize) -> Result<Node, Stop> {
        let mut items = Vec::new();
        loop {
            let (event, marks) = self.next()?;
            if event == Event::SequenceEnd {
                let last = items.last().map(|item: &Node| item.span);
                return Ok(Node { span: self.enclosing(start, last, marks), value: Value::List(items) });
            }
            items.push(self.node(event, marks, depth + 1)?);
        }
    }

    fn map(&mut self, start: Span, depth: usize) -> Result<Node, Stop> {
        let mut map = MapBuilder::default();
        let mut last = None;
        loop {
            let (event, marks) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(Node {
                    span: self.enclosing(start, last, marks),
                    value: Value::Map(map.finish()),
                });
            }
            let (key, key_span, merges) = self.key(event, marks, depth)?;
            let node = self.next_node(depth + 1)?;
            last = Some(if self.slice(node.span).is_empty() { key_span } else { node.span });
            if let Some(first) = map.places.get(&key).copied() {
                self.repeated(&key, key_span, first);
            } else if merges {
                map.places.insert(key, key_span);
                self.merge_in(node, &mut map);
            } else {
                map.places.insert(key.clone(), key_span);
                map.entries.push(MapEntry { key, key_span, node });
            }
        }
    }

    /// A key, its place, and whether it is the merge key `<<`.
    fn key(&mut self, event: Event<'t>, marks: Marks, depth: usize) -> Result<(String, Span, bool), Stop> {
        let span = self.span(marks);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), span);
                self.grow(text.len() / 64, span)?;
                let plain = style == ScalarStyle::Plain;
                if plain && text.is_empty() {
                    self.errors.push(Diagnostic::error("a key is missing here").at(span));
                }
                if anchor > 0 {
                    let node = self.scalar(&text, style, span);
                    self.anchors.insert(anchor, Anchored { node, size: 1 + text.len() / 64 });
                }
                let merges = plain && self.slice(span) == "<<";
                Ok((text.into_owned(), self.without_comment(span, style), merges))
            }
            event => {
                let found = if matches!(event, Event::Alias(_)) { "an alias" } else { "a list or map" };
                self.node(event, marks, depth + 1)?;
                let error = Diagnostic::error(format!("a key must be text, found {found}"))
                    .at(span)
                    .with_help(["quote it if it is meant as text"]);
                self.stop(error)
            }
        }
    }

    fn repeated(&mut self, key: &str, again: Span, first: Span) {
        let line = self.positions.line_of(self.text, first);
        let error = Diagnostic::error(format!("the key `{key}` is given twice"))
            .at(again)
            .with_label("given again here")
            .with_help([format!("`{key}` was first given in line {line}")]);
        self.errors.push(error);
    }

    fn merge_in(&mut self, node: Node, map: &mut MapBuilder) {
        let span = node.span;
        match node.value {
            Value::Map(entries) => map.inherited.extend(entries),
            Value::List(items) if items.iter().all(|item| matches!(item.value, Value::Map(_))) => {
                for item in items {
                    self.merge_in(item, map);
                }
            }
            _ => self
                .errors
                .push(Diagnostic::error("`<<` needs a map, or a list of maps, usually an alias").at(span)),
        }
    }

    fn alias(&mut self, anchor: usize, span: Span, depth: usize) -> Result<Node, Stop> {
        let Some(size) = self.anchors.get(&anchor).map(|anchored| anchored.size) else {
            return self
                .stop(Diagnostic::error("an alias cannot stand inside the value it refers to").at(span));
        };
        // The size is checked before anything is copied.
        self.grow(size, span)?;
        let value = self.anchors.get(&anchor).map_or(Value::Null, |anchored| anchored.node.value.clone());
        let node = Node { span, value };
        if depth + node.depth() > DEEPEST {
            return self.stop(too_deep(span));
        }
        Ok(node)
    }

    fn grow(&mut self, amount: usize, span: Span) -> Result<(), Stop> {
        self.size = self.size.saturating_add(amount);
        if self.size <= LARGEST {
            return Ok(());
        }
        let error = Diagnostic::error(format!("this text holds more than {LARGEST} values"))
            .at(span)
            .with_label("the limit is reached here")
            .with_help(["aliases count as often as they are used"]);
        self.stop(error)
    }

    fn refuse_tag(&mut self, tagged: bool, span: Span) {
        if tagged {
            let length = self.slice(span).split_whitespace().next().map_or(0, str::len);
            let tag = Span::new(span.source, span.start, span.start + length);
            self.errors
                .push(Diagnostic::error("tags are not supported").at(tag).with_help(["remove the tag"]));
        }
    }

    fn stop<T>(&mut self, error: Diagnostic) -> Result<T, Stop> {
        self.errors.push(error);
        Err(Stop)
    }

    fn span(&self, marks: Marks) -> Span {
        let span = self.positions.span(marks.start.index(), marks.end.index());
        let length = self.slice(span).trim_end().len();
        Span::new(span.source, span.start, span.start + length)
    }

    /// The parser counts a comment after a quoted scalar as a part of it.
    fn without_comment(&self, span: Span, style: ScalarStyle) -> Span {
        if !matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            return span;
        }
        Span::new(span.source, span.start, span.start + syntax::quoted_length(self.slice(span)))
    }

    fn slice(&self, span: Span) -> &'t str {
        self.positions.slice(self.text, span)
    }

    /// The whole list or map: up to its bracket in flow style, up to its last value in block style.
    fn enclosing(&self, start: Span, last: Option<Span>, end: Marks) -> Span {
        let end = self.span(end);
        let flow = self.slice(start).ends_with(['[', '{']) && matches!(self.slice(end), "]" | "}");
        let end = if flow { end.end } else { last.map_or(start.end, |last| last.end) };
        Span::new(start.source, start.start, end)
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(syntax::TOO_DEEP).at(span).with_label("too deep here")
}

#[derive(Default)]
struct MapBuilder {
    entries: Vec<MapEntry>,
    inherited: Vec<MapEntry>,
    places: HashMap<String, Span>,
}

impl MapBuilder {
    /// Entries from `<<` come last and never replace explicit ones; the first of several maps wins.
    fn finish(mut self) -> Vec<MapEntry> {
        for entry in self.inherited {
            if let std::collections::hash_map::Entry::Vacant(place) = self.places.entry(entry.key.clone()) {
                place.insert(entry.key_span);
                self.entries.push(entry);
            }
        }
        self.entries
    }
}
