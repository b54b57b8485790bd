//! [`Criterion`]: what sets of a table are compared by.

use std::fmt;

use super::Term;

/// Compares sets: by a term, or by what a caller knows of them.
#[derive(Clone, Copy)]
pub enum Criterion<'c> {
    /// What the table knows.
    Term(Term),
    /// What a set costs, as a mask of devices; lower is better.
    Cost(&'c dyn Fn(u16) -> i64),
}

impl From<Term> for Criterion<'_> {
    fn from(term: Term) -> Self {
        Self::Term(term)
    }
}

impl fmt::Debug for Criterion<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term(term) => fmt::Debug::fmt(term, formatter),
            Self::Cost(_) => formatter.write_str("Cost"),
        }
    }
}
