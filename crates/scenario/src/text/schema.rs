//! The schema for editors.

use serde_json::{Map, Value as Json, json};

use super::dimension::Dimension;
use super::unit::Unit;

/// A copy of a schema in which every number with `x-unit` also accepts a text with a fitting unit.
///
/// Editors know nothing of `x-unit`; with the copy they accept `40 s`, refuse `40 m`, and offer an example. On a list,
/// `x-unit` holds for the items, as it does in [`super::conform()`].
pub fn for_editors(schema: Json) -> Json {
    rewrite(schema, None)
}

fn rewrite(schema: Json, inherited: Option<Dimension>) -> Json {
    let Json::Object(mut schema) = schema else { return schema };
    let own = schema.get("x-unit").and_then(Json::as_str).and_then(Unit::find).map(Unit::dimension);
    let dimension = own.or(inherited);
    if let Some(dimension) = dimension {
        if is_number(&schema) {
            accept_text(&mut schema, dimension);
        } else if let Some(branches) = own.and_then(|_| number_branches(&schema)) {
            accept_text_beside(&mut schema, &branches, dimension);
        }
    }
    let handed_down = dimension.filter(|_| has_type(&schema, "array") || is_dictionary(&schema));
    Json::Object(schema.into_iter().map(|(key, value)| inner(key, value, handed_down)).collect())
}

/// Schemas occur as values of some keywords only; everything else is data.
fn inner(keyword: String, value: Json, handed_down: Option<Dimension>) -> (String, Json) {
    let value = match (keyword.as_str(), value) {
        ("properties" | "patternProperties" | "$defs" | "definitions", Json::Object(schemas)) => {
            Json::Object(schemas.into_iter().map(|(name, schema)| (name, rewrite(schema, None))).collect())
        }
        ("oneOf" | "anyOf" | "allOf", Json::Array(schemas)) => {
            schemas.into_iter().map(|schema| rewrite(schema, None)).collect()
        }
        ("prefixItems", Json::Array(schemas)) => {
            schemas.into_iter().map(|schema| rewrite(schema, handed_down)).collect()
        }
        ("items" | "additionalProperties", schema) => rewrite(schema, handed_down),
        ("not" | "unevaluatedProperties" | "propertyNames", schema) => rewrite(schema, None),
        (_, data) => data,
    };
    (keyword, value)
}

fn has_type(schema: &Map<String, Json>, name: &str) -> bool {
    match schema.get("type") {
        Some(Json::String(only)) => only == name,
        Some(Json::Array(names)) => names.iter().any(|given| given == name),
        _ => false,
    }
}

fn is_number(schema: &Map<String, Json>) -> bool {
    has_type(schema, "number") || has_type(schema, "integer")
}

fn is_dictionary(schema: &Map<String, Json>) -> bool {
    schema.get("additionalProperties").is_some_and(Json::is_object)
}

/// `minimum` and the like judge numbers only and `pattern` judges texts only, so widening the type is enough.
fn accept_text(schema: &mut Map<String, Json>, dimension: Dimension) {
    let mut types = match schema.remove("type") {
        Some(Json::Array(types)) => types,
        Some(only) => vec![only],
        None => Vec::new(),
    };
    types.push("string".into());
    schema.insert("type".into(), Json::Array(types));
    schema.insert("pattern".into(), pattern(dimension).into());
    schema.entry("examples").or_insert_with(|| examples(dimension));
}

/// The `$ref` or the branches that hold the number, where it is not in the schema itself.
fn number_branches(schema: &Map<String, Json>) -> Option<Vec<Json>> {
    if let Some(reference) = schema.get("$ref") {
        return Some(vec![json!({ "$ref": reference })]);
    }
    ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array().cloned())
}

