//! The radio of a scenario: a model's name, or a map that overrides the model's values.

use super::spec::RadioSpec;
use super::text::{Diagnostic, MapEntry, Node, SourceMap, Value, apply_set, merge};
use crewlab_sim::radio::{IdealParams, PRESETS, PhysicalParams, preset};
use crewlab_sim::teams::overlay;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

const KEY: &str = "radio";
const MODEL: &str = "model";

/// A radio with all its values.
#[derive(Clone, Debug, PartialEq)]
pub enum RadioParams {
    /// Every node hears every other.
    Ideal(IdealParams),
    /// Signals, noise, and a shared medium.
    Physical(Box<PhysicalParams>),
}

impl RadioParams {
    /// The scenario's values, merged over those of the model.
    pub fn of(spec: &RadioSpec) -> Result<RadioParams, serde_json::Error> {
        let said = Json::Object(spec.parameters.clone());
        Ok(match preset(&spec.model) {
            Some(preset) => RadioParams::Physical(Box::new(over(&(preset.params)(), &said)?)),
            None => RadioParams::Ideal(over(&IdealParams::default(), &said)?),
        })
    }

    /// The map with all values, which does not depend on the model's defaults.
    pub(super) fn resolved(&self, model: &str) -> Json {
        let (schema, values) = match self {
            RadioParams::Ideal(params) => (schemars::schema_for!(IdealParams), serde_json::to_value(params)),
            RadioParams::Physical(params) => {
                (schemars::schema_for!(PhysicalParams), serde_json::to_value(params))
            }
        };
        let values = values.unwrap_or_default();
        let keys = schema.get("properties").and_then(Json::as_object).into_iter().flat_map(Map::keys);
        // Values that are switched off must be written, too; otherwise the model would switch them on again.
        let parameters = keys.map(|key| (key.clone(), values.get(key).cloned().unwrap_or_default()));
        [(MODEL.to_string(), Json::from(model))].into_iter().chain(parameters).collect()
    }
}

fn over<T: Serialize + DeserializeOwned>(params: &T, said: &Json) -> Result<T, serde_json::Error> {
    let mut value = serde_json::to_value(params)?;
    overlay(&mut value, said);
    serde_json::from_value(value)
}

/// A key that the model does not have may belong to another.
pub(super) fn suggest_model(mut finding: Diagnostic) -> Diagnostic {
    let key = finding.path.strip_prefix("radio.").filter(|_| finding.message.starts_with("unknown key"));
    let Some(key) = key else { return finding };
    let has = |schema: schemars::Schema| schema.pointer(&format!("/properties/{key}")).is_some();
    let help = if has(schemars::schema_for!(PhysicalParams)) {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        Some(format!("physical radios have `{key}`: {}", names.join(", ")))
    } else if has(schemars::schema_for!(IdealParams)) {
        Some(format!("the ideal radio has `{key}`, and physical ones do not"))
    } else {
        None
    };
    finding.help.extend(help);
    finding
}

/// Merges one scenario over another. A radio given by its name alone, or of another model, inherits nothing from the one
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

/// Applies assignments; that of the radio's model comes before those of its values.
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

/// What an assignment changes, in the order of application.
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
    // Like other assignments, one of a whole radio replaces the previous value.
    if target == Target::Radio && model(&said).is_some() {
        remove(&mut tree);
    }
    Ok(lay(tree, said))
}

/// The same tree with a map as its radio.
pub(super) fn spelt_out(mut tree: Node) -> Node {
    spell_out(&mut tree);
    tree
}

/// Turns `radio: NAME` into `radio: {model: NAME}`; true if it was a name.
fn spell_out(tree: &mut Node) -> bool {
    let Value::Map(entries) = &mut tree.value else { return false };
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == KEY) else { return false };
    if !matches!(entry.node.value, Value::Text(_)) {
        return false;
    }
    let span = entry.node.span;
    let name = std::mem::replace(&mut entry.node, Node { span, value: Value::Null });
    let model = MapEntry { key: MODEL.into(), key_span: entry.key_span, node: name };
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
    use crewlab_sim::radio::ShadowingParams;
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
    fn a_name_inherits_nothing() {
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
    fn a_resolved_radio_has_every_key_and_means_the_same() {
        let read = |radio: Json| -> RadioSpec { serde_json::from_value(radio).expect("a radio") };
        for preset in PRESETS {
            let spec = read(json!({"model": preset.name, "capture": null, "shadowing": {"deviation": 3.0}}));
            let params = RadioParams::of(&spec).expect("good parameters");
            let shadowing = Some(ShadowingParams { deviation: 3.0, ..ShadowingParams::default() });
            let expected = PhysicalParams { capture: None, shadowing, ..(preset.params)() };
            assert_eq!(params, RadioParams::Physical(Box::new(expected)));
            let resolved = params.resolved(preset.name);
            assert_eq!((&resolved["capture"], resolved.get("noise-floor")), (&Json::Null, Some(&Json::Null)));
            assert_eq!(resolved["shadowing"], json!({"deviation": 3.0, "correlation": 10.0}));
            // With every key given, the model has no influence any more.
            for name in PRESETS.iter().map(|preset| preset.name) {
                let spec = RadioSpec { model: name.into(), ..read(resolved.clone()) };
                assert_eq!(RadioParams::of(&spec).expect("good parameters"), params);
            }
        }
        let ideal = RadioParams::of(&RadioSpec::default()).expect("good parameters");
        let all = json!({"model": "ideal", "loss": 0.0, "delay": 0.0, "range": null});
        assert_eq!(ideal.resolved("ideal"), all);
    }
}
