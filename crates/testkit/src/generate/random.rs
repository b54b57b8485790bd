//! [`Random`]: a small deterministic source of choices.

/// A splitmix64 sequence (Steele, Lea and Flood, 2014): 64 bits of state, every
/// seed good, the same numbers on every platform. Or else a sequence of choices
/// that were made elsewhere.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Choices to replay, the next one last.
    choices: Option<Vec<u8>>,
}

impl Random {
    /// Returns the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            choices: None,
        }
    }

    /// Returns the sequence that two bytes each give, and zeros after the last:
    /// what a fuzzer changes in the bytes changes single choices.
    pub fn replaying(choices: &[u8]) -> Self {
        Self {
            state: 0,
            choices: Some(choices.iter().rev().copied().collect()),
        }
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(choices) = &mut self.choices {
            let mut next = || u64::from(choices.pop().unwrap_or_default());
            return next() + 256 * next();
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.bits() % bound).unwrap_or_default()
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Returns true in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    ///
    /// # Panics
    ///
    /// Panics if there are none.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Brings items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn choices_are_replayed_until_there_are_none() {
        let mut random = Random::replaying(&[3, 1, 7]);
        assert_eq!(random.bits(), 259);
        assert_eq!(random.below(5), 2);
        assert_eq!(random.bits(), 0);
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items = [1, 2, 3, 4, 5];
        Random::new(7).shuffle(&mut items);
        items.sort_unstable();
        assert_eq!(items, [1, 2, 3, 4, 5]);
    }
}
