//! Reading a document from JSON.

use super::Document;
use crate::error::{Code, Error};

const API_VERSION: &str = "dralloc.dev/v1alpha1";
const KIND: &str = "Topology";

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
        let document: Self = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let path = error.path().to_string();
            let path = if path == "." { String::new() } else { path };
            Error::new(Code::Malformed, path, error.into_inner().to_string())
        })?;
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
