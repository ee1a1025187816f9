//! Parameters of coordinators that may be the name of a file: its content takes the place of its name, so that everything that follows
//! treats it like a part of the scenario.

use super::load::{Findings, at, read_source};
use super::text::{Diagnostic, MapEntry, Node, SourceMap, Span, Value, parse};
use crewlab_sim::teams::{FileContent, KINDS, Placed, PlacedValue};
use std::path::Path;

/// Puts the content of files in the place of their names; the result is errors and warnings. A file that cannot be used leaves its name.
pub(super) fn insert(tree: &mut Node, sources: &mut SourceMap) -> Findings {
    let mut findings = Findings::new();
    for kind in KINDS {
        let Some(content) = &kind.content else { continue };
        if let Some(node) = named(tree, &["team", kind.name, content.key]) {
            insert_at(node, content, &format!("team.{}.{}", kind.name, content.key), sources, &mut findings);
        }
    }
    findings
}

/// The paths of parameters whose value is the name of a file.
pub(super) fn files(tree: &Node) -> Vec<[&'static str; 3]> {
    let paths = KINDS.iter().filter_map(|kind| Some(["team", kind.name, kind.content.as_ref()?.key]));
    paths.filter(|path| at(tree, path).is_some_and(|node| node.text().is_some())).collect()
}

fn named<'n>(tree: &'n mut Node, path: &[&str]) -> Option<&'n mut Node> {
    let [key, rest @ ..] = path else { return Some(tree) };
    let Value::Map(entries) = &mut tree.value else { return None };
    named(&mut entries.iter_mut().find(|entry| entry.key == *key)?.node, rest)
}

fn insert_at(
    node: &mut Node,
    content: &FileContent,
    path: &str,
    sources: &mut SourceMap,
    findings: &mut Findings,
) {
    let Some(file) = node.text() else { return };
    // As with maps: next to the file that names it.
    let folder = Path::new(sources.name(node.span.source)).parent().unwrap_or(Path::new(".")).to_path_buf();
    let file = folder.join(file);
    let what = format!("a file with a `{}`", content.key);
    let read = read_source(&file, &what, sources).map_err(|findings| {
        // There is no text to show yet: the place is the name of the file.
        findings.into_iter().map(|found| found.at(node.span)).collect::<Findings>()
    });
    let inserted = read.and_then(|id| {
        if !file.extension().is_some_and(|found| found.eq_ignore_ascii_case(content.extension)) {
            return parse(sources, id);
        }
        let (value, misfits) = (content.import)(sources.text(id));
        let place = |span: &std::ops::Range<usize>| Span::new(id, span.start, span.end);
        let found = misfits.iter().map(|misfit| match misfit.warning {
            true => Diagnostic::warning(&misfit.message).at(place(&misfit.span)),
            false => Diagnostic::error(&misfit.message).at(place(&misfit.span)),
        });
        match value {
            Some(value) => {
                findings.extend(found);
                Ok(node_of(value, &place))
            }
            None => Err(found.collect()),
        }
    });
    match inserted {
        Ok(found) => *node = found,
        Err(wrong) => findings.extend(wrong.into_iter().map(|found| found.with_path(path))),
    }
}

