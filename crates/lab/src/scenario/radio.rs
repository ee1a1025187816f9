//! The radio of a scenario: a name, or a map that changes what the name stands for.

use super::spec::RadioSpec;
use super::text::{Diagnostic, Entry, Node, SourceMap, Value, apply_set, merge};
use crewlab_sim::radio::{IdealParams, PhysicalParams, preset};
use serde_json::{Map, Value as Json};

const KEY: &str = "radio";
const MODEL: &str = "model";

/// A radio with everything that can be set about it.
#[derive(Clone, Debug, PartialEq)]
pub enum RadioParams {
    /// Everyone hears everyone.
    Ideal(IdealParams),
    /// Signals, noise, and a medium that is shared.
    Physical(Box<PhysicalParams>),
}

impl RadioParams {
    /// What a scenario says, laid over what the model's name stands for.
    pub fn of(spec: &RadioSpec) -> Result<RadioParams, serde_json::Error> {
        let mut parameters = Json::Object(parameters(&spec.model));
        super::properties::overlay(&mut parameters, &Json::Object(spec.parameters.clone()));
        Ok(match preset(&spec.model) {
            Some(_) => RadioParams::Physical(Box::new(serde_json::from_value(parameters)?)),
            None => RadioParams::Ideal(serde_json::from_value(parameters)?),
        })
    }
}

/// All that a model's name stands for; null for what is switched off.
fn parameters(model: &str) -> Map<String, Json> {
    let (schema, values) = match preset(model) {
        Some(preset) => (schemars::schema_for!(PhysicalParams), serde_json::to_value((preset.params)()).ok()),
        None => (schemars::schema_for!(IdealParams), serde_json::to_value(IdealParams::default()).ok()),
    };
    let keys = schema.get("properties").and_then(Json::as_object).map(|map| map.keys().cloned());
    let value = |key: &str| values.as_ref().and_then(|values| values.get(key)).cloned().unwrap_or(Json::Null);
    keys.into_iter().flatten().map(|key| (key.clone(), value(&key))).collect()
}

/// Fills in everything that a checked scenario leaves out about its radio, so that it means the same whatever becomes
/// of the names.
pub(super) fn complete(scenario: &mut Json) {
    let Json::Object(scenario) = scenario else { return };
    let said = scenario.remove(KEY).unwrap_or(Json::Null);
    let model =
        said.get(MODEL).and_then(Json::as_str).unwrap_or(RadioSpec::default().model.as_str()).to_string();
    let mut whole = Map::from_iter([(MODEL.to_string(), Json::from(model.as_str()))]);
    whole.extend(parameters(&model));
    let mut whole = Json::Object(whole);
    if said.is_object() {
        super::properties::overlay(&mut whole, &said);
    }
    scenario.insert(KEY.into(), whole);
}

/// Lays one scenario on another. A radio given by its name alone, or of another model, takes nothing from the one
/// below.
pub(super) fn lay(mut base: Node, mut over: Node) -> Node {
    let named = spell_out(&mut over);
    spell_out(&mut base);
    let another = model(&over).is_some_and(|said| model(&base).is_some_and(|known| known != said));
    if named || another {
        remove(&mut base);
    }
    merge(base, over)
}

/// Applies assignments, the radio's model before what is set about it.
pub(super) fn apply_sets(
    sources: &mut SourceMap,
    mut tree: Node,
    assignments: &[String],
) -> (Node, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let mut ordered: Vec<&String> = assignments.iter().collect();
    ordered.sort_by_key(|assignment| target(assignment));
    for assignment in ordered {
        match apply(sources, tree.clone(), assignment) {
            Ok(changed) => tree = changed,
            Err(wrong) => findings.extend(wrong),
        }
    }
    (tree, findings)
}

/// What an assignment is about, in the order in which assignments are made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Radio,
    Model,
    Other,
}

fn target(assignment: &str) -> Target {
    let path = assignment.split('=').next().unwrap_or_default();
    let mut elements = path.split('.').map(str::trim);
    match (elements.next(), elements.next(), elements.next()) {
        (Some(KEY), None, _) => Target::Radio,
        (Some(KEY), Some(MODEL), None) => Target::Model,
        _ => Target::Other,
    }
}

fn apply(sources: &mut SourceMap, mut tree: Node, assignment: &str) -> Result<Node, Vec<Diagnostic>> {
    let target = target(assignment);
    if target == Target::Other {
        return apply_set(sources, tree, assignment);
    }
    let nothing = Node { span: tree.span, value: Value::Map(Vec::new()) };
    let said = apply_set(sources, nothing, assignment)?;
    // Like other assignments, one of a whole radio replaces what was there.
    if target == Target::Radio && model(&said).is_some() {
        remove(&mut tree);
    }
    Ok(lay(tree, said))
}

