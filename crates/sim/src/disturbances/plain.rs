//! Plain-data forms of values whose scenario syntax is not plain (untagged, flattened, with omitted keys), so that they can be
//! part of the state.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

#[derive(Serialize, Deserialize)]
enum Plain {
    Nothing,
    Truth(bool),
    Whole(u64),
    Below(i64),
    Real(f64),
    Text(String),
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
}

impl From<Value> for Plain {
    fn from(value: Value) -> Plain {
        match value {
            Value::Null => Plain::Nothing,
            Value::Bool(truth) => Plain::Truth(truth),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(whole), _) => Plain::Whole(whole),
                (None, Some(below)) => Plain::Below(below),
                (None, None) => Plain::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Plain::Text(text),
            Value::Array(list) => Plain::List(list.into_iter().map(Plain::from).collect()),
            Value::Object(map) => Plain::Map(map.into_iter().map(|(k, v)| (k, v.into())).collect()),
        }
    }
}

impl From<Plain> for Value {
    fn from(plain: Plain) -> Value {
        match plain {
            Plain::Nothing => Value::Null,
            Plain::Truth(truth) => truth.into(),
            Plain::Whole(whole) => whole.into(),
            Plain::Below(below) => below.into(),
            Plain::Real(real) => Number::from_f64(real).map_or(Value::Null, Value::Number),
            Plain::Text(text) => text.into(),
            Plain::List(list) => list.into_iter().map(Value::from).collect(),
            Plain::Map(map) => Value::Object(map.into_iter().map(|(k, v)| (k, v.into())).collect()),
        }
    }
}

pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(value).map_err(S::Error::custom)?;
    Plain::from(value).serialize(serializer)
}

pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let plain = Plain::deserialize(deserializer)?;
    serde_json::from_value(plain.into()).map_err(D::Error::custom)
}
