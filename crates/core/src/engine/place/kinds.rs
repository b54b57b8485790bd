//! [`Kinds`]: what is known of nodes between calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::kind::{self, Texts};
use crate::claims::{PreparedClaims, WeakClaims};
use crate::eligible::Verdicts;
use crate::number::number;
use crate::outcome::StopCause;
use crate::solver::OneRequest;
use crate::store::{Inventory, Journal, NodeKey, NodeView, Seen};

/// So many claims are remembered, those that were asked about last.
const MAX_CLAIMS: usize = 16;

/// So many ways to see shared pools are remembered.
const MAX_LAST: usize = 4;

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
    /// What was found out last about nodes that see the same.
    last: Vec<(Weak<Seen>, Row)>,
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

/// Is what claims see of a node, apart from what is held.
///
/// INVARIANT: the answers of two nodes of a kind can differ by what is held
/// alone, and in the names of node and devices.
#[derive(Debug)]
pub(super) struct Kind {
    /// Whether devices are held in parts or draw on budgets, so that more than
    /// which of them are held counts.
    pub(super) is_detailed: bool,
    /// By block of a node: the bits of its devices.
    pub(super) masks: Box<[u64]>,
    /// Where the bit of a device is, by its place.
    pub(super) bits: Box<[(u32, u32)]>,
    /// A node of the kind: what is compiled for it serves all.
    model: Weak<NodeView>,
    wish: Wish,
}

/// Is what is asked of nodes of a kind.
#[derive(Debug)]
enum Wish {
    /// Nobody has looked.
    Unknown,
    One(One),
    /// More than one request that depends on what is held alone.
    Other,
}

/// Is one request, and a node of a kind has what it needs if so many of some
/// devices are not held.
#[derive(Debug)]
pub(super) struct One {
    pub(super) request: OneRequest,
    /// The bits of the devices that it can have, by block.
    words: Box<[u64]>,
}

impl One {
    fn new(request: OneRequest, kind: &Kind) -> Self {
        let mut words = vec![0; kind.masks.len()];
        for device in &request.devices {
            if let Some((block, bit)) = kind.bits.get(*device as usize) {
                words[*block as usize] |= 1 << bit;
            }
        }
        Self {
            request,
            words: words.into(),
        }
    }

    /// Returns how many devices it can have.
    pub(super) fn free(&self, state: &[u64]) -> usize {
        let pairs = self.words.iter().zip(state);
        let free = pairs.map(|(word, held)| (word & !held).count_ones() as usize);
        free.sum()
    }
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
            last: Vec::new(),
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
    pub(super) fn text(&mut self, text: String) -> u32 {
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
        let row = self.row_of(view, claims, verdicts);
        if let Some(known) = self.rows.get_mut(node.index()) {
            *known = row;
            self.revisions[node.index()] = view.revision;
        }
        row
    }

    fn row_of(
        &mut self,
        view: &Arc<NodeView>,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Row {
        let seen = view.seen();
        let is_it =
            |(other, _): &&(Weak<Seen>, Row)| std::ptr::eq(other.as_ptr(), Arc::as_ptr(seen));
        if !view.differs_by_node
            && let Some((_, row)) = self.last.iter().find(is_it)
        {
            return *row;
        }
        let blocks = blocks(view);
        let row = match kind::describe(view, &blocks, claims, verdicts, &mut self.texts) {
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
        if !view.differs_by_node {
            self.last.truncate(MAX_LAST - 1);
            self.last.insert(0, (Arc::downgrade(seen), row));
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

impl Kind {
    fn new(view: &Arc<NodeView>, blocks: &[u32], is_detailed: bool) -> Self {
        let mut masks = vec![0; blocks.len()];
        let mut bits = Vec::with_capacity(view.devices.len());
        for entry in &view.devices {
            let block = place_of(blocks, entry.key.block());
            masks[block] |= entry.key.bit();
            bits.push((number(block), entry.key.bit().trailing_zeros()));
        }
        Self {
            is_detailed,
            masks: masks.into(),
            bits: bits.into(),
            model: Arc::downgrade(view),
            wish: Wish::Unknown,
        }
    }

    /// Returns a node of the kind, always the same as long as it is there.
    pub(super) fn model(&mut self, view: &Arc<NodeView>) -> Arc<NodeView> {
        self.model.upgrade().unwrap_or_else(|| {
            self.model = Arc::downgrade(view);
            Arc::clone(view)
        })
    }

    /// Returns the request, if there is one, and that is known.
    pub(super) fn one(&self) -> Option<&One> {
        match &self.wish {
            Wish::One(one) => Some(one),
            Wish::Unknown | Wish::Other => None,
        }
    }

    /// Finds out whether there is one request, unless that is known.
    ///
    /// # Errors
    ///
    /// If it is stopped before that is known.
    pub(super) fn look_for_one(
        &mut self,
        find: impl FnOnce() -> Result<Option<OneRequest>, StopCause>,
    ) -> Result<(), StopCause> {
        if matches!(self.wish, Wish::Unknown) {
            self.wish = match find()? {
                Some(request) => Wish::One(One::new(request, self)),
                None => Wish::Other,
            };
        }
        Ok(())
    }

    /// Returns whether a device of a node is held.
    pub(super) fn is_held(&self, device: u32, state: &[u64]) -> bool {
        self.bits.get(device as usize).is_some_and(|(block, bit)| {
            let word = state.get(*block as usize);
            word.is_some_and(|word| word >> bit & 1 == 1)
        })
    }
}

/// Returns the blocks of the devices of a node, in order of their first devices.
fn blocks(view: &NodeView) -> Vec<u32> {
    let mut blocks: Vec<u32> = Vec::new();
    for entry in &view.devices {
        let block = number(entry.key.block());
        if blocks.last() != Some(&block) && !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    blocks
}

/// Returns the place of a block in a list that has it.
pub(super) fn place_of(blocks: &[u32], block: usize) -> usize {
    let found = blocks.iter().position(|other| *other as usize == block);
    found.unwrap_or(0)
}
