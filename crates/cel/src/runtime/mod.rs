//! What values are and what can be done with them.

pub(crate) mod compare;
mod context;
mod value;

use crate::{ErrorKind, EvaluationError};

pub(crate) use context::Context;
pub(crate) use value::{List, Map, Network, Shared, Timestamp, Value};

/// A value or why there is none.
pub(crate) type Outcome<'a> = Result<Value<'a>, EvaluationError>;

pub(crate) fn no_such_overload() -> EvaluationError {
    EvaluationError::new(ErrorKind::NoSuchOverload, "no such overload")
}

/// The error of a value that Kubernetes crashes on as a map key.
pub(crate) fn unhashable(value: &Value<'_>) -> EvaluationError {
    EvaluationError::new(
        ErrorKind::Internal,
        format!(
            "internal error: hash of unhashable type `{}`",
            value.type_name()
        ),
    )
}

/// Characters of user's text that messages show.
const SHOWN: usize = 64;

/// Returns the start of a text for a message, with an ellipsis if it is cut.
pub(crate) fn excerpt(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]).into(),
        None => text.into(),
    }
}

/// Returns a message with its start and its end only, if it is long.
pub(crate) fn ends(message: &str) -> std::borrow::Cow<'_, str> {
    let count = message.chars().count();
    if count <= 4 * SHOWN {
        return message.into();
    }
    let start: String = message.chars().take(2 * SHOWN).collect();
    let end: String = message.chars().skip(count - SHOWN).collect();
    format!("{start}...{end}").into()
}

pub(crate) fn invalid(message: impl Into<Box<str>>) -> EvaluationError {
    EvaluationError::new(ErrorKind::InvalidArgument, message)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Value};

    /// Every instruction returns an outcome, so its size is worth a test.
    #[test]
    fn outcomes_are_as_small_as_values() {
        assert_eq!(size_of::<Value<'_>>(), 32);
        assert_eq!(size_of::<Outcome<'_>>(), 32);
    }
}
