//! [`Edge`]: what joins two vertices, once.

use crate::document::LinkType;
use crate::rate::Rate;

/// Is the link of one type between two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) link_type: LinkType,
    /// How many links are bonded.
    pub(crate) count: u32,
    /// Rate per direction of all of them, where it is known.
    pub(crate) rate: Option<Rate>,
}

impl Edge {
    /// Returns what two reports of one link leave: the fewer bonded links, at the
    /// slower rate.
    pub(crate) fn weaker(self, other: Self) -> Self {
        let count = self.count.min(other.count);
        let part = |edge: Self| edge.rate.map(|rate| rate.part(count, edge.count));
        let rate = match (part(self), part(other)) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        };
        Self {
            count,
            rate,
            ..self
        }
    }
}
