//! What dralloc's selectors are known to lack.

/// Returns whether an error is about something that is known to be missing.
pub(crate) fn is_known(error: &str) -> bool {
    error.contains("time zones by name")
}
