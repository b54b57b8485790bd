//! [`Kinds`]: what is known of nodes between calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::describe::{Description, Texts, describe};
use super::kind::{Kind, blocks};
use crate::claims::{PreparedClaims, WeakClaims};
use crate::eligible::Verdicts;
use crate::number::number;
use crate::store::{Inventory, Journal, NodeKey, NodeView, Seen};

/// So many claims are remembered, those that were asked about last.
const MAX_CLAIMS: usize = 16;

/// So many ways to see shared pools are remembered.
const MAX_SHARED: usize = 1024;

/// With more kinds or texts than this, all of some claims are forgotten before
/// the next call.
const MAX_KINDS: usize = 1 << 16;

/// Keeps the kinds of nodes for the claims that were asked about last.
#[derive(Debug, Default)]
pub(in crate::engine) struct Kinds {
    /// The last first.
    claims: Vec<KindsOfClaims>,
}

/// Keeps the kinds of nodes as some claims see them.
///
/// Nothing of it depends on what is held.
#[derive(Debug)]
pub(super) struct KindsOfClaims {
    claims: WeakClaims,
    /// Numbers of nodes are those of one engine.
    engine: Weak<()>,
    /// The state of nodes that the rows are right for.
    journal: Journal,
    rows: Vec<Row>,
    /// Revision of each node when its row was written.
    revisions: Vec<u64>,
    kinds: Vec<Kind>,
    numbers: BTreeMap<Vec<u32>, u32>,
    texts: Texts,
    /// The blocks of nodes with more or fewer than one.
    lists: Vec<u32>,
    /// What was found out about nodes that see the same, by its address, which
    /// is not given to another as long as it is remembered.
    shared: BTreeMap<usize, (Weak<Seen>, Row)>,
}

/// Is what is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Number of its kind, or one of the numbers above all kinds.
    kind: u32,
    /// The block of its devices; where they lie in several, where the list of
    /// these begins.
    pub(super) block: u32,
}

impl Row {
    /// Nobody has looked at the node.
    pub(super) const UNKNOWN: Self = Self {
        kind: u32::MAX,
        block: 0,
    };

    /// The node is not like others, or not there.
    pub(super) const OWN: Self = Self {
        kind: u32::MAX - 1,
        block: 0,
    };

    /// Returns the number of its kind; no kind has it if there is none.
    pub(super) fn kind(self) -> usize {
        self.kind as usize
    }
}

impl Kinds {
    /// Returns what is known for claims on the nodes of an engine as they are now.
    pub(super) fn of(
        &mut self,
        claims: &PreparedClaims,
        engine: &Arc<()>,
        inventory: &Inventory,
    ) -> &mut KindsOfClaims {
        let is_it = |one: &KindsOfClaims| {
            one.claims.address() == claims.address()
                && std::ptr::eq(one.engine.as_ptr(), Arc::as_ptr(engine))
        };
        let found = self.claims.iter().position(is_it);
        let place = found.unwrap_or_else(|| {
            self.claims.retain(|one| one.claims.is_there());
            self.claims.truncate(MAX_CLAIMS - 1);
            self.claims.push(KindsOfClaims::new(claims, engine));
            self.claims.len() - 1
        });
        self.claims[..=place].rotate_right(1);
        let first = &mut self.claims[0];
        if first.is_heavy() {
            *first = KindsOfClaims::new(claims, engine);
        }
        first.follow(inventory);
        first
    }
}

impl KindsOfClaims {
    fn new(claims: &PreparedClaims, engine: &Arc<()>) -> Self {
        Self {
            claims: claims.downgrade(),
            engine: Arc::downgrade(engine),
            journal: Journal::default(),
            rows: Vec::new(),
            revisions: Vec::new(),
            kinds: Vec::new(),
            numbers: BTreeMap::new(),
            texts: Texts::default(),
            lists: Vec::new(),
            shared: BTreeMap::new(),
        }
    }

    fn is_heavy(&self) -> bool {
        self.numbers.len().max(self.texts.len()) > MAX_KINDS
            || self.lists.len() > MAX_KINDS + 8 * self.rows.len()
    }

