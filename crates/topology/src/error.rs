//! [`Error`] and [`Warning`]: what is wrong with a document, and what is odd in it.

use std::fmt;

/// Says what is wrong with an input, and where.
///
/// Code, message and path have the shape of the errors of package `dralloc`, and the
/// names of the codes are the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", Prefix(path))]
pub struct Error {
    code: Code,
    message: String,
    path: String,
}

impl Error {
    pub(crate) fn new(code: Code, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: path.into(),
        }
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the field that is wrong, such as `spec.links[0].b`; empty
    /// for the whole input.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Prints a path and a colon, or nothing for the root.
struct Prefix<'a>(&'a str);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(formatter, "{}: ", self.0)
        }
    }
}

/// Classifies errors; the names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The text is not an object of the expected shape.
    Malformed,
    /// A value is not allowed.
    Invalid,
    /// Two things have one name.
    Duplicate,
    /// A named thing does not exist.
    NotFound,
    /// What is asked for is not known here.
    Unsupported,
    /// A size limit is exceeded.
    LimitExceeded,
}

impl Code {
    /// Returns the stable name of the code, as package `dralloc` prints it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Invalid => "invalid",
            Self::Duplicate => "duplicate",
            Self::NotFound => "not-found",
            Self::Unsupported => "unsupported",
            Self::LimitExceeded => "limit-exceeded",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Says what is odd in a document that can be used all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    kind: Oddity,
    message: String,
    path: String,
}

impl Warning {
    pub(crate) fn new(kind: Oddity, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            path: path.into(),
        }
    }

    /// Returns what kind of oddity it is.
    pub fn kind(&self) -> Oddity {
        self.kind
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of what is odd.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", Prefix(&self.path), self.message)
    }
}

/// Classifies warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Oddity {
    /// Two reports of one link differ: the weaker counts.
    WeakerLink,
    /// The vertices fall into parts with no link between them.
    Islands,
    /// A vertex is in two places at once: the nearer one counts.
    TwoParents,
    /// Domains of one kind cut through those of another, so that they are no tree.
    Crossing,
}
