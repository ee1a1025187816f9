//! A JSON Schema in the form that the checks need: references resolved, parts merged.

use serde_json::{Map, Value as Json};

use super::node::{Node, Value};
use super::unit::Unit;
use super::words;

/// Largest number of references in a chain, and of layers and branches of a schema; more means a cycle.
const LONGEST_CHAIN: usize = 32;
const MOST_LAYERS: usize = 256;
const MOST_BRANCHES: usize = 1000;
/// How deeply nested choices are searched.
const DEEPEST_CHOICE: usize = 6;

/// The requirements of one schema on one value.
///
/// A schema may be spread over a `$ref`, its siblings and `allOf`; each part is a layer, and where layers disagree the outer
/// one wins. `oneOf` and `anyOf` stay open as choices until a value is there to choose by.
#[derive(Clone)]
pub(super) struct Shape<'s> {
    pub(super) root: &'s Json,
    pub(super) layers: Vec<&'s Map<String, Json>>,
    pub(super) choices: Vec<&'s [Json]>,
    /// The unit numbers are converted to (`x-unit`), which lists hand down to their items.
    pub(super) unit: Option<&'s str>,
    /// The schema `false`: no value is accepted.
    impossible: bool,
}

/// What happens to keys that are not among the properties.
pub(super) enum Additional<'s> {
    Refused,
    Anything,
    Like(&'s Json),
    /// Whole numbers as keys.
    Numbered(&'s Json),
}

impl<'s> Shape<'s> {
    pub(super) fn of(root: &'s Json, schema: &'s Json, inherited_unit: Option<&'s str>) -> Shape<'s> {
        let mut shape =
            Shape { root, layers: Vec::new(), choices: Vec::new(), unit: None, impossible: false };
        shape.add(schema, 0);
        shape.unit = shape.word("x-unit").or(inherited_unit);
        shape
    }

    /// Lays another schema under this one, usually the branch that was chosen.
    pub(super) fn add(&mut self, schema: &'s Json, chain: usize) {
        if *schema == Json::Bool(false) {
            self.impossible = true;
        }
        let Some(layer) =
            schema.as_object().filter(|_| chain < LONGEST_CHAIN && self.layers.len() < MOST_LAYERS)
        else {
            return;
        };
        self.layers.push(layer);
        self.unit = self.unit.or(layer.get("x-unit").and_then(Json::as_str));
        let reference =
            layer.get("$ref").and_then(Json::as_str).and_then(|reference| reference.strip_prefix('#'));
        if let Some(target) = reference.and_then(|pointer| self.root.pointer(pointer)) {
            self.add(target, chain + 1);
        }
        for part in layer.get("allOf").and_then(Json::as_array).into_iter().flatten() {
            self.add(part, chain + 1);
        }
        for keyword in ["oneOf", "anyOf"] {
            self.choices.extend(layer.get(keyword).and_then(Json::as_array).map(Vec::as_slice));
        }
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&'s Json> {
        self.layers.iter().find_map(|layer| layer.get(keyword))
    }

    pub(super) fn word(&self, keyword: &str) -> Option<&'s str> {
        self.get(keyword).and_then(Json::as_str)
    }

    pub(super) fn count(&self, keyword: &str) -> Option<usize> {
        self.get(keyword).and_then(Json::as_u64).and_then(|count| usize::try_from(count).ok())
    }

    pub(super) fn property(&self, key: &str) -> Option<&'s Json> {
        self.layers.iter().find_map(|layer| layer.get("properties")?.get(key))
    }

    pub(super) fn property_names(&self) -> Vec<&'s str> {
        let maps = self.layers.iter().filter_map(|layer| layer.get("properties")?.as_object());
        unique(maps.flat_map(|properties| properties.keys().map(String::as_str)))
    }

    /// The key that holds amounts by name, marked `x-amounts`.
    pub(super) fn amounts(&self) -> Option<&'s str> {
        let marked = |key: &&str| self.property(key).is_some_and(|schema| schema.get("x-amounts").is_some());
        self.property_names().into_iter().find(marked)
    }

    pub(super) fn required(&self) -> Vec<&'s str> {
        let lists = self.layers.iter().filter_map(|layer| layer.get("required")?.as_array());
        unique(lists.flatten().filter_map(Json::as_str))
    }

    /// A struct is closed even if its schema does not say so: a key that the program would silently ignore is a mistake.
    pub(super) fn additional(&self) -> Additional<'s> {
        if let Some((pattern, schema)) =
            self.get("patternProperties").and_then(Json::as_object).and_then(|map| map.iter().next())
        {
            return if pattern.contains(r"\d") {
                Additional::Numbered(schema)
            } else {
                Additional::Like(schema)
            };
        }
        match self.get("additionalProperties").or_else(|| self.get("unevaluatedProperties")) {
            Some(Json::Bool(true)) => Additional::Anything,
            Some(Json::Bool(false)) => Additional::Refused,
            Some(schema) => Additional::Like(schema),
            None if self.get("properties").is_some() => Additional::Refused,
            None => Additional::Anything,
        }
    }

    /// The values of `const` or `enum`, if only certain values are accepted.
    pub(super) fn listed(&self) -> Option<&'s [Json]> {
        let constant = self.get("const").map(std::slice::from_ref);
        constant.or_else(|| self.get("enum").and_then(Json::as_array).map(Vec::as_slice))
    }

    pub(super) fn listed_texts(&self) -> Vec<&'s str> {
        self.listed().unwrap_or_default().iter().filter_map(Json::as_str).collect()
    }

    /// The accepted types; `None` if any type is accepted.
    pub(super) fn types(&self) -> Option<Vec<&'s str>> {
        match self.get("type") {
            Some(Json::String(name)) => return Some(vec![name]),
            Some(Json::Array(names)) => return Some(names.iter().filter_map(Json::as_str).collect()),
            _ => {}
        }
        match self.listed() {
            Some(values) => Some(unique(values.iter().map(type_of))),
            None if self.get("properties").is_some() => Some(vec!["object"]),
            None => None,
        }
    }

    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types().is_some_and(|types| types.contains(&name))
    }

    /// True if the type fits; choices are not considered.
    pub(super) fn allows(&self, node: &Node) -> bool {
        let fits = |name: &&str| match (*name, &node.value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("string", Value::Text(_))
            | ("array", Value::List(_))
            | ("object", Value::Map(_))
            | ("number", Value::Int(_) | Value::Float(_))
            | ("integer", Value::Int(_)) => true,
            // Whether it is a whole number is checked later, with a better message.
            ("integer", Value::Float(_)) => true,
            ("number" | "integer", Value::Text(_)) => self.unit.is_some(),
            _ => false,
        };
        !self.impossible && self.types().is_none_or(|types| types.iter().any(fits))
    }

    /// Whether an explicit null is a value of its own here.
    pub(super) fn allows_null(&self) -> bool {
        let own = self.types().map_or(self.unit.is_none(), |types| types.contains(&"null"));
        own && self
            .choices
            .iter()
            .all(|choice| self.leaves(choice).iter().any(|leaf| leaf.shape.allows_null()))
    }

    /// The branches of a choice, with the branches of branches that are nothing but choices themselves.
    pub(super) fn leaves(&self, choice: &'s [Json]) -> Vec<Leaf<'s>> {
        let mut leaves = Vec::new();
        let mut budget = MOST_BRANCHES;
        self.collect_leaves(choice, 0, &mut budget, &mut leaves);
        leaves
    }

    fn collect_leaves(
        &self,
        choice: &'s [Json],
        depth: usize,
        budget: &mut usize,
        leaves: &mut Vec<Leaf<'s>>,
    ) {
        for schema in choice {
            let Some(left) = budget.checked_sub(1) else { return };
            *budget = left;
            let shape = Shape::of(self.root, schema, self.unit);
            let only_choices = shape.types().is_none() && !shape.choices.is_empty();
            if !only_choices {
                leaves.push(Leaf { schema, shape });
                continue;
            }
            for inner in shape.choices.iter().filter(|_| depth < DEEPEST_CHOICE) {
                shape.collect_leaves(inner, depth + 1, budget, leaves);
            }
        }
    }

    /// The keys that the branches of the choices require.
    pub(super) fn branch_keys(&self) -> Vec<&'s str> {
        let leaves = self.choices.iter().flat_map(|choice| self.leaves(choice));
        unique(leaves.flat_map(|leaf| leaf.shape.required()))
    }

    /// What is accepted, with examples: ``a time such as `40 s` or `5 min` ``.
    pub(super) fn expected(&self) -> String {
        words::either(&self.parts(true))
    }

    /// What is accepted, in few words: `a time`.
    pub(super) fn kind(&self) -> String {
        words::either(&self.parts(false))
    }

    fn parts(&self, examples: bool) -> Vec<String> {
        let leaves: Vec<Leaf<'s>> = self.choices.iter().flat_map(|choice| self.leaves(choice)).collect();
        let shapes: Vec<&Shape<'s>> =
            if leaves.is_empty() { vec![self] } else { leaves.iter().map(|leaf| &leaf.shape).collect() };
        let texts = unique(shapes.iter().flat_map(|shape| shape.listed_texts()));
        let mut parts: Vec<String> = match texts.as_slice() {
            [] => Vec::new(),
            [only] => vec![format!("`{only}`")],
            several => vec![format!("one of {}", words::quoted(several))],
        };
        for shape in shapes {
            for part in shape.own_parts(examples) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        if parts.is_empty() { vec!["nothing".into()] } else { parts }
    }

    fn own_parts(&self, examples: bool) -> Vec<String> {
        if !self.listed_texts().is_empty() {
            return Vec::new();
        }
        let types = self.types().unwrap_or_default();
        types.into_iter().filter(|name| *name != "null").map(|name| self.type_words(name, examples)).collect()
    }

    fn type_words(&self, name: &str, examples: bool) -> String {
        let dimension = self.unit.and_then(Unit::find).map(Unit::dimension);
        match (name, dimension) {
            ("number" | "integer", Some(dimension)) if examples => dimension.with_examples(),
            ("number" | "integer", Some(dimension)) => dimension.name().into(),
            ("number", None) => "a number".into(),
            ("integer", None) => "a whole number".into(),
            ("string", _) => "text".into(),
            ("boolean", _) => "`true` or `false`".into(),
            ("array", _) => "a list".into(),
            _ => match self.required().as_slice() {
                [only] if self.property_names().len() == 1 => format!("a map with `{only}`"),
                _ => "a map".into(),
            },
        }
    }
}

/// One branch of a choice.
#[derive(Clone)]
pub(super) struct Leaf<'s> {
    pub(super) schema: &'s Json,
    pub(super) shape: Shape<'s>,
}

fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

pub(super) fn unique<'s>(names: impl IntoIterator<Item = &'s str>) -> Vec<&'s str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
