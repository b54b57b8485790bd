//! [`Set`]: devices of a node, in a few words.

const WORDS: usize = 4;

/// Is a set of devices of a node with at most [`Set::BOUND`] of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set([u64; WORDS]);

impl Set {
    /// Numbers from here on are in no set.
    pub(super) const BOUND: usize = WORDS * 64;

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Inserts the numbers from `start` on whose bits are set; all are below the bound.
    pub(super) fn insert_word(&mut self, start: usize, word: u64) {
        let (index, shift) = (start / 64, start % 64);
        self.0[index] |= word << shift;
        if shift != 0 && index + 1 < WORDS {
            self.0[index + 1] |= word >> (64 - shift);
        }
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns whether there are so many numbers in it; few are found fast.
    pub(super) fn has(&self, count: usize) -> bool {
        let mut rest = count;
        for word in self.0 {
            if word == 0 {
                continue;
            }
            let here = if rest == 1 {
                1
            } else {
                word.count_ones() as usize
            };
            if here >= rest {
                return true;
            }
            rest -= here;
        }
        rest == 0
    }

    /// Returns the words.
    pub(super) fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the least number from `start` on.
    pub(super) fn next(&self, start: usize) -> Option<usize> {
        let mut mask = !0 << (start % 64);
        for (index, word) in self.0.iter().enumerate().skip(start / 64) {
            let rest = word & mask;
            if rest != 0 {
                return Some(index * 64 + rest.trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }

    /// Returns what is in both, from `start` on.
    pub(super) fn both_from(&self, other: &Self, start: usize) -> Self {
        let mut both = Self::default();
        let mut mask = !0 << (start % 64);
        for index in start / 64..WORDS {
            both.0[index] = self.0[index] & other.0[index] & mask;
            mask = !0;
        }
        both
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
    }

    /// Takes out the numbers before a place.
    pub(super) fn remove_below(&mut self, start: usize) {
        *self = self.both_from(self, start);
    }

    /// Returns the numbers in order.
    pub(super) fn iter(self) -> Numbers {
        Numbers {
            rest: self,
            word: 0,
        }
    }
}

/// Returns the numbers of a [`Set`] in order.
pub(super) struct Numbers {
    rest: Set,
    /// The first word that may not be empty.
    word: usize,
}

impl Iterator for Numbers {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let word = self.rest.0.get_mut(self.word)?;
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> Set {
        let mut set = Set::default();
        for number in numbers {
            set.insert(*number);
        }
        set
    }

    #[test]
    fn sets_go_over_words() {
        let all = set(&[0, 63, 64, 129, 255]);
        assert_eq!(all.iter().collect::<Vec<_>>(), [0, 63, 64, 129, 255]);
        assert_eq!(
            (all.next(65), all.next(256), all.len()),
            (Some(129), None, 5)
        );
        assert_eq!(all.both_from(&set(&[0, 64, 255]), 64), set(&[64, 255]));
        assert_eq!(all.both_from(&all, 256), Set::default());
        assert!(all.has(0) && all.has(1) && all.has(5) && !all.has(6));
        assert!(Set::default().has(0) && !Set::default().has(1));
        let mut rest = all;
        rest.subtract(&set(&[63, 64]));
        assert_eq!(rest, set(&[0, 129, 255]));
        rest.intersect(&set(&[1, 129, 255]));
        assert_eq!(rest, set(&[129, 255]));
        for (start, word, expected) in [
            (0, 0b101, &[0, 2][..]),
            (63, 0b111, &[63, 64, 65]),
            (128, 1 << 63, &[191]),
            (250, 0b10_0001, &[250, 255]),
        ] {
            let mut inserted = Set::default();
            inserted.insert_word(start, word);
            assert_eq!(inserted, set(expected), "{start}");
        }
    }
}