fn accept_text_beside(schema: &mut Map<String, Json>, branches: &[Json], dimension: Dimension) {
    let mut branches = branches.to_vec();
    branches
        .push(json!({ "type": "string", "pattern": pattern(dimension), "examples": examples(dimension) }));
    schema.retain(|keyword, _| !matches!(keyword.as_str(), "$ref" | "anyOf" | "oneOf"));
    schema.insert("anyOf".into(), Json::Array(branches));
}

fn examples(dimension: Dimension) -> Json {
    let example = |text: &&str| text.parse::<f64>().map_or_else(|_| Json::from(*text), Json::from);
    dimension.examples().iter().map(example).collect()
}

fn pattern(dimension: Dimension) -> String {
    let units: Vec<String> = Unit::of(dimension)
        .filter(|unit| unit.symbol() != "1")
        .map(|unit| spellings(unit.symbol()))
        .collect();
    format!(r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*({})\s*$", units.join("|"))
}

/// A unit as a regular expression that matches all its spellings.
fn spellings(symbol: &str) -> String {
    let pattern = match symbol {
        "us" => "[uµμ]s".into(),
        "°C" => "(deg|°)C".into(),
        _ => symbol.replace("^2", r"(\^2|²)").replace("deg", "(deg|°)"),
    };
    pattern.strip_prefix("1/").map(|rest| format!("1?/{rest}")).unwrap_or(pattern)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn check(schema: Json, expected: Json) {
        assert_eq!(for_editors(schema), expected);
    }

    fn number(units: &str) -> String {
        format!(r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*({units})\s*$")
    }

    #[test]
    fn numbers_with_a_unit_accept_text() {
        let pattern = number("m/s|cm/s|km/h");
        check(
            json!({"type": "number", "minimum": 0, "x-unit": "m/s"}),
            json!({
                "minimum": 0, "x-unit": "m/s", "type": ["number", "string"],
                "pattern": pattern, "examples": ["0.3 m/s", "5 km/h"]
            }),
        );
        check(
            json!({"type": ["number", "null"], "x-unit": "m^2", "examples": [1]}),
            json!({"type": ["number", "null", "string"], "x-unit": "m^2", "pattern": number(r"m(\^2|²)"), "examples": [1]}),
        );
        assert_eq!(super::pattern(Dimension::Rate), number("1?/s|1?/min|1?/h|Hz|kHz|MHz|GHz"));
        assert_eq!(super::pattern(Dimension::Angle), number("rad|(deg|°)"));
        assert_eq!(super::pattern(Dimension::Ratio), number("%"));
        assert_eq!(super::examples(Dimension::Ratio), json!([0.5, "50 %"]));
    }

    #[test]
    fn lists_pass_their_unit_on_and_references_get_a_second_branch() {
        let metres = json!({
            "type": ["number", "string"], "pattern": number("m|cm|mm|km"), "examples": ["2.5 m", "30 cm"]
        });
        check(
            json!({"type": "array", "items": {"type": "number"}, "x-unit": "m"}),
            json!({"type": "array", "items": metres, "x-unit": "m"}),
        );
        let text = json!({"type": "string", "pattern": number("m|cm|mm|km"), "examples": ["2.5 m", "30 cm"]});
        check(
            json!({"$ref": "#/$defs/Metres", "x-unit": "m", "description": "d"}),
            json!({"x-unit": "m", "description": "d", "anyOf": [{"$ref": "#/$defs/Metres"}, text]}),
        );
    }

    #[test]
    fn everything_else_is_unchanged() {
        // A property may be called like a keyword, and defaults and examples are data.
        let schema = json!({
            "properties": {"x-unit": {"type": "string"}, "items": {"default": {"type": "number", "x-unit": "m"}}},
            "type": "object", "items": true, "x-unit": 5
        });
        check(schema.clone(), schema);
        check(json!(true), json!(true));
        let sample = for_editors(sample::schema());
        assert_eq!(sample["properties"]["mission"], sample::schema()["properties"]["mission"]);
        assert_ne!(sample, sample::schema());
    }
}
