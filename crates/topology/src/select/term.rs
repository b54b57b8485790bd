//! [`Term`]: what makes one set better than another.

use std::fmt;
use std::str::FromStr;

use crate::error::{Code, Error};
use crate::validate::quoted;

/// Is one measure by which sets are compared; an objective is a list of them, of which
/// a later one counts where all before it are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// More rings are better ([`Topology::ring`](crate::Topology::ring)).
    Ring,
    /// More links are better ([`Topology::links`](crate::Topology::links)).
    Links,
    /// A nearer worst pair is better, by its level
    /// ([`Topology::bottleneck`](crate::Topology::bottleneck)).
    Bottleneck,
    /// A nearer common domain is better ([`Topology::span`](crate::Topology::span)).
    Span,
    /// More potential of what stays free is better: [`Table`](crate::Table) and
    /// [`Knapsack`](crate::Knapsack) say of what.
    Packing,
}

impl Term {
    /// The usual order: rings, then links, then what is left for others.
    ///
    /// Best of those tried over 18,000 simulated jobs each on a `DGX-1`, a box of bridged
    /// pairs and an `MI250X` host.
    pub const USUAL: [Self; 3] = [Self::Ring, Self::Links, Self::Packing];

    /// Returns the name of the term, as objectives have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Links => "links",
            Self::Bottleneck => "bottleneck",
            Self::Span => "span",
            Self::Packing => "packing",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Term {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [
            Self::Ring,
            Self::Links,
            Self::Bottleneck,
            Self::Span,
            Self::Packing,
        ];
        all.into_iter()
            .find(|term| term.as_str() == text)
            .ok_or_else(|| {
                let message = format!(
                    "expected one of `ring`, `links`, `bottleneck`, `span`, `packing`, found {}",
                    quoted(text)
                );
                Error::new(Code::Unsupported, "", message)
            })
    }
}
