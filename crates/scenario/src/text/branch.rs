//! Selects the branch of a `oneOf` or `anyOf` that a value matches.
//!
//! The purpose is the message: an error inside a branch must be reported as that error, not as "matches no branch".

use serde_json::Value as Json;

use super::node::{Node, Value};
use super::scalar;
use super::shape::{Leaf, Shape, unique};

/// The selected branch.
pub(super) struct Picked<'s> {
    pub(super) schema: &'s Json,
    /// Keys of other branches, each with the key that selects this one.
    pub(super) rivals: Vec<(&'s str, &'s str)>,
}

/// Why no branch could be selected.
pub(super) enum Failure<'s> {
    /// No branch accepts this type of value.
    Kind,
    /// A word was given, but not one of these.
    Word(Vec<&'s str>),
    /// The key that tells the branches apart is missing or has none of these values.
    Tag { key: &'s str, accepted: Vec<&'s str> },
    /// Each branch has its own key, and none of them is present.
    Keys(Vec<&'s str>),
}

/// Selects by the type of the value, then by its content.
pub(super) fn pick<'s>(
    shape: &Shape<'s>,
    choice: &'s [Json],
    node: &Node,
) -> Result<Picked<'s>, Failure<'s>> {
    let leaves = shape.leaves(choice);
    let fitting: Vec<&Leaf<'s>> = leaves.iter().filter(|leaf| leaf.shape.allows(node)).collect();
    match &node.value {
        Value::Text(text) => by_word(&leaves, &fitting, text),
        Value::Map(_) => by_keys(&fitting, node),
        Value::List(items) => by_length(&fitting, items.len()),
        value => by_number(&fitting, value),
    }
}

fn picked<'s>(leaf: &Leaf<'s>) -> Picked<'s> {
    Picked { schema: leaf.schema, rivals: Vec::new() }
}

fn by_word<'s>(leaves: &[Leaf<'s>], fitting: &[&Leaf<'s>], text: &str) -> Result<Picked<'s>, Failure<'s>> {
    let numeric = scalar::number_length(text).is_some();
    let is_quantity = |leaf: &Leaf<'s>| leaf.shape.unit.is_some() && !leaf.shape.has_type("string");
    let exact = || fitting.iter().find(|leaf| leaf.shape.listed_texts().contains(&text));
    let quantity = || fitting.iter().find(|leaf| numeric && is_quantity(leaf));
    let free = || fitting.iter().find(|leaf| !is_quantity(leaf) && leaf.shape.listed().is_none());
    if let Some(leaf) = exact().or_else(quantity).or_else(free) {
        return Ok(picked(leaf));
    }
    match fitting {
        [only] if is_quantity(only) => return Ok(picked(only)),
        _ => {}
    }
    let accepted = unique(leaves.iter().flat_map(|leaf| leaf.shape.listed_texts()));
    // A word can also stand for the only key of a map: `trap` for `trap: blue`.
    if accepted.is_empty() { Err(Failure::Kind) } else { Err(Failure::Word(accepted)) }
}

fn by_number<'s>(fitting: &[&Leaf<'s>], value: &Value) -> Result<Picked<'s>, Failure<'s>> {
    let whole = |leaf: &&&Leaf<'s>| matches!(value, Value::Int(_)) && leaf.shape.has_type("integer");
    fitting.iter().find(whole).or(fitting.first()).map(|leaf| picked(leaf)).ok_or(Failure::Kind)
}

fn by_length<'s>(fitting: &[&Leaf<'s>], length: usize) -> Result<Picked<'s>, Failure<'s>> {
    let fits = |leaf: &&&Leaf<'s>| {
        let (least, most) = (leaf.shape.count("minItems"), leaf.shape.count("maxItems"));
        least.is_none_or(|least| length >= least) && most.is_none_or(|most| length <= most)
    };
    fitting.iter().find(fits).or(fitting.first()).map(|leaf| picked(leaf)).ok_or(Failure::Kind)
}

fn by_keys<'s>(fitting: &[&Leaf<'s>], node: &Node) -> Result<Picked<'s>, Failure<'s>> {
    if let [only] = fitting {
        return Ok(picked(only));
    }
    if let Some(key) = tag(fitting) {
        return by_tag(fitting, key, node);
    }
    let present = |keys: &[&str]| keys.iter().filter(|key| node.get(key).is_some()).count();
    let rank = |leaf: &Leaf<'s>| {
        let required = leaf.shape.required();
        let found = present(&required);
        (found == required.len(), found, present(&leaf.shape.property_names()))
    };
    // `max_by_key` would prefer the last of equals; readers of the schema expect the first.
    let best = fitting.iter().rev().max_by_key(|leaf| rank(leaf)).ok_or(Failure::Kind)?;
    let (complete, found, known) = rank(best);
    if !complete && found == 0 && known == 0 {
        return Err(Failure::Keys(unique(fitting.iter().flat_map(|leaf| leaf.shape.required()))));
    }
    Ok(Picked { schema: best.schema, rivals: rivals(best, fitting, node) })
}

fn rivals<'s>(best: &Leaf<'s>, fitting: &[&Leaf<'s>], node: &Node) -> Vec<(&'s str, &'s str)> {
    let Some(chosen) = best.shape.required().into_iter().find(|key| node.get(key).is_some()) else {
        return Vec::new();
    };
    let own = best.shape.property_names();
    let others = unique(fitting.iter().flat_map(|leaf| leaf.shape.required()));
    others.into_iter().filter(|key| !own.contains(key)).map(|rival| (rival, chosen)).collect()
}

/// The property that has texts of its own in each branch, such as `kind`.
fn tag<'s>(fitting: &[&Leaf<'s>]) -> Option<&'s str> {
    let names = fitting.first()?.shape.property_names();
    names.into_iter().find(|key| {
        let mut seen = Vec::new();
        fitting.iter().all(|leaf| {
            let own = constants(leaf, key);
            let new = !own.is_empty() && !own.iter().any(|text| seen.contains(text));
            seen.extend(own);
            new
        })
    })
}

fn constants<'s>(leaf: &Leaf<'s>, key: &str) -> Vec<&'s str> {
    let property = leaf.shape.property(key);
    property.map(|schema| Shape::of(leaf.shape.root, schema, None).listed_texts()).unwrap_or_default()
}

fn by_tag<'s>(fitting: &[&Leaf<'s>], key: &'s str, node: &Node) -> Result<Picked<'s>, Failure<'s>> {
    let given = node.get(key).and_then(|entry| entry.node.text());
    let named = given.and_then(|text| fitting.iter().find(|leaf| constants(leaf, key).contains(&text)));
    let accepted = || fitting.iter().flat_map(|leaf| constants(leaf, key)).collect();
    named.map(|leaf| picked(leaf)).ok_or_else(|| Failure::Tag { key, accepted: accepted() })
}
