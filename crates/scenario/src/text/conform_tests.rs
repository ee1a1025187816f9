//! Values that conform, and the resulting data.

use serde_json::{Value as Json, json};

use super::conform::conform;
use super::fixture::{conformed, parsed};
use super::sample::{Scenario, VALID};

#[test]
fn valid_values_become_si_numbers() {
    let (conformed, messages) = conformed(VALID);
    assert_eq!(messages, "");
    let expected = json!({
        "mission": "waste",
        "world": {
            "size": [12.0, 8.0], "items": {"waste": 20}, "slip": 0.05, "shape": {"circle": 0.2}, "levels": {"3": 1.5}
        },
        "team": {
            "coordinator": "greedy",
            "robots": [
                {"name": "blue", "side-range": true, "speed": 0.3},
                {"name": "gold", "side-range": null, "speed": 0.3}
            ],
            "alliance": {"threshold": 100, "fast-impatience": 1.0},
            "radio": {"model": "friis", "power": 20.0, "frequency": 2.4e9},
            "pair": [3, "x"]
        },
        "disturbances": [
            {"at": 40.0, "trap": "blue"},
            {"every": 300.0, "note": "é", "break": {"robot": "random", "for": 60.0}}
        ],
        "run": {"tick": 100_000_000, "until": 1800.0, "seed": 1},
        "extra": {"a": [1, {"b": null}]}
    });
    assert_eq!(conformed.value, expected);
    let scenario: Result<Scenario, _> = serde_json::from_value(conformed.value);
    assert!(scenario.is_ok(), "{scenario:?}");
}

#[test]
fn null_means_unset_where_it_is_no_value() {
    let (conformed, messages) = conformed("{mission: m, team: ~, disturbances: , run: {seed: ~}, world: ~}");
    assert_eq!(messages, "");
    // `world` is an `Option`, for which null is a value; the others keep their defaults.
    assert_eq!(conformed.value, json!({"mission": "m", "run": {}, "world": null}));
}

#[test]
fn every_message_knows_its_path() {
    let (conformed, _) = conformed(
        "{mission: m, team: {robots: [{name: a}, {name: b, sped: 1, speed: 2 s}]}, run: {tick: x}}",
    );
    let paths: Vec<&str> = conformed.diagnostics.iter().map(|diagnostic| diagnostic.path.as_str()).collect();
    assert_eq!(paths, ["team.robots.1.sped", "team.robots.1.speed", "run.tick"]);
    assert!(conformed.spans.contains("team.robots.0.name"));
}

/// Schemas that schemars does not make, or only by accident, must not cause harm.
#[test]
fn strange_schemas_do_no_harm() {
    let check = |schema: Json, text: &str, errors: usize| {
        let outcome = conform(&parsed(text), &schema);
        assert_eq!(outcome.diagnostics.len(), errors, "{schema} {:?}", outcome.diagnostics);
    };
    check(json!(true), "{a: [1]}", 0);
    check(json!(false), "{a: 1}", 1);
    check(json!({}), "{a: 1}", 0);
    check(json!({"$ref": "#"}), "{a: 1}", 0);
    check(json!({"$ref": "#/nowhere"}), "5", 0);
    check(json!({"$ref": "http://elsewhere"}), "5", 0);
    check(json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}), "5", 1);
    check(json!({"oneOf": []}), "5", 1);
    check(json!({"anyOf": [{"anyOf": [{"anyOf": [{"type": "integer"}]}]}, {"type": "null"}]}), "5", 0);
    check(
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"properties": {"a": {"$ref": "#"}}}]}),
        "{a: {a: {a: {}}}}",
        0,
    );
    check(json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}), "{a: {a: {a: {}}}}", 1);
    check(json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}), "{a: 1}", 0);
    check(json!({"type": "number", "x-unit": "furlong"}), "5 m", 1);
    check(json!({"type": "number", "x-unit": "m"}), "5", 0);
    check(json!({"type": ["number", "string"], "x-unit": "m"}), "auto", 0);
    check(json!({"type": ["number", "string"], "x-unit": "m"}), "5 s", 1);
    check(json!({"enum": [1, 2.5, "a", null]}), "2.5", 0);
    check(json!({"enum": [1, 2.5, "a", null]}), "3", 1);
    check(json!({"const": true}), "true", 0);
    check(json!({"prefixItems": [{"type": "string"}], "items": false}), "[a, b]", 1);
    check(json!({"properties": {"a": {"type": "integer"}}, "additionalProperties": true}), "{a: 1, b: 2}", 0);
    check(
        json!({"type": 5, "properties": [], "required": {}, "enum": 3, "oneOf": 7, "minimum": "x"}),
        "{a: 1}",
        1,
    );
}
