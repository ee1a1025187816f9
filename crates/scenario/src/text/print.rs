//! Data back to YAML, tidy enough to be read and edited.

use serde_json::{Map, Value as Json};

use super::node::Value;
use super::scalar;

/// The widest line a list in brackets may make, in characters.
const WIDEST: usize = 100;
/// The longest key YAML allows before its `:`, with a margin for quotes and escapes.
const LONGEST_KEY: usize = 200;

/// Block style, two spaces per level; short lists of scalars in brackets, quotes only where they are needed.
///
/// Parsing the text gives the same data back, as long as it is nested no deeper than files may be and its integers fit
/// into 64 bits with a sign.
pub fn to_yaml(value: &Json) -> String {
    let mut out = String::new();
    match value {
        Json::Object(map) if !map.is_empty() => print_map(map, 0, &mut out),
        Json::Array(items) if !items.is_empty() && flow(items, 0).is_none() => print_list(items, 0, &mut out),
        other => {
            out.push_str(&inline(other, 0));
            out.push('\n');
        }
    }
    out
}

fn print_map(map: &Map<String, Json>, indent: usize, out: &mut String) {
    for (position, (key, value)) in map.iter().enumerate() {
        if position > 0 {
            push_spaces(indent, out);
        }
        let key = text(key);
        if key.len() > LONGEST_KEY {
            out.push_str(&format!("? {key}\n"));
            push_spaces(indent, out);
            out.push(':');
        } else {
            out.push_str(&format!("{key}:"));
        }
        print_value(value, indent, key.chars().count(), out);
    }
}

/// A value after its `key:`.
fn print_value(value: &Json, indent: usize, key_width: usize, out: &mut String) {
    let used = indent + key_width + 2;
    match value {
        Json::Object(map) if !map.is_empty() => {
            out.push('\n');
            push_spaces(indent + 2, out);
            print_map(map, indent + 2, out);
        }
        Json::Array(items) if flow(items, used).is_none() => {
            out.push('\n');
            push_spaces(indent + 2, out);
            print_list(items, indent + 2, out);
        }
        other => out.push_str(&format!(" {}\n", inline(other, used))),
    }
}

fn print_list(items: &[Json], indent: usize, out: &mut String) {
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            push_spaces(indent, out);
        }
        out.push_str("- ");
        match item {
            Json::Object(map) if !map.is_empty() => print_map(map, indent + 2, out),
            Json::Array(items) if flow(items, indent + 2).is_none() => print_list(items, indent + 2, out),
            other => out.push_str(&format!("{}\n", inline(other, indent + 2))),
        }
    }
}

