//! `--set key.path=VALUE`: changing one value from the command line.

use super::diagnostic::Diagnostic;
use super::node::{DEEPEST, MapEntry, Node, Value};
use super::parse::parse_from;
use super::source::{SourceId, SourceMap, Span};
use super::spans;
use super::suggest::did_you_mean;
use super::words;

/// Applies `team.alliance.threshold=50` to a scenario.
///
/// The value is YAML, so `5 min`, `[10 m, 5 m]` and `{a: 1}` work; an empty value unsets the key. A path element names a
/// key, which is made if it is missing, or an item of a list: by number from 0, by the item's `name`, or `+` for one more
/// item. The assignment becomes a source named `--set`, so that messages can point into it.
pub fn apply_set(sources: &mut SourceMap, root: Node, assignment: &str) -> Result<Node, Vec<Diagnostic>> {
    let id = sources.add("--set".into(), assignment.into());
    let Some(equals) = assignment.find('=') else {
        return Err(refuse(
            "missing `=` in the assignment",
            Span::new(id, 0, assignment.len()),
            "write `key.path=VALUE`",
        ));
    };
    let elements = elements(id, &assignment[..equals])?;
    let value = value(sources, id, equals + 1)?;
    if elements.len() + value.depth() > DEEPEST {
        return Err(refuse(
            &format!("the path is more than {DEEPEST} levels deep"),
            Span::new(id, 0, equals),
            "",
        ));
    }
    set(root, &elements, value, "")
}

/// The path element that adds an item to a list.
const APPEND: &str = "+";

/// One part of the path.
struct Element<'a> {
    name: &'a str,
    span: Span,
}

fn elements(id: SourceId, path: &str) -> Result<Vec<Element<'_>>, Vec<Diagnostic>> {
    let mut elements = Vec::new();
    let mut start = 0;
    for part in path.split('.') {
        let name = part.trim();
        let indent = part.len() - part.trim_start().len();
        let span = Span::new(id, start + indent, start + indent + name.len());
        if name.is_empty() {
            let message = if path.trim().is_empty() {
                "the key before `=` is empty"
            } else {
                "a part of the path is empty"
            };
            return Err(refuse(message, span, "write `key.path=VALUE`"));
        }
        elements.push(Element { name, span });
        start += part.len() + 1;
    }
    Ok(elements)
}

fn value(sources: &SourceMap, id: SourceId, start: usize) -> Result<Node, Vec<Diagnostic>> {
    let text = sources.text(id).get(start..).unwrap_or_default();
    let rest = Span::new(id, start, start + text.len());
    if text.trim().is_empty() {
        return Ok(Node { span: rest, value: Value::Null });
    }
    if text.trim_start().starts_with('#') {
        return Err(refuse("a value that starts with `#` is a comment", rest, "quote it"));
    }
    parse_from(sources, id, start)
}

