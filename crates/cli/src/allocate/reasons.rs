//! Why claims do not fit on a node, in words.

use dralloc::model::Str;
use dralloc::{PreparedClaims, Snapshot};

use super::tally::Tally;

/// Adds the nodes that cannot satisfy claims.
pub(super) fn add(_: &Snapshot, _: &PreparedClaims, nodes: &[Str], tally: &mut Tally) {
    for node in nodes {
        tally.add(node, "does not fit");
    }
}
