//! [`DisjointSets`]: which numbers are connected, directly or through others.

/// Holds sets of numbers that have none in common, at first each number by itself.
///
/// A set is known by its smallest member, so that the order in which numbers were
/// joined does not matter.
#[derive(Debug)]
pub(crate) struct DisjointSets {
    /// One before it in its set, or itself.
    above: Vec<usize>,
    /// How many a set has, by its smallest member.
    sizes: Vec<usize>,
}

impl DisjointSets {
    /// Returns the sets of the numbers below a count.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            above: (0..count).collect(),
            sizes: vec![1; count],
        }
    }

    /// Returns the smallest member of the set of a number.
    pub(crate) fn first(&mut self, mut one: usize) -> usize {
        while self.above[one] != one {
            self.above[one] = self.above[self.above[one]];
            one = self.above[one];
        }
        one
    }

    /// Returns how many numbers are in the set with a smallest member.
    pub(crate) fn size(&self, first: usize) -> usize {
        self.sizes[first]
    }

    /// Makes the sets of two numbers one.
    pub(crate) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if one != other {
            self.sizes[one.min(other)] += self.sizes[one.max(other)];
            self.above[one.max(other)] = one.min(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DisjointSets;

    #[test]
    fn sets_are_known_by_their_smallest_members() {
        let mut sets = DisjointSets::new(6);
        sets.join(5, 3);
        sets.join(4, 5);
        sets.join(3, 4);
        sets.join(0, 2);
        let first: Vec<usize> = (0..6).map(|one| sets.first(one)).collect();
        assert_eq!(first, [0, 1, 0, 3, 3, 3]);
        assert_eq!([0, 1, 3].map(|first| sets.size(first)), [2, 1, 3]);
        sets.join(2, 4);
        assert_eq!((sets.first(5), sets.size(0)), (0, 5));
    }
}