fn set(node: Node, elements: &[Element<'_>], value: Node, path: &str) -> Result<Node, Vec<Diagnostic>> {
    let Some((element, rest)) = elements.split_first() else { return Ok(value) };
    let inner = spans::join(path, element.name);
    match node.value {
        Value::Map(entries) => {
            let entries = set_key(entries, element, rest, value, &inner)?;
            Ok(Node { span: node.span, value: Value::Map(entries) })
        }
        Value::Null if element.name == APPEND => {
            let item = set(Node { span: element.span, value: Value::Null }, rest, value, &inner)?;
            Ok(Node { span: element.span, value: Value::List(vec![item]) })
        }
        Value::Null => {
            let entries = set_key(Vec::new(), element, rest, value, &inner)?;
            Ok(Node { span: element.span, value: Value::Map(entries) })
        }
        Value::List(mut items) if element.name == APPEND => {
            items.push(set(Node { span: element.span, value: Value::Null }, rest, value, &inner)?);
            Ok(Node { span: node.span, value: Value::List(items) })
        }
        Value::List(mut items) => {
            let position = position(&items, element, path)?;
            let item = items.remove(position);
            items.insert(position, set(item, rest, value, &inner)?);
            Ok(Node { span: node.span, value: Value::List(items) })
        }
        _ => {
            let message = format!(
                "`{path}` is {}, so `{}` cannot be set inside it",
                words::describe(&node),
                element.name
            );
            Err(vec![Diagnostic::error(message).at(element.span).with_label("leads nowhere").with_path(path)])
        }
    }
}

fn set_key(
    mut entries: Vec<MapEntry>,
    element: &Element<'_>,
    rest: &[Element<'_>],
    value: Node,
    path: &str,
) -> Result<Vec<MapEntry>, Vec<Diagnostic>> {
    let position = entries.iter().position(|entry| entry.key == element.name);
    let old = position.map(|position| entries.remove(position));
    // The value's own key is now the one on the command line; keys of its parents keep their positions.
    let key_span = old.as_ref().filter(|_| !rest.is_empty()).map_or(element.span, |entry| entry.key_span);
    let base = old.map_or(Node { span: element.span, value: Value::Null }, |entry| entry.node);
    let entry = MapEntry { key: element.name.to_owned(), key_span, node: set(base, rest, value, path)? };
    entries.insert(position.unwrap_or(entries.len()), entry);
    Ok(entries)
}

/// The item of a list: by number first, then by the `name` of an item.
fn position(items: &[Node], element: &Element<'_>, path: &str) -> Result<usize, Vec<Diagnostic>> {
    let names: Vec<(usize, &str)> = items
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some((at, item.get("name")?.node.text()?)))
        .collect();
    let numbered = element.name.parse::<usize>().ok().filter(|position| *position < items.len());
    let named = || names.iter().find(|(_, name)| *name == element.name).map(|(position, _)| *position);
    numbered.or_else(named).ok_or_else(|| {
        let message = format!("`{path}` has no item `{}`", element.name);
        let meant = did_you_mean(element.name, names.iter().map(|(_, name)| *name));
        let mut help: Vec<String> = meant.map(|name| format!("did you mean `{name}`?")).into_iter().collect();
        help.push(match (items.len(), names.is_empty()) {
            (0, _) => "the list is empty".into(),
            (count, true) => format!("items are numbered from 0 to {}", count - 1),
            (_, false) => {
                format!("items: {}", words::quoted(&names.iter().map(|(_, name)| *name).collect::<Vec<_>>()))
            }
        });
        vec![
            Diagnostic::error(message)
                .at(element.span)
                .with_label("no such item")
                .with_help(help)
                .with_path(path),
        ]
    })
}

fn refuse(message: &str, span: Span, help: &str) -> Vec<Diagnostic> {
    let help = Some(help).filter(|help| !help.is_empty());
    vec![Diagnostic::error(message).at(span).with_help(help)]
}

#[cfg(test)]
mod tests {
    use super::super::diagnostic::render;
    use super::super::fixture::parsed;
    use super::*;

    const TEAM: &str = "{run: {tick: 1 s}, team: {robots: [{name: blue}, {name: gold}], sizes: [1, 2]}}";

    fn applied(base: &str, assignment: &str) -> Result<Node, String> {
        let mut sources = SourceMap::default();
        apply_set(&mut sources, parsed(base), assignment).map_err(|errors| render(&errors, &sources, false))
    }

    fn check(base: &str, assignment: &str, expected: &str) {
        let node = applied(base, assignment).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(node.to_json().to_string(), parsed(expected).to_json().to_string());
    }

    #[test]
    fn values_are_set() {
        check("{a: 1, b: 2}", "a=3", "{a: 3, b: 2}");
        check("{a: 1}", "b.c.d=5 min", "{a: 1, b: {c: {d: 5 min}}}");
        check("", "world.size=[10 m, 5 m]", "{world: {size: [10 m, 5 m]}}");
        check("{a: {b: 1}}", "a={c: 2}", "{a: {c: 2}}");
        check("{a: ~}", "a.b=x=y", "{a: {b: x=y}}");
        check("{a: 1}", "a=", "{a: null}");
        check("{a: 1}", "a='5'", "{a: '5'}");
        check("{a: 1}", " a = true ", "{a: true}");
        check("{r: [{name: x}, {name: y}]}", "r.y.on=false", "{r: [{name: x}, {name: y, on: false}]}");
        check("{r: [{name: x}, {name: y}]}", "r.0.name=z", "{r: [{name: z}, {name: y}]}");
        check("{r: [1, 2]}", "r.1=5", "{r: [1, 5]}");
    }

    #[test]
    fn spans_lie_in_the_assignment() {
        let mut sources = SourceMap::default();
        let node = apply_set(&mut sources, parsed(TEAM), "run.tick=[é, 2 s]").expect("valid");
        let entry = node.get("run").and_then(|run| run.node.get("tick")).expect("set");
        let text = |span: Span| sources.text(span.source)[span.start..span.end].to_owned();
        assert_eq!((text(entry.key_span).as_str(), text(entry.node.span).as_str()), ("tick", "[é, 2 s]"));
        let Value::List(items) = &entry.node.value else { panic!("not a list") };
        assert_eq!((text(items[1].span).as_str(), sources.line_column(items[1].span)), ("2 s", (1, 14)));
    }

    fn refused(assignment: &str, expected: &str) {
        assert_eq!(applied(TEAM, assignment).expect_err(assignment), expected);
    }

    #[test]
    fn refusals_point_into_the_assignment() {
        refused(
            "run.tick.x=5",
            "\
error: `run.tick` is the text \"1 s\", so `x` cannot be set inside it
 --> --set:1:10
  |
1 | run.tick.x=5
  |          ^ leads nowhere
",
        );
        refused(
            "team.robots.glod.on=1",
            "\
error: `team.robots` has no item `glod`
 --> --set:1:13
  |
1 | team.robots.glod.on=1
  |             ^^^^ no such item
  |
  = help: did you mean `gold`?
  = help: items: `blue`, `gold`
",
        );
        refused(
            "team.sizes.2=1",
            "\
error: `team.sizes` has no item `2`
 --> --set:1:12
  |
1 | team.sizes.2=1
  |            ^ no such item
  |
  = help: items are numbered from 0 to 1
",
        );
        refused(
            "run.tick",
            "\
error: missing `=` in the assignment
 --> --set:1:1
  |
1 | run.tick
  | ^^^^^^^^
  |
  = help: write `key.path=VALUE`
",
        );
        refused(
            "run..tick=1",
            "\
error: a part of the path is empty
 --> --set:1:5
  |
1 | run..tick=1
  |     ^
  |
  = help: write `key.path=VALUE`
",
        );
        for assignment in ["=5", "a=[1", "a=#fff", "a=.inf", "a=!x 1", "", ".=", "a.=1", "a=*x", "a=\0"] {
            assert!(applied(TEAM, assignment).is_err(), "{assignment}");
        }
        assert!(applied("", &format!("{}=1", "a.".repeat(100) + "a")).is_err());
        assert!(
            applied("", &format!("{}={}1{}", "a.".repeat(30) + "a", "[".repeat(40), "]".repeat(40))).is_err()
        );
    }
}
