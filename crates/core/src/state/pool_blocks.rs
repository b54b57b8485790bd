//! [`PoolBlocks`]: where the devices of a pool are.

use std::sync::Arc;

/// Lists the blocks of a pool with devices that were ever held, in order.
///
/// Most pools have one block, which needs no memory of its own: a commit writes
/// to a pool, and copies those that share its page.
#[derive(Clone, Debug, Default)]
pub(super) enum PoolBlocks {
    #[default]
    None,
    One(u32),
    Many(Arc<Vec<u32>>),
}

impl PoolBlocks {
    pub(super) fn as_slice(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }

    pub(super) fn insert(&mut self, block: u32) {
        let Err(place) = self.as_slice().binary_search(&block) else {
            return;
        };
        match self {
            Self::None => *self = Self::One(block),
            Self::One(other) => {
                let mut both = vec![*other];
                both.insert(place, block);
                *self = Self::Many(Arc::new(both));
            }
            Self::Many(blocks) => Arc::make_mut(blocks).insert(place, block),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_listed_once_and_in_order() {
        let mut blocks = PoolBlocks::default();
        assert!(blocks.as_slice().is_empty());
        let inserts: [(u32, &[u32]); 6] = [
            (5, &[5]),
            (5, &[5]),
            (3, &[3, 5]),
            (9, &[3, 5, 9]),
            (3, &[3, 5, 9]),
            (4, &[3, 4, 5, 9]),
        ];
        for (block, listed) in inserts {
            blocks.insert(block);
            assert_eq!(blocks.as_slice(), listed);
        }
    }
}