fn push_spaces(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// A scalar, an empty collection, or a list that fits in brackets.
fn inline(value: &Json, used: usize) -> String {
    match value {
        Json::Null => "null".into(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(number) => number_text(number),
        Json::String(string) => text(string),
        Json::Array(items) => flow(items, used).unwrap_or_default(),
        Json::Object(_) => "{}".into(),
    }
}

/// The list in brackets, if it holds only scalars and fits into the line.
fn flow(items: &[Json], used: usize) -> Option<String> {
    if items.iter().any(|item| item.is_array() || item.is_object()) {
        return None;
    }
    let words: Vec<String> = items.iter().map(|item| inline(item, 0)).collect();
    let list = format!("[{}]", words.join(", "));
    (items.is_empty() || used + list.chars().count() <= WIDEST).then_some(list)
}

fn number_text(number: &serde_json::Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        // `Debug` is the shortest form that reads back as the same number and always looks like a float.
        Some(float) => format!("{float:?}"),
        None => number.to_string(),
    }
}

/// A text as it is, or in double quotes where YAML would read something else.
fn text(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Deliberately narrow: a text that may not be safe everywhere, including brackets, is quoted.
fn is_plain(text: &str) -> bool {
    let safe = |c: char| c.is_ascii_alphanumeric() || " _-./+%^()*=<>@~$°²µ".contains(c) || is_letter(c);
    let first =
        text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || "_./".contains(c) || is_letter(c));
    // `---` and `...` at the start of a line end a document.
    first
        && text.chars().all(safe)
        && !text.ends_with([' ', '-'])
        && !text.starts_with("...")
        && text.len() <= LONGEST_KEY
        && scalar::plain(text).is_ok_and(|value| matches!(value, Value::Text(_)))
}

fn is_letter(character: char) -> bool {
    !character.is_ascii() && character.is_alphabetic()
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            _ if u32::from(character) <= 0xffff => out.push_str(&format!("\\u{:04X}", u32::from(character))),
            _ => out.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fixture::{Dice, parsed};
    use super::*;

    #[test]
    fn printed_yaml_is_tidy() {
        let value = json!({
            "mission": "waste-cleanup",
            "world": {"size": [12.0, 8], "empty": {}, "none": [], "note": null},
            "team": {"robots": [{"name": "blue", "at": [0.5, 1e-7]}, {"name": "yes no: #1"}], "5": true},
            "path": [[0, 0], [1, 1]],
        });
        let expected = "\
mission: waste-cleanup
world:
  size: [12.0, 8]
  empty: {}
  none: []
  note: null
team:
  robots:
    - name: blue
      at: [0.5, 1e-7]
    - name: \"yes no: #1\"
  \"5\": true
path:
  - [0, 0]
  - [1, 1]
";
        assert_eq!(to_yaml(&value), expected);
        assert_eq!(parsed(expected).to_json(), value);
    }

    #[test]
    fn quotes_are_used_only_where_needed() {
        let check = |text: &str, expected: &str| assert_eq!(to_yaml(&json!(text)).trim_end(), expected);
        for plain in ["abc", "5 min", "50 %", "2.4 GHz", "yes", "über-robot", "a/b.yaml", "1.0 /s", "a -b"] {
            check(plain, plain);
        }
        for quoted in [
            "true", "5", "1e3", "~", "null", "", " a", "a ", "a -", "- a", "a: b", "a #b", "[a", "...", "<<",
            ".inf", "0x1F",
        ] {
            check(quoted, &format!("\"{quoted}\""));
        }
        check("a\nb\u{1b}", "\"a\\nb\\u001B\"");
    }

    /// A random value; texts are put together from pieces that have a meaning in YAML.
    fn any(dice: &mut Dice, depth: usize) -> Json {
        match dice.below(if depth == 0 { 6 } else { 9 }) {
            0 => Json::Null,
            1 => (dice.below(2) == 0).into(),
            2 => (dice.next() as i64).into(),
            3 => f64::from_bits(dice.next()).into(),
            4 => (dice.below(1000) as f64 / 8.0).into(),
            5 => any_text(dice).into(),
            6 | 7 => (0..dice.below(5)).map(|_| any(dice, depth - 1)).collect(),
            _ => (0..dice.below(5)).map(|_| (any_text(dice), any(dice, depth - 1))).collect(),
        }
    }

    fn any_text(dice: &mut Dice) -> String {
        let pieces = [
            "a", "B", "5", " ", "-", ":", "#", "\n", "\t", "'", "\"", "\\", "é", "日", "🤖", "[", "}", ",",
            "&", "*", "!", "|", ">", "%", "@", "`", "?", "<<", "...", "---", "~", "true", "null", "1e5",
            ".inf", "\u{85}", "\u{2028}", "\u{feff}", "\u{0}", "\r", "=", "°", "²", "\u{a0}", "\u{7f}",
            "0x1", "+", ".",
        ];
        (0..dice.below(6)).map(|_| *dice.pick(&pieces)).collect()
    }

    #[test]
    fn printing_round_trips() {
        let mut dice = Dice::new(7);
        for round in 0..2000 {
            let value = any(&mut dice, 4);
            let text = to_yaml(&value);
            // An empty document reads as an empty map, and so a bare null is the one value that has no document.
            assert_eq!(parsed(&text).to_json(), value, "round {round}:\n{text}");
            assert_eq!(to_yaml(&parsed(&text).to_json()), text);
        }
    }

    #[test]
    fn long_keys_and_deep_data_read_back() {
        let value = json!({ "k".repeat(3000): { "x y ".repeat(500): [1] }, "list": vec!["word"; 60] });
        assert_eq!(parsed(&to_yaml(&value)).to_json(), value);
        let deep =
            (0..60).fold(
                json!(1),
                |inner, level| if level % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) },
            );
        assert_eq!(parsed(&to_yaml(&deep)).to_json(), deep);
    }
}