fn node_of(placed: Placed, place: &impl Fn(&std::ops::Range<usize>) -> Span) -> Node {
    let value = match placed.value {
        PlacedValue::Text(text) => Value::Text(text),
        PlacedValue::List(items) => Value::List(items.into_iter().map(|item| node_of(item, place)).collect()),
        PlacedValue::Map(entries) => {
            let entry =
                |(key, span, value)| MapEntry { key, key_span: place(&span), node: node_of(value, place) };
            Value::Map(entries.into_iter().map(entry).collect())
        }
    };
    Node { span: place(&placed.span), value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_sim::teams::Misfit;
    use std::path::PathBuf;

    /// A format of two words: what is before the colon is refused, unless it is `plan`.
    fn import(text: &str) -> (Option<Placed>, Vec<Misfit>) {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        let placed = |span: std::ops::Range<usize>, value| Placed { span, value };
        let said = placed(word.len() + 1..text.len(), PlacedValue::Text(rest.into()));
        let list = placed(0..text.len(), PlacedValue::List(vec![said]));
        let map = placed(0..text.len(), PlacedValue::Map(vec![(word.into(), 0..word.len(), list)]));
        match word {
            "plan" => (Some(map), vec![Misfit::warning(0..4, "an old word")]),
            _ => (None, vec![Misfit::error(0..word.len(), "a wrong word")]),
        }
    }

    const CONTENT: FileContent = FileContent { key: "graph", extension: "words", import };

    /// A folder with these files, and what becomes of a scenario in it.
    fn inserted(name: &str, files: &[(&str, &str)], scenario: &str) -> (Node, Findings, SourceMap) {
        let folder: PathBuf =
            std::env::temp_dir().join(format!("crewlab-content-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for (file, text) in files {
            std::fs::write(folder.join(file), text).expect("a file");
        }
        let mut sources = SourceMap::default();
        let id = sources.add(folder.join("scenario.yaml").display().to_string(), scenario.into());
        let mut tree = parse(&sources, id).expect("YAML");
        let mut findings = Findings::new();
        if let Some(node) = named(&mut tree, &["team", "x", "graph"]) {
            insert_at(node, &CONTENT, "team.x.graph", &mut sources, &mut findings);
        }
        std::fs::remove_dir_all(&folder).expect("the folder");
        (tree, findings, sources)
    }

    const SCENARIO: &str = "team:\n  x:\n    graph: plan.FILE\n";

    #[test]
    fn a_file_takes_the_place_of_its_name_and_keeps_its_lines() {
        let files = [("plan.yaml", "# a plan\nroot: a\nnodes:\n  a: {}\n")];
        let (tree, findings, sources) = inserted("yaml", &files, &SCENARIO.replace("FILE", "yaml"));
        assert!(findings.is_empty(), "{findings:?}");
        let graph = &tree
            .get("team")
            .and_then(|team| team.node.get("x"))
            .and_then(|x| x.node.get("graph"))
            .expect("a graph")
            .node;
        let root = graph.get("root").expect("a root").node.span;
        assert!(sources.name(root.source).ends_with("plan.yaml"));
        assert_eq!(sources.line_column(root), (2, 7));
    }

    #[test]
    fn a_file_in_another_format_is_imported() {
        let (tree, findings, sources) =
            inserted("own", &[("plan.words", "plan:go")], &SCENARIO.replace("FILE", "words"));
        assert_eq!(tree.to_json(), serde_json::json!({"team": {"x": {"graph": {"plan": ["go"]}}}}));
        assert_eq!(findings.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(), ["an old word"]);
        assert_eq!(findings[0].span.map(|span| sources.line_column(span)), Some((1, 1)));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_shown_in_it() {
        let check = |name: &str, files: &[(&str, &str)], end: &str, at: (&str, usize, usize), words: &str| {
            let (tree, findings, sources) = inserted(name, files, &SCENARIO.replace("FILE", end));
            let [found] = findings.as_slice() else { panic!("{findings:?}") };
            let span = found.span.expect("a place");
            let (line, column) = sources.line_column(span);
            assert!(sources.name(span.source).ends_with(at.0) && (line, column) == (at.1, at.2), "{found:?}");
            assert!(found.message.contains(words) && found.path == "team.x.graph", "{found:?}");
            assert_eq!(tree.to_json()["team"]["x"]["graph"], format!("plan.{end}"), "the name is left");
        };
        check("missing", &[], "yaml", ("scenario.yaml", 3, 12), "cannot read");
        check("words", &[("plan.words", "plam:go")], "words", ("plan.words", 1, 1), "a wrong word");
        check("twice", &[("plan.yaml", "a: 1\na: 2\n")], "yaml", ("plan.yaml", 2, 1), "given twice");
    }
}
