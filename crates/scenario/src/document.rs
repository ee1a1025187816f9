//! Files other than scenarios, such as experiments, with the same checks and diagnostics.

use super::load::{in_order_of_text, read_source};
use super::problems::Problems;
use super::text::{Conformed, Diagnostic, SourceId, SourceMap, SpanIndex, conform, for_editors, parse};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::path::Path;

/// A file whose keys were checked, with the positions of its values.
#[derive(Clone, Debug)]
pub struct Document<T> {
    /// Its content, with quantities in SI units.
    pub value: T,
    spans: SpanIndex,
    sources: SourceMap,
    id: SourceId,
}

fn schema_of<T: JsonSchema>() -> Json {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

impl<T: JsonSchema + DeserializeOwned> Document<T> {
    /// Reads a file that should be `what`, e.g. `an experiment file`.
    pub fn read(path: &Path, what: &str) -> Result<Document<T>, Problems> {
        let mut sources = SourceMap::default();
        match Document::parts(path, what, &mut sources) {
            Ok((value, spans, id)) => Ok(Document { value, spans, sources, id }),
            Err(mut diagnostics) => {
                in_order_of_text(&mut diagnostics);
                Err(Problems { diagnostics, sources })
            }
        }
    }

    /// The schema of such files, for editors.
    pub fn schema() -> Json {
        for_editors(schema_of::<T>())
    }

    fn parts(
        path: &Path,
        what: &str,
        sources: &mut SourceMap,
    ) -> Result<(T, SpanIndex, SourceId), Vec<Diagnostic>> {
        let id = read_source(path, what, sources)?;
        let tree = parse(sources, id)?;
        let Conformed { value, diagnostics, spans } = conform(&tree, &schema_of::<T>());
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let value = serde_json::from_value(value);
        value.map(|value| (value, spans, id)).map_err(|error| {
            vec![Diagnostic::error(format!("the file cannot be used: {error}")).at(tree.span)]
        })
    }
}

impl<T> Document<T> {
    /// The source text.
    pub fn text(&self) -> &str {
        self.sources.text(self.id)
    }

    /// An error at the position of a value.
    pub fn error(&self, path: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.spans.find(path)).with_path(path)
    }

    /// All errors, ready to be shown.
    pub fn problems(&self, mut diagnostics: Vec<Diagnostic>) -> Problems {
        in_order_of_text(&mut diagnostics);
        Problems { diagnostics, sources: self.sources.clone() }
    }
}
