//! [`Kind`]: what claims see of a node, apart from what is held.

use std::sync::{Arc, Weak};

use crate::number::number;
use crate::outcome::StopCause;
use crate::solver::OneRequest;
use crate::store::NodeView;

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

impl Kind {
    pub(super) fn new(view: &Arc<NodeView>, blocks: &[u32], is_detailed: bool) -> Self {
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
pub(super) fn blocks(view: &NodeView) -> Vec<u32> {
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
