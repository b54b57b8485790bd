//! [`Reasons`]: why claims do not fit on nodes, each asked once.

use std::collections::BTreeMap;

use dralloc::model::Str;
use dralloc::{AllocateOptions, NodeVerdict, PreparedClaims, Snapshot, Workspace};

use crate::cluster::question::Question;
use crate::reasons::Reason;

/// Explains, and remembers what it said as long as nothing changes.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    revision: u64,
    /// By number of the question, and node.
    known: BTreeMap<(usize, Str), Reason>,
}

impl Reasons {
    /// Returns why a question has no answer on a node.
    pub(super) fn explain(
        &mut self,
        (number, node): (usize, &Str),
        question: &Question,
        snapshot: &Snapshot,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Reason {
        if self.revision != snapshot.revision() {
            self.known.clear();
            self.revision = snapshot.revision();
        }
        let key = (number, node.clone());
        let explain = || match snapshot
            .transaction()
            .explain(node, claims, options, workspace)
        {
            Ok(explanation) => Reason::of(question, NodeVerdict::Unknown, &explanation),
            Err(error) => Reason::fault(question, &error),
        };
        self.known.entry(key).or_insert_with(explain).clone()
    }
}
