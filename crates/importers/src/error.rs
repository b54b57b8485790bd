//! [`Error`] and [`Warning`]: what is wrong with a text, and what is odd in it.

use std::fmt;

use dralloc_topology::Code;

use crate::text::Position;

/// Says what is wrong with a text, and where.
///
/// Line and column count from 1, the column in characters. The codes are those of
/// package `dralloc`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct Error {
    code: Code,
    message: String,
    position: Position,
}

impl Error {
    pub(crate) fn new(code: Code, position: Position, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            position,
        }
    }

    pub(crate) fn malformed(position: Position, message: impl Into<String>) -> Self {
        Self::new(Code::Malformed, position, message)
    }

    pub(crate) fn limit(position: Position, message: impl Into<String>) -> Self {
        Self::new(Code::LimitExceeded, position, message)
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the message, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the line, from 1.
    pub fn line(&self) -> usize {
        self.position.line
    }

    /// Returns the column in characters, from 1.
    pub fn column(&self) -> usize {
        self.position.column
    }
}

/// Says what is odd in a text that can be used all the same, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    message: String,
    position: Position,
}

impl Warning {
    /// Returns the message, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the line, from 1.
    pub fn line(&self) -> usize {
        self.position.line
    }

    /// Returns the column in characters, from 1.
    pub fn column(&self) -> usize {
        self.position.column
    }
}

/// Prints `line:column: message`.
impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.position, self.message)
    }
}

/// How many warnings of one text are told.
const MOST: usize = 50;

/// Collects warnings; a hostile text has as many as it has bytes.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    told: Vec<Warning>,
    more: usize,
}

impl Warnings {
    pub(crate) fn add(&mut self, position: Position, message: impl Into<String>) {
        if self.told.len() < MOST {
            let message = message.into();
            self.told.push(Warning { message, position });
        } else {
            self.more += 1;
        }
    }

    /// Returns the warnings in the order of the text; the last says how many were left out.
    pub(crate) fn into_vec(mut self) -> Vec<Warning> {
        let place = |warning: &Warning| (warning.line(), warning.column());
        self.told.sort_by_key(place);
        if let (Some(last), true) = (self.told.last(), self.more > 0) {
            let message = format!("{} more warnings are left out", self.more);
            let position = last.position;
            self.told.push(Warning { message, position });
        }
        self.told
    }
}
