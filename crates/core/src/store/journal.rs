//! [`Journal`]: which nodes were written last.

use std::sync::Arc;

use super::NodeKey;

/// At least so many writes are remembered.
const LENGTH: usize = 64;

/// Remembers the last writes of nodes, so that two states can be compared
/// without a look at all nodes.
///
/// INVARIANT: of two journals with a revision in common, all that came before
/// it is the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    /// The revision before the first write that is remembered.
    start: u64,
    /// Revisions and what was written with them, oldest first.
    writes: Arc<Vec<(u64, NodeKey)>>,
}

impl Journal {
    /// Returns a number that is another after every write.
    pub(crate) fn revision(&self) -> u64 {
        self.writes
            .last()
            .map_or(self.start, |(revision, _)| *revision)
    }

    /// Notes a write with a revision that is greater than all before.
    pub(super) fn note(&mut self, revision: u64, node: NodeKey) {
        let writes = Arc::make_mut(&mut self.writes);
        if writes.len() >= 2 * LENGTH
            && let Some((last, _)) = writes.drain(..LENGTH).next_back()
        {
            self.start = last;
        }
        writes.push((revision, node));
    }

    /// Returns the nodes that may differ between two states, some of them more
    /// than once; nothing if that is no longer known.
    pub(crate) fn differences<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = NodeKey> + 'a> {
        let (mut own, mut others) = (self.writes.len(), other.writes.len());
        loop {
            let (revision, of_other) = (self.before(own), other.before(others));
            if revision == of_other {
                let writes = self.writes[own..].iter().chain(&other.writes[others..]);
                return Some(writes.map(|(_, node)| *node));
            }
            let later = if revision > of_other {
                &mut own
            } else {
                &mut others
            };
            *later = later.checked_sub(1)?;
        }
    }

    /// Returns the revision before a write.
    fn before(&self, place: usize) -> u64 {
        let before = place.checked_sub(1).and_then(|last| self.writes.get(last));
        before.map_or(self.start, |(revision, _)| *revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Catalog;

    fn differences(one: &Journal, other: &Journal) -> Option<Vec<usize>> {
        let nodes = one.differences(other)?;
        Some(nodes.map(NodeKey::index).collect())
    }

    #[test]
    fn states_are_compared_from_where_they_parted() {
        let mut catalog = Catalog::default();
        let [a, b] = ["a", "b"].map(|name| catalog.node(&name.into()));
        let mut one = Journal::default();
        assert_eq!(differences(&one, &one), Some(vec![]));
        let first = one.clone();
        one.note(3, a);
        let mut other = one.clone();
        assert_eq!(differences(&first, &other), Some(vec![0]));
        one.note(4, b);
        other.note(7, a);
        assert_eq!(differences(&one, &other), Some(vec![1, 0]));
        assert_eq!(differences(&other, &one), Some(vec![0, 1]));
        assert_eq!((one.revision(), other.revision()), (4, 7));
        assert_eq!(differences(&one, &first), Some(vec![0, 1]));
    }

    #[test]
    fn what_was_long_ago_is_not_known() {
        let mut catalog = Catalog::default();
        let node = catalog.node(&"a".into());
        let mut journal = Journal::default();
        let first = journal.clone();
        for revision in 1..=128 {
            journal.note(revision, node);
        }
        assert_eq!(
            differences(&first, &journal).map(|list| list.len()),
            Some(128)
        );
        let last = journal.clone();
        journal.note(129, node);
        assert_eq!(differences(&first, &journal), None);
        assert_eq!(differences(&last, &journal), Some(vec![0]));
        assert_eq!(journal.revision(), 129);
    }
}