    /// Forgets what is known of nodes that were written.
    fn follow(&mut self, inventory: &Inventory) {
        let nodes = inventory.numbered();
        let journal = nodes.journal();
        if self.rows.len() < nodes.bound() {
            self.rows.resize(nodes.bound(), Row::UNKNOWN);
            self.revisions.resize(nodes.bound(), 0);
        }
        if journal.revision() == self.journal.revision() {
            return;
        }
        if let Some(written) = journal.differences(&self.journal) {
            for node in written {
                if let Some(row) = self.rows.get_mut(node.index()) {
                    *row = Row::UNKNOWN;
                }
            }
        } else {
            let mut cursor = nodes.cursor();
            let known = self.rows.iter_mut().zip(&self.revisions);
            for (index, (row, revision)) in known.enumerate() {
                let entry = cursor.get(index).and_then(Option::as_ref);
                if entry.is_none_or(|entry| entry.revision != *revision) {
                    *row = Row::UNKNOWN;
                }
            }
        }
        self.journal = journal.clone();
    }

    /// Returns what is known of nodes, by number.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns what is known of a node.
    pub(super) fn row(&self, node: NodeKey) -> Row {
        let row = self.rows.get(node.index());
        row.copied().unwrap_or(Row::UNKNOWN)
    }

    /// Returns whether only which devices are held tells nodes of a kind apart.
    pub(super) fn is_plain(&self, row: Row) -> bool {
        let kind = self.kinds.get(row.kind());
        kind.is_some_and(|kind| !kind.is_detailed)
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Returns the number of a text, from 1.
    pub(super) fn text(&self, text: String) -> u32 {
        self.texts.number(text)
    }

    /// Finds out what claims see of a node.
    pub(super) fn look(
        &mut self,
        node: NodeKey,
        view: &Arc<NodeView>,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Row {
        if let Some(row) = self.shared_row(view) {
            return self.set(node, view, row);
        }
        let described = self.describe(view, claims, verdicts);
        self.enter(node, view, described)
    }

    /// Returns what is known of nodes that see the same as this one.
    pub(super) fn shared_row(&self, view: &NodeView) -> Option<Row> {
        let address = shared_address(view)?;
        self.shared.get(&address).map(|(_, row)| *row)
    }

    /// Describes what claims see of a node.
    pub(super) fn describe(
        &self,
        view: &NodeView,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Option<Description> {
        describe(view, &blocks(view), claims, verdicts, &self.texts)
    }

    /// Notes what claims see of a node.
    pub(super) fn enter(
        &mut self,
        node: NodeKey,
        view: &Arc<NodeView>,
        described: Option<Description>,
    ) -> Row {
        let blocks = blocks(view);
        let row = match described {
            None => Row::OWN,
            Some(described) => {
                let next = number(self.numbers.len());
                let kind = *self.numbers.entry(described.words).or_insert(next);
                if kind == next {
                    self.kinds
                        .push(Kind::new(view, &blocks, described.is_detailed));
                }
                let block = if let [one] = blocks[..] {
                    one
                } else {
                    self.lists.extend(&blocks);
                    number(self.lists.len() - blocks.len())
                };
                Row { kind, block }
            }
        };
        if let Some(address) = shared_address(view) {
            if self.shared.len() >= MAX_SHARED {
                self.shared.clear();
            }
            let seen = Arc::downgrade(view.whole());
            self.shared.insert(address, (seen, row));
        }
        self.set(node, view, row)
    }

    pub(super) fn set(&mut self, node: NodeKey, view: &NodeView, row: Row) -> Row {
        if let Some(known) = self.rows.get_mut(node.index()) {
            *known = row;
            self.revisions[node.index()] = view.revision;
        }
        row
    }

    /// Returns the blocks of the devices of a node that has a kind.
    pub(super) fn blocks(&self, row: Row) -> impl Iterator<Item = u32> + '_ {
        let count = self
            .kinds
            .get(row.kind())
            .map_or(0, |kind| kind.masks.len());
        let start = row.block as usize;
        let list = if count == 1 {
            &[][..]
        } else {
            self.lists.get(start..start + count).unwrap_or_default()
        };
        let one = (count == 1).then_some(row.block);
        one.into_iter().chain(list.iter().copied())
    }

    pub(super) fn kind_mut(&mut self, kind: usize) -> Option<&mut Kind> {
        self.kinds.get_mut(kind)
    }
}

/// Returns the address of what a node sees, if nodes that see it are of one kind.
pub(super) fn shared_address(view: &NodeView) -> Option<usize> {
    let is_shared = !view.differs_by_node && view.twins.is_empty();
    is_shared.then(|| Arc::as_ptr(view.whole()).addr())
}
