//! [`Finding`]: one thing that is wrong with an object, or may surprise.

use std::fmt;

use crate::cluster::ObjectName;
use crate::input::{Origin, Start};
use crate::words::counted;

/// Says how bad a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// An API server would refuse it, or it cannot be read.
    Fault,
    /// It is allowed, and does not do what its author wants.
    Warning,
    /// It is allowed, and may be meant.
    Hint,
}

impl Severity {
    pub(super) const ALL: [Self; 3] = [Self::Fault, Self::Warning, Self::Hint];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// Is one thing that was found; prints as ``Kind `name`: path: message``.
#[derive(Debug)]
pub(super) struct Finding<'c> {
    pub(super) severity: Severity,
    /// The stable name of what it is.
    pub(super) code: &'static str,
    /// None for what cannot be read.
    pub(super) object: Option<Object<'c>>,
    /// The field, from the top of the object.
    pub(super) path: String,
    pub(super) message: String,
    /// Where it is; none until it is looked up, and for what the input only implies.
    pub(super) origin: Option<Origin>,
}

/// Is the object that a finding is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'c> {
    pub(super) kind: &'static str,
    pub(super) name: &'c ObjectName,
    pub(super) start: Option<&'c Start>,
    /// How many more objects say the same.
    pub(super) others: usize,
}

impl Finding<'_> {
    /// Returns by what findings are in order: where they are, and then how bad.
    pub(super) fn order(&self) -> impl Ord + '_ {
        let place = self.origin.as_ref().map(|origin| {
            let position = origin.position;
            (&origin.file, position, origin.document)
        });
        (place, self.severity, &self.path, self.code, &self.message)
    }
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(object) = self.object {
            write!(formatter, "{} `{}`: ", object.kind, object.name)?;
        }
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        formatter.write_str(&self.message)?;
        match self.object {
            Some(Object { others, kind, .. }) if others > 0 => {
                let others = counted(others, &format!("more {kind}"));
                write!(formatter, " (and {others} like it)")
            }
            _ => Ok(()),
        }
    }
}
