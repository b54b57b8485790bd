//! [`Fields`]: the sums of a key as one number.

use super::tree::Tree;
use super::{Code, Error};

/// Says where in a number the sums of a key stand, the most important one on top:
/// domains by level, loss, and what is left.
///
/// Each field has room for the sum over the whole tree, so that adding numbers adds the
/// fields, and comparing numbers compares lists of fields.
#[derive(Debug)]
pub(super) struct Fields {
    /// By level, 0 unused.
    shifts: Vec<u32>,
    left_bits: u32,
}

impl Fields {
    pub(super) fn new(tree: &Tree) -> Result<Self, Error> {
        let bits = |most: u64| u64::BITS - most.leading_zeros();
        let (mut potential, mut free) = (0_u64, 0_u64);
        let mut domains = vec![0_u64; tree.levels + 2];
        for node in tree.nodes.iter().skip(1) {
            potential = potential.saturating_add(node.potential(0));
            free = free.saturating_add(u64::from(node.free));
            if let Some(count) = domains.get_mut(node.level) {
                *count += 1;
            }
        }
        let left_bits = bits(free);
        let mut shifts = vec![0; domains.len()];
        let mut next = left_bits + bits(potential);
        for (level, count) in domains.iter().enumerate().skip(1).rev() {
            shifts[level] = next;
            next += bits(*count);
        }
        // The largest number means that there is nothing.
        if next >= u128::BITS {
            let message = "expected fewer hosts on fewer levels";
            return Err(Error::new(Code::LimitExceeded, "hosts", message));
        }
        Ok(Self { shifts, left_bits })
    }

    fn shift(&self, level: usize) -> u32 {
        self.shifts.get(level).copied().unwrap_or(0)
    }

    /// Returns the value of domains of a level that give devices.
    pub(super) fn domains(&self, level: usize, count: u32) -> u128 {
        u128::from(count) << self.shift(level)
    }

    /// Returns the value of lost potential and of what is left.
    pub(super) fn rest(&self, loss: u64, left: u32) -> u128 {
        (u128::from(loss) << self.left_bits) + u128::from(left)
    }

    /// Returns the fields of a value down to the domains of a level.
    pub(super) fn down_to(&self, value: u128, level: usize) -> u128 {
        value >> self.shift(level)
    }

    /// Returns how many domains of a level a value counts.
    pub(super) fn count(&self, value: u128, level: usize) -> u32 {
        let above = match level {
            0 | 1 => 0,
            _ => self.down_to(value, level - 1) << (self.shift(level - 1) - self.shift(level)),
        };
        u32::try_from(self.down_to(value, level) - above).unwrap_or(u32::MAX)
    }

    /// Returns lost potential and what is left.
    pub(super) fn loss_and_left(&self, value: u128) -> (u64, u64) {
        let hosts = self.shifts.len() - 1;
        let below = value - (self.down_to(value, hosts) << self.shift(hosts));
        let loss = below >> self.left_bits;
        let left = below - (loss << self.left_bits);
        let narrow = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        (narrow(loss), narrow(left))
    }
}
