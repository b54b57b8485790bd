//! Why a text is not a quantity.

/// Tells which part of a text kept it from being a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text is empty.
    Empty,
    /// The text is longer than [`MAX_TEXT_LENGTH`](crate::MAX_TEXT_LENGTH).
    TooLong,
    /// A character stands where none of its kind may.
    Malformed,
    /// The number before the suffix has no digits.
    Number,
    /// The suffix is none of those Kubernetes knows.
    Suffix,
    /// The value reaches 10^[`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE).
    Magnitude,
}

/// Reports a text that is not a quantity.
///
/// The message is one line and names what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    kind: ParseErrorKind,
    message: String,
}

/// How much of a refused text a message repeats, in characters.
const QUOTED_LENGTH: usize = 64;

impl ParseError {
    pub(crate) fn new(kind: ParseErrorKind, text: &str, expected: &str) -> Self {
        let message = if text.is_empty() {
            format!("empty quantity: expected {expected}")
        } else {
            format!("invalid quantity `{}`: expected {expected}", quoted(text))
        };
        Self { kind, message }
    }

    /// Returns which part of the text was at fault.
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the message, one line that says what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Shortens a text and escapes what would break the line.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED_LENGTH {
            out.push_str("...");
            break;
        }
        if character.is_control() || character == '`' {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}
