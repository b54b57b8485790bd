//! [`Amount`]: a number, or the least and the most of several nodes.

use std::fmt;

/// Is a number that many nodes have in common, or a range; prints as `3` or `1 to 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Amount {
    pub(super) fn of(number: usize) -> Self {
        Self {
            least: number,
            most: number,
        }
    }

    /// Returns whether it is this number everywhere.
    pub(super) fn is(self, number: usize) -> bool {
        self == Self::of(number)
    }

    /// Adds what is so on other nodes.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = self;
        if least == most {
            write!(formatter, "{least}")
        } else {
            write!(formatter, "{least} to {most}")
        }
    }
}
