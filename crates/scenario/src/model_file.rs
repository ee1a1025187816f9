//! Models that scenarios name. As with maps, the resolved scenario contains the model itself.

use crewlab_learn::{MOST_BYTES, Model};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Reads a model file, relative to a folder.
pub(super) fn read(name: &str, folder: &Path) -> Result<Value, String> {
    let path = folder.join(name);
    let wrong = |why: String| format!("the model `{name}` cannot be read: {why}");
    let size = fs::metadata(&path).map_err(|error| wrong(error.to_string()))?.len();
    if size > MOST_BYTES as u64 {
        return Err(wrong(format!("it has {size} bytes, and at most {MOST_BYTES} are accepted")));
    }
    let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let model = Model::from_json(&text).map_err(|error| wrong(error.to_string()))?;
    serde_json::to_value(model).map_err(|error| wrong(error.to_string()))
}
