//! [`Bitmap`]: a set of small numbers, such as places of devices.

use std::fmt;

const BITS: usize = u64::BITS as usize;

/// Is a set of numbers below a bound that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Bitmap {
    words: Box<[u64]>,
}

impl Bitmap {
    /// Returns an empty set of numbers below a bound.
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            words: vec![0; bound.div_ceil(BITS)].into(),
        }
    }

    /// Returns the set of all numbers below a bound.
    pub(crate) fn full(bound: usize) -> Self {
        let mut set = Self {
            words: vec![!0; bound.div_ceil(BITS)].into(),
        };
        if let (Some(last), rest @ 1..) = (set.words.last_mut(), bound % BITS) {
            *last = (1 << rest) - 1;
        }
        set
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words
            .get(number / BITS)
            .is_some_and(|word| word >> (number % BITS) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.words[number / BITS] |= 1 << (number % BITS);
    }

    pub(crate) fn remove(&mut self, number: usize) {
        self.words[number / BITS] &= !(1 << (number % BITS));
    }

    pub(crate) fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns how many numbers are in this set and not in the other.
    pub(crate) fn len_without(&self, other: &Self) -> usize {
        let pairs = self.words.iter().zip(&other.words);
        pairs
            .map(|(word, other)| (word & !other).count_ones() as usize)
            .sum()
    }

    /// Returns how many numbers from `start` on are in this set and not in the other.
    pub(crate) fn len_from_without(&self, start: usize, other: &Self) -> usize {
        let first = start / BITS;
        let mut count = 0;
        for (index, (word, other)) in self.words.iter().zip(&other.words).enumerate().skip(first) {
            let mask = if index == first {
                !0 << (start % BITS)
            } else {
                !0
            };
            count += (word & !other & mask).count_ones() as usize;
        }
        count
    }

    /// Returns the least number of the set from `start` on.
    pub(crate) fn next(&self, start: usize) -> Option<usize> {
        let first = start / BITS;
        let rest = self.words.get(first)? & (!0 << (start % BITS));
        if rest != 0 {
            return Some(first * BITS + rest.trailing_zeros() as usize);
        }
        let later = &self.words[first + 1..];
        let place = later.iter().position(|word| *word != 0)?;
        Some((first + 1 + place) * BITS + later[place].trailing_zeros() as usize)
    }

    /// Returns the numbers in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.iter_from(0)
    }

    /// Returns the numbers from `start` on in order.
    pub(crate) fn iter_from(&self, mut start: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::from_fn(move || {
            let number = self.next(start)?;
            start = number + 1;
            Some(number)
        })
    }

    /// Takes away all numbers below a bound.
    pub(crate) fn remove_below(&mut self, bound: usize) {
        let first = bound / BITS;
        for (index, word) in self.words.iter_mut().enumerate().take(first + 1) {
            *word &= if index == first {
                !0 << (bound % BITS)
            } else {
                0
            };
        }
    }

    /// Adds the numbers of other words, shifted by `first`.
    pub(crate) fn insert_words(&mut self, first: usize, words: &[u64]) {
        let (start, shift) = (first / BITS, first % BITS);
        for (index, word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
            self.words[start + index] |= word << shift;
            let carried = if shift == 0 {
                0
            } else {
                word >> (BITS - shift)
            };
            if carried != 0 {
                self.words[start + index + 1] |= carried;
            }
        }
    }

    /// Returns the set as words of 64 numbers each.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the memory that it takes, in words of 8 bytes.
    pub(crate) fn weight(&self) -> usize {
        self.words.len()
    }

    /// Takes away what is in the other set.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Takes away what is not in the other set.
    pub(crate) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds what is in the other set.
    pub(crate) fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }
}

impl fmt::Debug for Bitmap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> Bitmap {
        let mut set = Bitmap::new(130);
        for number in numbers {
            set.insert(*number);
        }
        set
    }

    #[test]
    fn full_sets_end_at_their_bound() {
        assert_eq!(Bitmap::full(0).len(), 0);
        assert_eq!(Bitmap::full(64).len(), 64);
        assert_eq!(Bitmap::full(130).len(), 130);
        assert!(!Bitmap::full(65).contains(65));
    }

    #[test]
    fn next_goes_over_words() {
        let set = set(&[0, 63, 64, 129]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(set.next(65), Some(129));
        assert_eq!(set.next(130), None);
        assert_eq!(set.next(1000), None);
    }

    #[test]
    fn words_are_inserted_at_any_place() {
        for first in [0, 1, 60, 63, 64, 65] {
            let mut all = Bitmap::new(130);
            all.insert_words(first, &[1 | 1 << 63, 0b10]);
            assert_eq!(
                all.iter().collect::<Vec<_>>(),
                [first, first + 63, first + 65]
            );
        }
        // Words without numbers may reach beyond the bound.
        let mut all = Bitmap::new(64);
        all.insert_words(63, &[1, 0, 0]);
        assert_eq!(all.iter().collect::<Vec<_>>(), [63]);
    }

    #[test]
    fn counts_respect_start_and_mask() {
        let (all, some) = (set(&[1, 2, 64, 65, 129]), set(&[2, 65]));
        assert_eq!(all.len_without(&some), 3);
        assert_eq!(all.len_from_without(2, &some), 2);
        assert_eq!(all.len_from_without(129, &some), 1);
        let mut rest = all.clone();
        rest.remove_below(65);
        assert_eq!(rest, set(&[65, 129]));
    }
}
