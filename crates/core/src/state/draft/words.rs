//! Which devices are held in a [`Draft`], a block in a word.

use std::ops::Range;

use super::Draft;
use crate::number::number;
use crate::store::{Cursor, DeviceKey, PoolKey};

/// Says which devices of a block are held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) block: usize,
    pub(super) pool: PoolKey,
    pub(super) held: u64,
}

/// Reads which devices of blocks are held.
#[derive(Debug)]
pub(crate) struct HeldWords<'a> {
    base: Cursor<'a, u64>,
    drafted: &'a [Word],
    /// Blocks between two that were written.
    gap: Range<usize>,
}

impl HeldWords<'_> {
    /// Returns which devices of a block are held.
    #[inline]
    pub(crate) fn of(&mut self, block: usize) -> u64 {
        // One comparison: below the gap it is a large number.
        if block.wrapping_sub(self.gap.start) >= self.gap.len()
            && let Some(word) = self.seek(block)
        {
            return word;
        }
        self.base.get(block).copied().unwrap_or(0)
    }

    /// Returns the word of a block that was written, or else finds the gap
    /// that the block is in.
    fn seek(&mut self, block: usize) -> Option<u64> {
        let word = |place: usize| self.drafted.get(place);
        match self.drafted.binary_search_by_key(&block, |word| word.block) {
            Ok(place) => word(place).map(|word| word.held),
            Err(place) => {
                let before = place.checked_sub(1).and_then(word);
                let start = before.map_or(0, |word| word.block + 1);
                let end = word(place).map_or(usize::MAX, |word| word.block);
                self.gap = start..end;
                None
            }
        }
    }
}

impl Draft {
    /// Returns which devices of a block are held.
    #[inline]
    pub(crate) fn held_word(&self, block: usize) -> u64 {
        match self.place(block) {
            Ok(place) => self.words[place].held,
            Err(_) => self.base.held_word(block),
        }
    }

    /// Returns what reads words of blocks that are near each other.
    pub(crate) fn held_words(&self) -> HeldWords<'_> {
        HeldWords {
            base: self.base.held_words(),
            drafted: &self.words,
            gap: 0..0,
        }
    }

    /// Returns which devices of a pool are held, if all of them are of one block.
    pub(crate) fn only_word(&self, pool: PoolKey, block: usize) -> Option<u64> {
        let mut base = self.base.blocks(pool).iter();
        let mut drafted = self.words.iter().filter(|word| word.pool == pool);
        let is_only =
            base.all(|other| *other as usize == block) && drafted.all(|word| word.block == block);
        is_only.then(|| self.held_word(block))
    }

    /// Returns the place of a block among those that were written, or that where it belongs.
    pub(super) fn place(&self, block: usize) -> Result<usize, usize> {
        self.words.binary_search_by_key(&block, |word| word.block)
    }

    /// Returns the held devices of a pool, in order.
    pub(crate) fn in_pool(&self, pool: PoolKey) -> impl Iterator<Item = DeviceKey> + '_ {
        self.blocks(pool)
            .into_iter()
            .flat_map(|block| DeviceKey::of_word(block, self.held_word(block)))
    }

    /// Returns how many devices of a pool are held.
    pub(crate) fn count_in_pool(&self, pool: PoolKey) -> usize {
        let base = self.base.blocks(pool);
        let of_base = base.iter().map(|block| self.held_word(*block as usize));
        let is_new = |word: &&Word| base.binary_search(&number(word.block)).is_err();
        let drafted = self.words.iter().filter(|word| word.pool == pool);
        let new = drafted.filter(is_new).map(|word| word.held);
        of_base
            .chain(new)
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    fn blocks(&self, pool: PoolKey) -> Vec<usize> {
        let base = self.base.blocks(pool).iter().map(|block| *block as usize);
        let drafted = self.words.iter().filter(|word| word.pool == pool);
        let mut blocks: Vec<usize> = base.chain(drafted.map(|word| word.block)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}
