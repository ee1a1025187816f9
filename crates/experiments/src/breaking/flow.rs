//! Data as one line of readable YAML.

use crewlab_scenario::text::to_yaml;
use serde_json::Value;

/// One line: maps and lists in brackets, quotes only where they are needed.
pub fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}: {}", word(key), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => word(text),
        other => other.to_string(),
    }
}

/// A text, in quotes unless it is plain even inside brackets. JSON's quotes are valid in YAML.
fn word(text: &str) -> String {
    let value = Value::String(text.into());
    let harmless = |c: char| c.is_ascii_alphanumeric() || " _./%-".contains(c);
    let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let plain = starts && text.chars().all(harmless) && to_yaml(&value).trim_end_matches('\n') == text;
    if plain { text.to_string() } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_scenario::text::{SourceMap, parse};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn plain_words_need_no_quotes() {
        let value =
            json!({"at": "40 s", "partition": {"group": ["blue", "a, b", "true", "7", ""]}, "x": 1.5});
        assert_eq!(
            flow(&value),
            r#"{at: 40 s, partition: {group: [blue, "a, b", "true", "7", ""]}, x: 1.5}"#
        );
    }

    proptest! {
        #[test]
        fn flow_round_trips(texts in proptest::collection::vec("[ -~äß\n]{0,8}", 0..5), number in any::<i32>()) {
            let value = json!({"a": texts, "b": {"c": number, "d": [true, null]}});
            let mut sources = SourceMap::default();
            let id = sources.add("flow".into(), flow(&value));
            let read = parse(&sources, id);
            prop_assert_eq!(read.map(|node| node.to_json()).ok(), Some(value));
        }
    }
}
