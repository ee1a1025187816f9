//! Data in words, for messages.

use super::node::{Node, Value};

/// How many names a list in a message shows.
const SHOWN: usize = 12;
/// How many characters of a text a message shows.
const LONGEST: usize = 40;

/// What was found: `a list`, `the text "abc"`, `the number 3`.
pub(super) fn describe(node: &Node) -> String {
    match &node.value {
        Value::Null => "nothing".into(),
        Value::Bool(flag) => format!("`{flag}`"),
        Value::Int(integer) => format!("the number {integer}"),
        Value::Float(number) => format!("the number {}", number_text(*number)),
        Value::Text(text) => format!("the text {}", shown(text)),
        Value::List(_) => "a list".into(),
        Value::Map(_) => "a map".into(),
    }
}

/// A number as one would write it: no `.0`, an exponent only where it helps.
pub(super) fn number_text(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A text in quotes, cut to a sensible length.
pub(super) fn shown(text: &str) -> String {
    format!("\"{}\"", cut(text))
}

/// A text cut to a sensible length.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `` `a`, `b`, `c` ``, cut after the twelfth.
pub(super) fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{}`", cut(name.as_ref())))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn either(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// `1 item`, `2 items`.
pub(super) fn items(count: usize) -> String {
    if count == 1 { "1 item".into() } else { format!("{count} items") }
}

/// The first sentence or line of a description.
pub(super) fn first_sentence(description: &str) -> &str {
    let line = description.trim().lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..end]).trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::super::fixture::parsed;
    use super::*;

    #[test]
    fn values_are_named() {
        let check = |text: &str, expected: &str| assert_eq!(describe(&parsed(text)), expected);
        check("[1]", "a list");
        check("{}", "a map");
        check("abc", "the text \"abc\"");
        check("3", "the number 3");
        check("3.0", "the number 3");
        check("1e300", "the number 1e300");
        check("true", "`true`");
        check("~", "nothing");
        check(&"ü".repeat(50), &format!("the text \"{}…\"", "ü".repeat(40)));
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..14).map(|n| n.to_string()).collect();
        assert!(quoted(&names).ends_with("`11` and 2 more"));
        assert_eq!(quoted(&names[..2]), "`0`, `1`");
        assert_eq!(either(&names[..3]), "0, 1 or 2");
        assert_eq!(first_sentence(" Length of a step. Then more.\nAnd more."), "Length of a step");
    }
}
