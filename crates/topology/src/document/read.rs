//! Reading a document from JSON.

use super::Document;
use crate::error::{Code, Error};

const API_VERSION: &str = "dralloc.dev/v1alpha1";
const KIND: &str = "Topology";
/// Matrices that test data carries beside a document.
const BESIDE: &str = "expectedLevels";

impl Document {
    /// Reads a document from JSON text; a field that is not known is an error.
    ///
    /// Time and memory grow with the text only: nesting is limited by the JSON reader.
    /// What the fields mean together is for [`Topology::new`](crate::Topology::new) to check.
    ///
    /// # Errors
    ///
    /// [`Code::Malformed`] with the path of the field, and line and column in the
    /// message; [`Code::Invalid`] for another API version or kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc_topology::Document;
    ///
    /// let text = r#"{"apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
    ///     "spec": {"vertices": [{"id": "gpu0", "kind": "cpu"}]}}"#;
    /// let error = Document::read(text).unwrap_err();
    /// assert_eq!(error.path(), "spec.vertices[0].kind");
    /// assert!(error.message().starts_with("unknown variant `cpu`, expected one of `gpu`"));
    /// ```
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let mut track = serde_path_to_error::Track::new();
        let mut unknown = None;
        let document = {
            let reader = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
            let mut note = |path: serde_ignored::Path<'_>| {
                let path = written(&path);
                // An API server adds more to `metadata`.
                if path != BESIDE && !path.starts_with("metadata.") {
                    unknown.get_or_insert(path);
                }
            };
            serde_ignored::deserialize(reader, &mut note)
        };
        let document: Self = document.map_err(|error: serde_json::Error| {
            let path = track.path().to_string();
            let path = if path == "." { String::new() } else { path };
            Error::new(Code::Malformed, path, error.to_string())
        })?;
        if let Some(path) = unknown {
            let message = "unknown field, expected none of that name";
            return Err(Error::new(Code::Malformed, path, message));
        }
        reader
            .end()
            .map_err(|error| Error::new(Code::Malformed, "", error.to_string()))?;
        document.check_type()?;
        Ok(document)
    }

    fn check_type(&self) -> Result<(), Error> {
        for (path, found, expected) in [
            ("apiVersion", &self.api_version, API_VERSION),
            ("kind", &self.kind, KIND),
        ] {
            if found != expected {
                let message = format!("expected `{expected}`, found `{}`", found.escape_debug());
                return Err(Error::new(Code::Invalid, path, message));
            }
        }
        Ok(())
    }
}

/// Writes a path as those of other errors: `spec.links[0].b`.
fn written(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", written(parent)),
        Path::Map { parent, key } => match &*written(parent) {
            "" => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => written(parent),
    }
}
