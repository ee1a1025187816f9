//! Which text a piece of data came from.

use std::collections::BTreeMap;

use super::node::{Node, Value};
use super::source::Span;

/// From a path such as `team.robots.0.name` to the text, for checks that run on the finished data.
#[derive(Clone, Debug, Default)]
pub struct SpanIndex {
    places: BTreeMap<String, Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    value: Span,
    key: Option<Span>,
}

impl SpanIndex {
    /// Every value of a tree; the root has the empty path.
    pub fn of(root: &Node) -> SpanIndex {
        let mut index = SpanIndex::default();
        index.add(root, String::new(), None);
        index
    }

    /// The text of the value at `path` or, if the files do not mention it, of the nearest parent that they do mention.
    pub fn find(&self, path: &str) -> Option<Span> {
        self.nearest(path).map(|place| place.value)
    }

    /// The text of the key at `path`, or of the value where there is no key (list items, the root); falls back like
    /// [`SpanIndex::find`].
    pub fn find_key(&self, path: &str) -> Option<Span> {
        self.nearest(path).map(|place| place.key.unwrap_or(place.value))
    }

    /// Whether the files mention exactly this path.
    pub fn contains(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    fn nearest(&self, path: &str) -> Option<Place> {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return Some(*place);
            }
            if path.is_empty() {
                return None;
            }
            path = path.rfind('.').map_or("", |dot| &path[..dot]);
        }
    }

    fn add(&mut self, node: &Node, path: String, key: Option<Span>) {
        match &node.value {
            Value::Map(entries) => {
                for entry in entries {
                    self.add(&entry.node, join(&path, &entry.key), Some(entry.key_span));
                }
            }
            Value::List(items) => {
                for (position, item) in items.iter().enumerate() {
                    self.add(item, join(&path, &position.to_string()), None);
                }
            }
            _ => {}
        }
        self.places.insert(path, Place { value: node.span, key });
    }
}

/// A path one level deeper.
pub(super) fn join(path: &str, element: &str) -> String {
    if path.is_empty() { element.to_owned() } else { format!("{path}.{element}") }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::parsed;
    use super::*;

    #[test]
    fn paths_lead_to_the_text() {
        let text = "team:\n  robots:\n    - {name: blue}\n    - name: gold\n";
        let index = SpanIndex::of(&parsed(text));
        let check = |path, value, key| {
            let text_of = |span: Option<Span>| span.map_or("", |span| &text[span.start..span.end]);
            assert_eq!((text_of(index.find(path)), text_of(index.find_key(path))), (value, key), "{path}");
        };
        check("team.robots.0.name", "blue", "name");
        check("team.robots.0", "{name: blue}", "{name: blue}");
        check("team.robots.1", "name: gold", "name: gold");
        check("team.robots.1.radio.power", "name: gold", "name: gold");
        check("run.seed", text.trim_end(), text.trim_end());
        check("team.robots", "- {name: blue}\n    - name: gold", "robots");
        assert!(index.contains("team") && !index.contains("run"));
        assert_eq!(SpanIndex::default().find("a.b"), None);
    }
}
