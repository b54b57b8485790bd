//! The parameters of a configuration that are a policy.

use serde::Deserialize;

use super::{from_json, from_json_strict};
use crate::error::{Code, Error};
use crate::model::{Json, PlacementPolicy};

const API_VERSION: &str = "dralloc.dev/v1alpha1";
const KIND: &str = "PlacementPolicy";

/// Says what an object is.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Head {
    api_version: String,
    kind: String,
}

/// Reads the policy in the parameters of a configuration whose driver is `dralloc.dev`.
///
/// The API server checks only that it is JSON, so nothing is passed over here.
///
/// # Errors
///
/// [`Code::Malformed`], [`Code::UnknownField`], or [`Code::Unsupported`] for
/// anything but a policy, with the path in the parameters.
///
/// # Examples
///
/// ```
/// use dralloc::{model::Json, wire};
///
/// let text = r#"{"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
///     "polcy": "pack"}"#;
/// let error = wire::placement_policy(Some(&Json::new(text.to_owned())?)).unwrap_err();
/// assert_eq!(error.to_string(), "polcy: unknown field `polcy` (did you mean `policy`)");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn placement_policy(parameters: Option<&Json>) -> Result<PlacementPolicy, Error> {
    let text = parameters.map_or("null", |parameters| parameters.as_str());
    if !text.trim_start().starts_with('{') {
        let message = "expected an object of kind `PlacementPolicy`, found none";
        return Err(Error::new(Code::Malformed, message));
    }
    let head: Head = from_json(text).map_err(|fault| fault.error)?;
    for (field, expected, found) in [
        ("apiVersion", API_VERSION, head.api_version),
        ("kind", KIND, head.kind),
    ] {
        if found != expected {
            let found = match &*found {
                "" => "none".to_owned(),
                found => format!("`{}`", found.escape_debug()),
            };
            let message = format!("expected `{expected}`, found {found}");
            return Err(Error::new(Code::Unsupported, message).at(field));
        }
    }
    from_json_strict(text).map_err(|fault| fault.error)
}
