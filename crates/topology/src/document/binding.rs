//! [`AttributeMatch`]: which device a vertex is.

use serde::{Deserialize, Serialize};

/// Names a device by a value that it publishes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeMatch {
    /// Attribute, such as `resource.kubernetes.io/pciBusID`.
    pub attribute: String,
    /// Its value, a string.
    pub value: String,
}
