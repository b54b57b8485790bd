//! What dralloc's selectors are known to lack.

/// Functions that are not there yet.
const FUNCTIONS: [&str; 9] = [
    "url",
    "isURL",
    "getScheme",
    "getHost",
    "getHostname",
    "getPort",
    "getEscapedPath",
    "getQuery",
    "format",
];

/// Returns whether a compile error is about something that is known to be missing.
pub(crate) fn is_known(error: &str) -> bool {
    error.contains("time zones by name")
        || error.contains("undeclared reference to `format.")
        || error.contains("undeclared reference to `validate`")
        || FUNCTIONS
            .iter()
            .any(|name| error.contains(&format!("undeclared reference to `{name}`")))
}
