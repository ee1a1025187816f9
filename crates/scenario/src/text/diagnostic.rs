//! Diagnostics about a scenario, and their display.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::source::{SourceMap, Span};

/// Number of messages shown in full; a broken generator can make thousands.
const SHOWN: usize = 50;

/// Whether a scenario can be run in spite of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It cannot be run.
    Error,
    /// It can be run, but probably something else was meant.
    Warning,
}

/// One message about a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence: what was found and what is accepted.
    pub message: String,
    /// The text it is about; `None` if it is about no particular place.
    pub span: Option<Span>,
    /// A few words under the marked text; may be empty.
    pub label: String,
    /// Suggestions, one per line.
    pub help: Vec<String>,
    /// Where in the data, as `team.robots.0.name`; empty for the whole.
    pub path: String,
}

impl Diagnostic {
    /// An error without a place, a label, help or a path.
    pub fn error(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            help: Vec::new(),
            path: String::new(),
        }
    }

    /// A warning without a place, a label, help or a path.
    pub fn warning(message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(message) }
    }

    /// Marks the text the message is about.
    pub fn at(mut self, span: impl Into<Option<Span>>) -> Diagnostic {
        self.span = span.into();
        self
    }

    /// Sets the words under the marked text.
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds suggestions.
    pub fn with_help<T: Into<String>>(mut self, help: impl IntoIterator<Item = T>) -> Diagnostic {
        self.help.extend(help.into_iter().map(Into::into));
        self
    }

    /// Sets the place in the data.
    pub fn with_path(mut self, path: impl Into<String>) -> Diagnostic {
        self.path = path.into();
        self
    }
}

/// All messages in the style of rustc: the sentence, the position, the marked line, the suggestions.
///
/// A span over several lines is shown by its first line. After the first fifty messages only their number is given.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for (index, diagnostic) in diagnostics.iter().take(SHOWN).enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}", renderer.render(&[report(diagnostic, sources)]));
    }
    if diagnostics.len() > SHOWN {
        let _ = writeln!(text, "\n... and {} more", diagnostics.len() - SHOWN);
    }
    text
}

fn report<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(printable(&diagnostic.message));
    let help = diagnostic.help.iter().map(|help| Level::HELP.message(printable(help)));
    match diagnostic.span {
        None => Group::with_title(title).elements(help),
        Some(span) if sources.text(span.source).is_empty() => {
            title.element(Origin::path(printable(sources.name(span.source)))).elements(help)
        }
        Some(span) => title.element(snippet(diagnostic, span, sources)).elements(help),
    }
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    span: Span,
    sources: &'a SourceMap,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let (line, line_start) = sources.line_of(span);
    let start = line.floor_char_boundary(span.start.saturating_sub(line_start));
    let end = line.ceil_char_boundary(span.end.saturating_sub(line_start).max(start));
    let end = start + line[start..end].trim_end().len();
    let mut mark = AnnotationKind::Primary.span(start..end);
    if !diagnostic.label.is_empty() {
        mark = mark.label(printable(&diagnostic.label));
    }
    Snippet::source(line)
        .line_start(sources.line_column(span).0)
        .path(printable(sources.name(span.source)))
        .fold(false)
        .annotation(mark)
}

/// Escapes control characters: text from a file must not control the terminal.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, start: usize, end: usize, expected: &str) {
        let mut sources = SourceMap::default();
        let id = sources.add("file.yaml".into(), text.into());
        let diagnostic = Diagnostic::error("unknown key `treshold`")
            .at(Span::new(id, start, end))
            .with_label("not a key of `team`")
            .with_help(["did you mean `threshold`?"]);
        assert_eq!(render(&[diagnostic], &sources, false), expected);
    }

    #[test]
    fn diagnostics_look_like_rustc() {
        check(
            "team:\n  treshold: 5\n",
            8,
            16,
            "\
error: unknown key `treshold`
 --> file.yaml:2:3
  |
2 |   treshold: 5
  |   ^^^^^^^^ not a key of `team`
  |
  = help: did you mean `threshold`?
",
        );
    }

    #[test]
    fn several_lines_are_cut_to_the_first_and_the_empty_file_has_none() {
        check(
            "team:\n  a: 5\n  b: 6\n",
            0,
            19,
            "\
error: unknown key `treshold`
 --> file.yaml:1:1
  |
1 | team:
  | ^^^^^ not a key of `team`
  |
  = help: did you mean `threshold`?
",
        );
        check("", 0, 0, "error: unknown key `treshold`\n--> file.yaml\n = help: did you mean `threshold`?\n");
    }

    #[test]
    fn wild_spans_and_control_characters_do_no_harm() {
        let mut sources = SourceMap::default();
        let id = sources.add("\u{1b}[31m".into(), "é\t\u{1b}[31m\r\nü".into());
        for start in 0..20 {
            for end in 0..20 {
                let wild =
                    Diagnostic::warning("\u{1b}[0m").at(Span { source: id, start, end }).with_help(["\u{7}"]);
                let shown = render(&[wild], &sources, false);
                assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}'), "{shown:?}");
            }
        }
    }

    #[test]
    fn a_flood_is_cut() {
        let many = vec![Diagnostic::error("x"); 60];
        assert!(render(&many, &SourceMap::default(), false).ends_with("error: x\n\n... and 10 more\n"));
        assert!(render(&many[..1], &SourceMap::default(), true).contains('\u{1b}'));
    }
}
