//! [`Lanes`]: a small vector of small numbers in one word.

use crate::number::number;

const WIDTH: u32 = 16;
/// The upper bit of each lane, which no number uses.
const HIGH: u128 = 0x8000_8000_8000_8000_8000_8000_8000_8000;

/// Holds a number for each of [`Lanes::COUNT`] needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lanes(u128);

impl Lanes {
    pub(super) const COUNT: usize = 8;

    /// The largest number; two of them still leave the upper bit alone.
    pub(super) const MOST: usize = 0x3fff;

    /// Returns a vector with one number in a lane; larger ones are cut off.
    pub(super) fn at(lane: usize, number: usize) -> Self {
        let number = number.min(Self::MOST) as u128;
        Self(number << shift(lane))
    }

    /// Returns the vector that has the largest number in each lane.
    pub(super) fn full() -> Self {
        Self(0x3fff_3fff_3fff_3fff_3fff_3fff_3fff_3fff)
    }

    pub(super) fn get(self, lane: usize) -> usize {
        usize::try_from((self.0 >> shift(lane)) & 0x7fff).unwrap_or(0)
    }

    /// Returns whether no lane of the other vector has more.
    pub(super) fn covers(self, other: Self) -> bool {
        // A lane borrows from its own upper bit, which is gone then.
        ((self.0 | HIGH) - other.0) & HIGH == HIGH
    }

    /// Returns the sum, each lane cut off at that of a vector of limits.
    pub(super) fn plus(self, other: Self, limit: Self) -> Self {
        Self(self.0 + other.0).least(limit)
    }

    /// Returns the lesser of each lane.
    pub(super) fn least(self, other: Self) -> Self {
        let (lanes, others) = (self.0, other.0);
        let over = ((lanes | HIGH) - others) & HIGH;
        let mask = over - (over >> (WIDTH - 1));
        Self((others & mask) | (lanes & !mask))
    }

    /// Returns the greater of each lane.
    pub(super) fn most(self, other: Self) -> Self {
        let (lanes, others) = (self.0, other.0);
        let over = ((lanes | HIGH) - others) & HIGH;
        let mask = over - (over >> (WIDTH - 1));
        Self((lanes & mask) | (others & !mask))
    }

    /// Returns what is left of each lane when another vector, which it covers, is taken.
    pub(super) fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// Returns whether all lanes are zero.
    pub(super) fn is_zero(self) -> bool {
        self.0 == 0
    }
}

fn shift(lane: usize) -> u32 {
    WIDTH * number(lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: [usize; Lanes::COUNT]) -> Lanes {
        let lanes = numbers.into_iter().enumerate();
        lanes.fold(Lanes::default(), |sum, (lane, number)| {
            sum.most(Lanes::at(lane, number))
        })
    }

    #[test]
    fn lanes_do_not_touch() {
        let one = vector([0, 1, 2, 3, 0x3fff, 0, 7, 0x3fff]);
        let other = vector([1, 1, 1, 4, 0x3fff, 0, 8, 0x3ffe]);
        assert_eq!(one.least(other), vector([0, 1, 1, 3, 0x3fff, 0, 7, 0x3ffe]));
        assert_eq!(one.most(other), vector([1, 1, 2, 4, 0x3fff, 0, 8, 0x3fff]));
        let limit = vector([1, 1, 9, 6, 0x3fff, 0, 15, 0x3fff]);
        assert_eq!(
            one.plus(other, limit),
            vector([1, 1, 3, 6, 0x3fff, 0, 15, 0x3fff])
        );
        assert!(one.covers(one) && !one.covers(other) && !other.covers(one));
        assert!(limit.covers(other) && limit.covers(one));
        assert_eq!(limit.minus(one), vector([1, 0, 7, 3, 0, 0, 8, 0]));
        let numbers: Vec<usize> = (0..Lanes::COUNT).map(|lane| one.get(lane)).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 0x3fff, 0, 7, 0x3fff]);
    }
}
