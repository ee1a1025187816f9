//! The JSON Schema of scenario files, assembled from the types and the registries.

use super::spec::ScenarioSpec;
use super::text::for_editors;
use crewlab_navigation::slam::LIKELIHOODS;
use crewlab_sim::disturbances::DisturbanceSpec;
use crewlab_sim::world::{Quality, effectors, sensors};
use crewlab_sim::{control, missions, radio, teams};
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Map, Value, json};

/// The schema that scenarios of one mission must follow.
pub fn of_mission(mission: &missions::MissionKind) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let parameters = (mission.schema)(&mut generator);
    let mut schema = generator.into_root_schema_for::<ScenarioSpec>().to_value();
    schema["properties"]["parameters"] = parameters.to_value();
    schema
}

/// The schema of all scenarios, for editors: the parameters follow from the mission.
pub fn of_everything() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let branches: Vec<Value> = missions::KINDS
        .iter()
        .map(|kind| {
            let parameters = (kind.schema)(&mut generator).to_value();
            json!({
                "if": {"properties": {"mission": {"const": kind.name}}},
                "then": {"properties": {"parameters": parameters}},
            })
        })
        .collect();
    let mut schema = generator.into_root_schema_for::<ScenarioSpec>().to_value();
    schema["title"] = json!("Crewlab scenario");
    // The mission's defaults supply missing keys.
    if let Some(map) = schema.as_object_mut() {
        map.remove("required");
    }
    forget_kinds(&mut schema);
    for part in ["WorldSpec", "TeamSpec", "RunSpec", "RobotTypeSpec"] {
        if let Some(definition) = schema["$defs"][part].as_object_mut() {
            definition.remove("required");
        }
    }
    schema["allOf"] = Value::Array(branches);
    close(&mut schema);
    for_editors(schema)
}

/// The schema of a map that has only a radio.
pub(super) fn of_radio() -> Value {
    let radio = radio(&mut inline()).to_value();
    json!({"type": "object", "properties": {"radio": radio}, "required": ["radio"]})
}

/// The schema of one entry of `disturbances`.
pub(super) fn of_disturbance() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<DisturbanceSpec>().to_value()
}

/// A device may have its kind, and a radio its model, from the defaults or from an included file.
fn forget_kinds(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            let required = map.get("required");
            if required == Some(&json!(["kind"])) || required == Some(&json!(["model"])) {
                map.remove("required");
            }
            map.values_mut().for_each(forget_kinds);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_kinds),
        _ => {}
    }
}

/// Makes every object refuse keys it does not list, as the check does, so that editors underline a typo.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") && map.get("type").is_some_and(|kind| kind == "object") {
                let composed = ["oneOf", "anyOf", "allOf"].iter().any(|keyword| map.contains_key(*keyword));
                // If there are alternatives next to the properties, their keys count as well.
                let keyword = if composed { "unevaluatedProperties" } else { "additionalProperties" };
                if !map.contains_key("additionalProperties") {
                    map.insert(keyword.into(), json!(false));
                }
                for (key, value) in map.iter_mut() {
                    if !(composed && ["oneOf", "anyOf", "allOf"].contains(&key.as_str())) {
                        close(value);
                    } else if let Value::Array(alternatives) = value {
                        // An alternative must not refuse the keys next to it.
                        alternatives.iter_mut().for_each(close_within);
                    }
                }
                return;
            }
            map.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

/// Closes the content of an alternative, but not the alternative itself.
fn close_within(alternative: &mut Value) {
    if let Value::Object(map) = alternative {
        map.remove("additionalProperties");
        map.values_mut().for_each(|value| match value {
            Value::Object(inner) => inner.values_mut().for_each(close),
            other => close(other),
        });
    }
}

fn names(kinds: impl Iterator<Item = &'static str>) -> Schema {
    let names: Vec<&str> = kinds.collect();
    json_schema!({"type": "string", "enum": names})
}

pub(super) fn mission_names(_: &mut SchemaGenerator) -> Schema {
    names(missions::KINDS.iter().map(|kind| kind.name))
}

pub(super) fn coordinator_names(_: &mut SchemaGenerator) -> Schema {
    names(teams::KINDS.iter().map(|kind| kind.name))
}

pub(super) fn controller_names(_: &mut SchemaGenerator) -> Schema {
    names(control::KINDS.iter().map(|kind| kind.name))
}

pub(super) fn likelihood_names(_: &mut SchemaGenerator) -> Schema {
    names(LIKELIHOODS.iter().map(|kind| kind.name))
}

