//! [`Error`]: bad input and broken invariants.

use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// Says what is wrong with an input, where, and whom it affects.
///
/// That something does not fit is an outcome, never an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", PathPrefix(path))]
pub struct Error {
    code: Code,
    message: String,
    path: String,
    scope: Scope,
}

/// Is written with code, message, path and scope.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Error", 4)?;
        form.serialize_field("code", self.code.as_str())?;
        form.serialize_field("message", &self.message)?;
        form.serialize_field("path", &self.path)?;
        form.serialize_field("scope", self.scope.as_str())?;
        form.end()
    }
}

/// Prints a path and a colon, or nothing for the root.
struct PathPrefix<'a>(&'a str);

impl fmt::Display for PathPrefix<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(formatter, "{}: ", self.0)
        }
    }
}

impl From<dralloc_topology::Error> for Error {
    fn from(error: dralloc_topology::Error) -> Self {
        use dralloc_topology::Code as Of;
        let code = match error.code() {
            Of::Malformed => Code::Malformed,
            Of::Duplicate => Code::Duplicate,
            Of::NotFound => Code::NotFound,
            Of::Unsupported => Code::Unsupported,
            Of::LimitExceeded => Code::LimitExceeded,
            _ => Code::Invalid,
        };
        Self::new(code, error.message()).at(error.path())
    }
}

impl Error {
    /// Returns an error about a whole input, with scope [`Scope::Request`].
    ///
    /// A message is one line: control characters of what it quotes are written as escapes.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: in_one_line(message.into()),
            path: String::new(),
            scope: Scope::Request,
        }
    }

    /// Returns the error with the path of the field that is wrong,
    /// such as `claims[0].spec.devices.requests[1].exactly.count`.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Returns the error with a prefix before its path.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.path = match (prefix, self.path.as_str()) {
            ("", path) => path.to_owned(),
            (prefix, "") => prefix.to_owned(),
            (prefix, path) if path.starts_with('[') => format!("{prefix}{path}"),
            (prefix, path) => format!("{prefix}.{path}"),
        };
        self
    }

    /// Returns the error as one that affects a single node.
    #[must_use]
    pub fn on_node(mut self) -> Self {
        self.scope = Scope::Node;
        self
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the field that is wrong; empty for the whole input.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns whom the error affects.
    pub fn scope(&self) -> Scope {
        self.scope
    }
}

/// Writes control characters as escapes, such as `\n`.
fn in_one_line(message: String) -> String {
    if !message.contains(char::is_control) {
        return message;
    }
    let mut line = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_debug());
        } else {
            line.push(character);
        }
    }
    line
}

/// Classifies errors; the names are stable and printed by [`Code::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The text is not an object of the expected shape.
    Malformed,
    /// A field is unknown, and the caller asked for strictness.
    UnknownField,
    /// A value is not allowed by the API.
    Invalid,
    /// Two things have one name.
    Duplicate,
    /// A named thing does not exist.
    NotFound,
    /// A kind of selector, request, constraint or mode is not known here.
    Unsupported,
    /// The input needs a feature that is switched off.
    FeatureDisabled,
    /// A size limit of the API is exceeded.
    LimitExceeded,
    /// A CEL expression does not compile.
    CelCompile,
    /// A CEL expression fails on a device.
    CelEvaluation,
    /// An attribute of a device has no usable value.
    Attribute,
    /// An amount cannot be computed.
    Capacity,
    /// A node selector is malformed.
    NodeSelector,
    /// A pool is incomplete or contradicts itself.
    Pool,
    /// An object changed meanwhile.
    Conflict,
    /// An invariant of dralloc is broken: a bug.
    Internal,
}

impl Code {
    /// All codes, for tables of other languages.
    pub const ALL: [Self; 16] = [
        Self::Malformed,
        Self::UnknownField,
        Self::Invalid,
        Self::Duplicate,
        Self::NotFound,
        Self::Unsupported,
        Self::FeatureDisabled,
        Self::LimitExceeded,
        Self::CelCompile,
        Self::CelEvaluation,
        Self::Attribute,
        Self::Capacity,
        Self::NodeSelector,
        Self::Pool,
        Self::Conflict,
        Self::Internal,
    ];

    /// Returns the stable name of the code.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::UnknownField => "unknown-field",
            Self::Invalid => "invalid",
            Self::Duplicate => "duplicate",
            Self::NotFound => "not-found",
            Self::Unsupported => "unsupported",
            Self::FeatureDisabled => "feature-disabled",
            Self::LimitExceeded => "limit-exceeded",
            Self::CelCompile => "cel-compile",
            Self::CelEvaluation => "cel-evaluation",
            Self::Attribute => "attribute",
            Self::Capacity => "capacity",
            Self::NodeSelector => "node-selector",
            Self::Pool => "pool",
            Self::Conflict => "conflict",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Says whom an error affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The pod or call: no node can help.
    Request,
    /// One node; others may do.
    Node,
}

impl Scope {
    /// Returns the stable name: `request` or `node`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Node => "node",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_whatever_they_quote() {
        for (message, expected) in [
            ("no node `é`", "no node `é`"),
            ("no node `a\nb`", "no node `a\\nb`"),
            (
                "no node `\u{1b}[2K\u{7f}\u{85}`",
                "no node `\\u{1b}[2K\\u{7f}\\u{85}`",
            ),
        ] {
            assert_eq!(Error::new(Code::NotFound, message).message(), expected);
        }
    }
}
