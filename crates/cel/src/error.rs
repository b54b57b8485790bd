//! What can go wrong when an expression is compiled, and when it is evaluated.

use std::fmt;
use std::ops::Range;

/// An expression that Kubernetes would reject when it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompileError {
    /// What is wrong: one line, lower case.
    pub message: String,
    /// The bytes of the expression that the message is about.
    pub span: Range<usize>,
    /// Line of the start of the span, counted from 1.
    pub line: u32,
    /// Column of the start of the span in characters, counted from 1.
    pub column: u32,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
}

impl CompileError {
    /// Builds an error about the given bytes of `source`.
    pub(crate) fn new(source: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let mut start = span.start.min(source.len());
        while !source.is_char_boundary(start) {
            start -= 1;
        }
        let before = &source[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self {
            message: message.into(),
            span,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} at line {}, column {}",
            self.message, self.line, self.column
        )?;
        match &self.hint {
            Some(hint) => write!(formatter, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for CompileError {}

/// What sort of error ended an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A key that the map does not have, or an index outside the list.
    NoSuchKey,
    /// A value of a type that the function or operator does not take.
    NoSuchOverload,
    /// A bad argument: overflow, division by zero, text that does not parse.
    InvalidArgument,
    /// The result is not of the type that the expression must have.
    ResultType,
    /// The runtime cost went over the limit.
    CostLimit,
    /// Strings and lists made by the expression went over our limit on memory.
    MemoryLimit,
    /// An attribute of the device has no usable value.
    Attribute,
    /// A broken invariant of this crate.
    Internal,
}

/// An expression that failed on one device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluationError {
    /// What sort of error it is.
    pub kind: ErrorKind,
    /// What went wrong: one line, lower case.
    pub message: Box<str>,
}

impl EvaluationError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Box<str>>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for EvaluationError {}

impl EvaluationError {
    /// Builds the error of a device whose attribute `name` has no usable value;
    /// `reason` is [`SemverError`](crate::SemverError)'s text or "unsupported attribute value".
    #[must_use]
    pub fn attribute(name: &str, reason: &str) -> Self {
        Self::new(
            ErrorKind::Attribute,
            format!("attribute `{name}`: {reason}"),
        )
    }
}
