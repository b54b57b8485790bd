//! [`Report`] collects errors; [`Path`] says where they are.

use std::collections::BTreeSet;
use std::fmt;

use crate::error::{Code, Error};

/// How many characters of a user's text an error repeats.
const QUOTED_CHARACTERS: usize = 80;

/// Is the place of a field, as a list that lives on the stack: it becomes a
/// text only when there is an error to report.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    segment: Segment<'a>,
}

#[derive(Clone, Copy)]
enum Segment<'a> {
    Field(&'a str),
    Index(usize),
    Key(&'a str),
}

impl<'a> Path<'a> {
    /// Returns the path of a field of the object itself.
    pub(super) fn root(field: &'a str) -> Self {
        Self {
            parent: None,
            segment: Segment::Field(field),
        }
    }

    /// Returns the path of a field; the name may have several parts.
    pub(super) fn field(&'a self, name: &'a str) -> Self {
        Self {
            parent: Some(self),
            segment: Segment::Field(name),
        }
    }

    /// Returns the path of an item of a list.
    pub(super) fn index(&'a self, index: usize) -> Self {
        Self {
            parent: Some(self),
            segment: Segment::Index(index),
        }
    }

    /// Returns the path of an entry of a map.
    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Self {
            parent: Some(self),
            segment: Segment::Key(key),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No recursion: the list is walked backwards, then printed forwards.
        let mut segments = Vec::new();
        let mut next = Some(self);
        while let Some(path) = next {
            segments.push(path.segment);
            next = path.parent;
        }
        for (position, segment) in segments.iter().rev().enumerate() {
            match segment {
                Segment::Field(name) if position == 0 => formatter.write_str(name)?,
                Segment::Field(name) => write!(formatter, ".{name}")?,
                Segment::Index(index) => write!(formatter, "[{index}]")?,
                Segment::Key(key) => write!(formatter, "[{}]", Shortened(key))?,
            }
        }
        Ok(())
    }
}

/// Prints a user's text in backticks, on one line and cut where it is long.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", Shortened(self.0))
    }
}

/// Prints a user's text on one line and cut where it is long.
struct Shortened<'a>(&'a str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, character) in self.0.chars().enumerate() {
            if position == QUOTED_CHARACTERS {
                return formatter.write_str("...");
            }
            if character.is_control() {
                write!(formatter, "{}", character.escape_default())?;
            } else {
                write!(formatter, "{character}")?;
            }
        }
        Ok(())
    }
}

/// Is what is wrong with one value, without its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    code: Code,
    message: String,
}

impl Fault {
    /// Returns a value that the API does not allow.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self {
            code: Code::Invalid,
            message: message.into(),
        }
    }

    /// Returns a text that is too long.
    pub(super) fn too_long(limit: usize, text: &str) -> Self {
        let message = format!("expected at most {limit} bytes, found {}", text.len());
        Self {
            code: Code::LimitExceeded,
            message,
        }
    }
}

/// Collects errors with their places.
#[derive(Default)]
pub(super) struct Report {
    errors: Vec<Error>,
}

impl Report {
    /// Returns the errors in the order in which they were found.
    pub(super) fn into_errors(self) -> Vec<Error> {
        self.errors
    }

    /// Adds an error.
    pub(super) fn add(&mut self, code: Code, path: &Path<'_>, message: impl Into<String>) {
        self.errors
            .push(Error::new(code, message).at(path.to_string()));
    }

    /// Adds a value that the API does not allow.
    pub(super) fn invalid(&mut self, path: &Path<'_>, message: impl Into<String>) {
        self.add(Code::Invalid, path, message);
    }

    /// Adds a value that has to be there and is not.
    pub(super) fn required(&mut self, path: &Path<'_>, what: &str) {
        self.invalid(path, format!("expected {what}, found none"));
    }

    /// Adds a word that is not one of those that the API knows.
    pub(super) fn unsupported(&mut self, path: &Path<'_>, expected: &str, found: &str) {
        self.add(
            Code::Unsupported,
            path,
            format!("expected {expected}, found {}", Quoted(found)),
        );
    }

    /// Adds a field that has no effect because a feature is off, where
    /// the API needs one that has.
    pub(super) fn disabled(&mut self, path: &Path<'_>, gate: &str) {
        self.add(
            Code::FeatureDisabled,
            path,
            format!("expected feature `{gate}` to be on"),
        );
    }

    /// Adds the fault of a check, if there is one, and returns whether there was none.
    pub(super) fn check(&mut self, path: &Path<'_>, outcome: Result<(), Fault>) -> bool {
        match outcome {
            Ok(()) => true,
            Err(fault) => {
                self.add(fault.code, path, fault.message);
                false
            }
        }
    }

    /// Checks the size of a list or map. `false` tells the caller to leave the
    /// items alone: their number is what hostile input is made of.
    pub(super) fn size(&mut self, path: &Path<'_>, limit: usize, found: usize, what: &str) -> bool {
        if found <= limit {
            return true;
        }
        let message = format!("expected at most {limit} {what}, found {found}");
        self.add(Code::LimitExceeded, path, message);
        false
    }

    /// Adds the items of a list whose name an earlier item has.
    pub(super) fn unique<'n>(
        &mut self,
        path: &Path<'_>,
        what: &str,
        names: impl Iterator<Item = &'n str>,
    ) {
        let mut seen = BTreeSet::new();
        for (index, name) in names.enumerate() {
            if !seen.insert(name) {
                let message = format!("duplicate {}, expected each {what} once", Quoted(name));
                self.add(Code::Duplicate, &path.index(index), message);
            }
        }
    }
}