/// Turns `radio: NAME` into `radio: {model: NAME}`; true if it was so.
fn spell_out(tree: &mut Node) -> bool {
    let Value::Map(entries) = &mut tree.value else { return false };
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == KEY) else { return false };
    if !matches!(entry.node.value, Value::Text(_)) {
        return false;
    }
    let span = entry.node.span;
    let name = std::mem::replace(&mut entry.node, Node { span, value: Value::Null });
    let model = Entry { key: MODEL.into(), key_span: entry.key_span, node: name };
    entry.node.value = Value::Map(vec![model]);
    true
}

fn model(tree: &Node) -> Option<&Value> {
    let model = &tree.get(KEY)?.node.get(MODEL)?.node.value;
    Some(model).filter(|model| **model != Value::Null)
}

fn remove(tree: &mut Node) {
    if let Value::Map(entries) = &mut tree.value {
        entries.retain(|entry| entry.key != KEY);
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::{parse, render};
    use super::*;
    use crewlab_sim::radio::PRESETS;
    use serde_json::json;

    fn parsed(text: &str) -> Node {
        let mut sources = SourceMap::default();
        let id = sources.add("test".into(), text.into());
        parse(&sources, id).unwrap_or_else(|errors| panic!("{}", render(&errors, &sources, false)))
    }

    fn check(base: &str, over: &str, sets: &[&str], expected: &str) {
        let mut sources = SourceMap::default();
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        let (tree, findings) = apply_sets(&mut sources, lay(parsed(base), parsed(over)), &sets);
        assert!(findings.is_empty(), "{}", render(&findings, &sources, false));
        assert_eq!(tree.to_json(), parsed(expected).to_json(), "{base} | {over} | {sets:?}");
    }

    const BASE: &str = "radio: {model: lte, power: 3, shadowing: {deviation: 2}}";

    #[test]
    fn a_name_stands_alone() {
        check(BASE, "radio: ideal", &[], "radio: {model: ideal}");
        check(BASE, "radio: lte", &[], "radio: {model: lte}");
        check("radio: lte", "radio: {power: 5}", &[], "radio: {model: lte, power: 5}");
        check("", "radio: lte", &[], "radio: {model: lte}");
    }

    #[test]
    fn another_model_inherits_nothing_and_the_same_model_everything() {
        check(BASE, "radio: {model: wifi-indoor, height: 2}", &[], "radio: {model: wifi-indoor, height: 2}");
        check(
            BASE,
            "radio: {model: lte, shadowing: {correlation: 4}}",
            &[],
            "radio: {model: lte, power: 3, shadowing: {deviation: 2, correlation: 4}}",
        );
        check(
            BASE,
            "radio: {power: 5, shadowing: null}",
            &[],
            "radio: {model: lte, power: 5, shadowing: null}",
        );
        check(BASE, "run: {seed: 4}", &[], &format!("{{{BASE}, run: {{seed: 4}}}}"));
    }

    #[test]
    fn assignments_set_the_model_first() {
        let expected = "radio: {model: wifi-indoor, power: 5}";
        for sets in [
            ["radio=wifi-indoor", "radio.power=5"],
            ["radio.power=5", "radio=wifi-indoor"],
            ["radio.power=5", "radio.model=wifi-indoor"],
            [" radio . model =wifi-indoor", "radio.power=5"],
        ] {
            check(BASE, "", &sets, expected);
            check("", "radio: {model: ideal, loss: 1}", &sets, expected);
        }
        check("", "radio: lte", &["radio.power=5"], "radio: {model: lte, power: 5}");
        check(
            BASE,
            "",
            &["radio={power: 5}", "radio.shadowing="],
            "radio: {model: lte, power: 5, shadowing: }",
        );
        check(BASE, "", &["radio={model: lte, height: 2}"], "radio: {model: lte, height: 2}");
        check(BASE, "", &["radio.model=lte"], BASE);
        check(BASE, "", &["radio="], "radio: ");
    }

    #[test]
    fn a_whole_scenario_has_every_key_and_means_the_same() {
        for preset in PRESETS {
            let mut whole = json!({"radio": {"model": preset.name, "capture": null}});
            complete(&mut whole);
            let spec: RadioSpec = serde_json::from_value(whole["radio"].clone()).expect("a radio");
            let expected = PhysicalParams { capture: None, ..(preset.params)() };
            assert_eq!(RadioParams::of(&spec).ok(), Some(RadioParams::Physical(Box::new(expected))));
            // With every key there, the name decides nothing any more.
            let spec = RadioSpec { model: PRESETS[0].name.into(), ..spec };
            let renamed = RadioParams::of(&spec).expect("a radio");
            assert_eq!(
                renamed,
                RadioParams::of(&RadioSpec { model: preset.name.into(), ..spec }).expect("the same")
            );
            let mut again = whole.clone();
            complete(&mut again);
            assert_eq!(again.to_string(), whole.to_string());
        }
        let mut nothing = json!({});
        complete(&mut nothing);
        assert_eq!(nothing["radio"], json!({"model": "ideal", "loss": 0.0, "delay": 0.0, "range": null}));
    }
}
