//! Plain values from and to JSON.

use dralloc::model::{AllocationResult, Amounts, Str};
use dralloc::wire::from_json_strict;
use dralloc::{Code, Error};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// As long as most answers are.
const USUAL: usize = 512;

/// Writes a value as JSON.
///
/// # Errors
///
/// [`Code::Internal`] if it has no form, which no value of the engine should have.
pub fn text(value: &impl Serialize) -> Result<String, Error> {
    let mut text = Vec::with_capacity(USUAL);
    let written = serde_json::to_writer(&mut text, value).map_err(|error| error.to_string());
    let text = written.and_then(|()| String::from_utf8(text).map_err(|error| error.to_string()));
    text.map_err(|error| {
        let message = format!("the answer cannot be written: {error}");
        Error::new(Code::Internal, message)
    })
}

#[derive(Serialize)]
struct ErrorForm<'a> {
    code: &'a str,
    message: &'a str,
    path: &'a str,
    scope: &'static str,
}

/// Writes an error under the name of a code: `code`, `message`, `path` and `scope`
/// (`request` or `node`).
pub fn error(code: &str, error: &Error) -> String {
    let form = ErrorForm {
        code,
        message: error.message(),
        path: error.path(),
        scope: error.scope().as_str(),
    };
    // Texts alone always have a form.
    serde_json::to_string(&form).unwrap_or_default()
}

/// Reads a value, and refuses what it does not know.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    from_json_strict(json).map_err(|fault| fault.error)
}

/// Reads an allocation, as it is in `status.allocation` of a claim.
///
/// # Errors
///
/// [`Code::Malformed`] and [`Code::UnknownField`].
pub fn allocation(json: &str) -> Result<AllocationResult, Error> {
    read(json)
}

/// Reads a list of allocations.
///
/// # Errors
///
/// [`Code::Malformed`] and [`Code::UnknownField`].
pub fn allocations(json: &str) -> Result<Vec<AllocationResult>, Error> {
    read(json)
}

/// Reads a list of names.
///
/// # Errors
///
/// [`Code::Malformed`].
pub fn names(json: &str) -> Result<Vec<Str>, Error> {
    read(json)
}

/// Reads amounts of a node, such as `{"cpu": "500m"}`.
///
/// # Errors
///
/// [`Code::Malformed`].
pub fn amounts(json: &str) -> Result<Amounts, Error> {
    read(json)
}
