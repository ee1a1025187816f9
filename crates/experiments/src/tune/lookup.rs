//! Values of a scenario by their keys.

use serde_json::Value;

/// The value at a key such as `team.robots.gold.at`; list items by index or name, as with `--set`.
pub(super) fn look_up<'a>(scenario: &'a Value, key: &str) -> Option<&'a Value> {
    key.split('.').map(str::trim).try_fold(scenario, |value, part| match value {
        Value::Object(map) => map.get(part),
        Value::Array(items) => match part.parse::<usize>() {
            Ok(index) => items.get(index),
            Err(_) => items.iter().find(|item| item.get("name").and_then(Value::as_str) == Some(part)),
        },
        _ => None,
    })
}

/// Sets the value at a key that exists or of which only the last part is missing; false if that is impossible.
pub(super) fn put(scenario: &mut Value, key: &str, new: Value) -> bool {
    let (parents, last) = key.rsplit_once('.').map_or((None, key), |(parents, last)| (Some(parents), last));
    let mut value = scenario;
    for part in parents.into_iter().flat_map(|parents| parents.split('.')).map(str::trim) {
        let next = match value {
            Value::Object(map) => map.get_mut(part),
            Value::Array(items) => match part.parse::<usize>() {
                Ok(index) => items.get_mut(index),
                Err(_) => {
                    items.iter_mut().find(|item| item.get("name").and_then(Value::as_str) == Some(part))
                }
            },
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => return false,
        }
    }
    match value {
        Value::Object(map) => {
            map.insert(last.trim().to_string(), new);
            true
        }
        Value::Array(items) => match last.trim().parse::<usize>().ok().and_then(|index| items.get_mut(index))
        {
            Some(item) => {
                *item = new;
                true
            }
            None => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_found_by_key_number_and_name() {
        let mut scenario = json!({"team": {"robots": [{"name": "gold", "at": [1, 2]}]}, "list": [1, 2]});
        assert_eq!(look_up(&scenario, "team.robots.gold.at.1"), Some(&json!(2)));
        assert_eq!(look_up(&scenario, "list.5"), None);
        assert_eq!(look_up(&scenario, "team.robots.blue"), None);
        assert!(put(&mut scenario, "team.robots.gold.at", json!("x")));
        assert!(put(&mut scenario, "list.1", json!(7)) && !put(&mut scenario, "list.9", json!(7)));
        assert!(put(&mut scenario, "new", json!(1)) && !put(&mut scenario, "no.such.key", json!(1)));
        assert_eq!(scenario["team"]["robots"][0]["at"], "x");
        assert_eq!((&scenario["list"], &scenario["new"]), (&json!([1, 7]), &json!(1)));
    }
}