/// The properties of an object, wherever they are defined.
fn properties_in(generator: &SchemaGenerator, schema: Schema) -> Map<String, Value> {
    let mut value = schema.to_value();
    let definition =
        value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
    if let Some(definition) = definition.and_then(|name| generator.definitions().get(name)) {
        value = definition.clone();
    }
    value.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The parameters of one kind of sensor or effector: those all share and its own.
fn device(generator: &mut SchemaGenerator, kind: &sensors::DeviceKind) -> Value {
    let shared = generator.subschema_for::<Quality>();
    let own = (kind.schema)(generator);
    let mut all = properties_in(generator, shared);
    for key in ["absolute-noise", "bias"] {
        all[key]["x-unit"] = json!(kind.unit);
    }
    all.extend(properties_in(generator, own));
    all.insert(
        "kind".into(),
        json!({"const": kind.name, "description": "The kind of device. Default: the device's name."}),
    );
    json!({
        "type": "object",
        "description": kind.summary,
        "properties": all,
        "additionalProperties": false,
    })
}

fn devices(generator: &mut SchemaGenerator, kinds: &[sensors::DeviceKind]) -> Schema {
    let mut properties = Map::new();
    let mut named = Vec::new();
    for kind in kinds {
        let schema = device(generator, kind);
        let mut with_kind = schema.clone();
        with_kind["required"] = json!(["kind"]);
        properties.insert(kind.name.into(), schema);
        named.push(with_kind);
    }
    json_schema!({"type": "object", "properties": properties, "additionalProperties": {"anyOf": named}})
}

pub(super) fn sensors(generator: &mut SchemaGenerator) -> Schema {
    devices(generator, sensors::KINDS)
}

pub(super) fn effectors(generator: &mut SchemaGenerator) -> Schema {
    devices(generator, effectors::KINDS)
}

/// A radio is a name, or a map: of the ideal radio, or of a physical one whose other values follow from the name.
pub(super) fn radio(generator: &mut SchemaGenerator) -> Schema {
    let map = |description: &str, kinds: &[&radio::RadioKind], mut properties: Map<String, Value>| {
        let summaries: Vec<String> =
            kinds.iter().map(|kind| format!("`{}`: {}.", kind.name, kind.summary)).collect();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            // The model supplies missing values, which differ between models.
            property.remove("default");
        }
        let model = json!({"type": "string", "enum": names, "description": summaries.join(" ")});
        let properties: Map<_, _> = [("model".to_string(), model)].into_iter().chain(properties).collect();
        json!({
            "type": "object",
            "description": description,
            "properties": properties,
            "required": ["model"],
            "additionalProperties": false,
        })
    };
    let (physical, ideal): (Vec<_>, Vec<_>) =
        radio::KINDS.iter().partition(|kind| radio::preset(kind.name).is_some());
    let (of_ideal, of_physical) =
        (generator.subschema_for::<radio::IdealParams>(), generator.subschema_for::<radio::PhysicalParams>());
    let ideal = map("An ideal radio.", &ideal, properties_in(generator, of_ideal));
    let physical = map("A physical radio.", &physical, properties_in(generator, of_physical));
    json_schema!({"anyOf": [names(radio::KINDS.iter().map(|kind| kind.name)), ideal, physical]})
}

fn properties_of(schema: &mut Schema) -> &mut Map<String, Value> {
    let properties = schema.ensure_object().entry("properties").or_insert_with(|| json!({}));
    if !properties.is_object() {
        *properties = json!({});
    }
    match properties {
        Value::Object(map) => map,
        _ => unreachable!("set just above"),
    }
}

/// A team also takes the parameters of every coordinator, under its name.
pub(super) fn add_coordinator_parameters(schema: &mut Schema) {
    let mut generator = inline();
    let parameters = teams::KINDS.iter().map(|kind| {
        let mut value = (kind.schema)(&mut generator).to_value();
        value["description"] = json!(format!("Parameters of `{}`: {}.", kind.name, kind.summary));
        (kind.name.to_string(), value)
    });
    properties_of(schema).extend(parameters);
    schema.insert("additionalProperties".into(), json!(false));
}

/// A robot also accepts devices by name: `true` adds one with its defaults, `false` removes it, a map changes it.
pub(super) fn add_equipment(schema: &mut Schema) {
    let mut generator = inline();
    let kinds = sensors::KINDS.iter().chain(effectors::KINDS);
    let equipment = kinds.map(|kind| {
        let description = format!("{}; true or false adds or removes it, a map changes it.", kind.summary);
        (
            kind.name.to_string(),
            json!({
                "description": description,
                "anyOf": [{"type": "boolean"}, device(&mut generator, kind)],
            }),
        )
    });
    properties_of(schema).extend(equipment);
    schema.insert("additionalProperties".into(), json!(false));
}

/// Capabilities in which a robot differs from its type.
pub(super) fn changed_capabilities(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "Capabilities in which this robot differs from its type: a number adds one with this initial reliability, true or false adds or removes one.",
        "additionalProperties": {
            "anyOf": [{"type": "boolean"}, {"type": "number", "exclusiveMinimum": 0.0, "maximum": 1.0, "x-unit": "1"}],
        },
    })
}

/// A generator that inlines all definitions: parts that are added by hand cannot refer to them.
fn inline() -> SchemaGenerator {
    SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator()
}

#[cfg(test)]
mod tests {
    use super::super::text::Unit;
    use super::*;

    fn every_unit(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("x-unit").and_then(Value::as_str).map(str::to_string));
                map.values().for_each(|v| every_unit(v, found));
            }
            Value::Array(list) => list.iter().for_each(|v| every_unit(v, found)),
            _ => {}
        }
    }

    #[test]
    fn every_unit_in_the_schema_is_known() {
        for kind in missions::KINDS {
            let mut units = Vec::new();
            every_unit(&of_mission(kind), &mut units);
            assert!(units.len() > 20);
            for unit in units.iter().filter(|unit| *unit != "1") {
                assert!(Unit::find(unit).is_some(), "{unit}");
            }
        }
    }

    #[test]
    fn every_reference_in_the_schema_has_its_definition() {
        let check = |schema: Value| {
            let text = schema.to_string();
            for part in text.split("\"$ref\":\"#/$defs/").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                assert!(schema["$defs"].get(name).is_some(), "{name}");
            }
        };
        check(of_everything());
        missions::KINDS.iter().for_each(|kind| check(of_mission(kind)));
    }
}
