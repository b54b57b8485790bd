//! The set that the best partition gives.

use std::cmp::Reverse;

use super::PairScores;

/// No partition.
const NONE: u64 = u64::MAX;

impl PairScores {
    /// Returns the set of `count` of the free devices that the policy `best effort` is
    /// after, with the required ones; none where there is no such set.
    ///
    /// All free devices are parted into sets of `count` and one of what remains, one of them
    /// with `count` devices and all that are required; the partition with the greatest sum
    /// of scores counts, and of its sets of `count` devices with the required ones the one
    /// with the greatest score. Of equal partitions it is the one that the policy meets
    /// first, in the order of devices; of equal sets the first of the partition.
    ///
    /// The policy itself walks through all partitions, and may answer with the smaller set
    /// of what remains. Here it is a dynamic program over what is still to be parted: of 16
    /// devices at most 3 million steps.
    pub fn best_effort(&self, free: u16, required: u16, count: usize) -> Option<u16> {
        let all = u16::try_from((1_u32 << self.size) - 1).unwrap_or(u16::MAX);
        let free = free & all;
        let few = (free.count_ones() as usize) < count;
        if few || required & !free != 0 || required.count_ones() as usize > count {
            return None;
        }
        if count == 0 {
            return Some(0);
        }
        let partitions = Partitions::new(self.set_scores(), free, required, count);
        let sets = partitions.best()?.into_iter().enumerate();
        let full = sets.filter(|&(_, set)| partitions.is_wanted(set));
        let best = full.max_by_key(|&(place, set)| (partitions.score(set), Reverse(place)));
        best.map(|(_, set)| set)
    }
}

/// Has the best partitions of what may be left of some free devices.
struct Partitions {
    scores: Vec<u64>,
    free: u16,
    required: u16,
    count: usize,
    /// The greatest sum of scores of a partition, by what is parted: of any, and of those
    /// with a set that is wanted.
    any: Vec<u64>,
    with: Vec<u64>,
}

impl Partitions {
    fn new(scores: Vec<u64>, free: u16, required: u16, count: usize) -> Self {
        let mut partitions = Self {
            any: vec![NONE; scores.len()],
            with: vec![NONE; scores.len()],
            scores,
            free,
            required,
            count,
        };
        if let Some(any) = partitions.any.first_mut() {
            *any = 0;
        }
        let lists = partitions.lists();
        let most = partitions.empty(free);
        // From few devices to many: a subset has the lower number.
        let mut left = 0_u16;
        while left != free {
            left = left.wrapping_sub(free) & free;
            if [0, most].contains(&partitions.empty(left)) {
                partitions.part(left, &lists);
            }
        }
        partitions
    }

    /// Returns how many places of the sets that some devices need stay empty.
    fn empty(&self, left: u16) -> usize {
        let len = left.count_ones() as usize;
        len.next_multiple_of(self.count) - len
    }

    /// Returns the free sets by their first device and how many there are.
    fn lists(&self) -> Vec<Vec<u16>> {
        let sizes = [self.count, self.count - self.empty(self.free)];
        let mut lists = vec![Vec::new(); 16];
        let mut set = 0_u16;
        while set != self.free {
            set = set.wrapping_sub(self.free) & self.free;
            let fits = sizes.contains(&(set.count_ones() as usize));
            if let Some(list) = lists
                .get_mut(set.trailing_zeros() as usize)
                .filter(|_| fits)
            {
                list.push(set);
            }
        }
        lists
    }

    /// Finds the best partition of what is left.
    fn part(&mut self, left: u16, lists: &[Vec<u16>]) {
        let first = left & left.wrapping_neg();
        let rest = left & !first;
        let list = lists.get(left.trailing_zeros() as usize);
        let list = list.map_or(&[][..], Vec::as_slice);
        let (mut any, mut with) = (None, None);
        let mut weigh = |set: u16| {
            if let Some((of_any, of_with)) = self.after(left, set) {
                any = any.max(of_any);
                with = with.max(of_with);
            }
        };
        // Whatever are fewer: the sets with that device, or those inside of what is left.
        if list.len() < 1 << rest.count_ones() {
            for &set in list {
                if set & !left == 0 {
                    weigh(set);
                }
            }
        } else {
            let mut others = 0_u16;
            loop {
                weigh(others | first);
                if others == rest {
                    break;
                }
                others = others.wrapping_sub(rest) & rest;
            }
        }
        let place = usize::from(left);
        for (entry, value) in [(&mut self.any, any), (&mut self.with, with)] {
            if let (Some(entry), Some(value)) = (entry.get_mut(place), value) {
                *entry = value;
            }
        }
    }

    /// Returns the best sums of what is left with a set of it: of all partitions, and of
    /// those with a set that is wanted; none where it has some empty places, and not all.
    fn after(&self, left: u16, set: u16) -> Option<(Option<u64>, Option<u64>)> {
        let missing = self.count.checked_sub(set.count_ones() as usize)?;
        if ![0, self.empty(left)].contains(&missing) {
            return None;
        }
        let value = |of: &[u64], left: u16| {
            let value = of.get(usize::from(left)).copied();
            value.filter(|&value| value != NONE)
        };
        let own = self.score(set);
        let any = value(&self.any, left & !set);
        let with = if self.is_wanted(set) {
            any
        } else {
            value(&self.with, left & !set)
        };
        Some((any.map(|any| any + own), with.map(|with| with + own)))
    }

    fn score(&self, set: u16) -> u64 {
        self.scores.get(usize::from(set)).copied().unwrap_or(0)
    }

    /// Says whether a set can be the answer.
    fn is_wanted(&self, set: u16) -> bool {
        set.count_ones() as usize == self.count && self.required & !set == 0
    }

    /// Returns the sets of the first best partition.
    fn best(&self) -> Option<Vec<u16>> {
        let mut sets = Vec::new();
        let (mut left, mut found) = (self.free, false);
        while left != 0 {
            let set = self.first(left, found)?;
            found |= self.is_wanted(set);
            left &= !set;
            sets.push(set);
        }
        found.then_some(sets)
    }

    /// Returns the first set of the first best partition of what is left.
    fn first(&self, left: u16, found: bool) -> Option<u16> {
        let of = if found { &self.any } else { &self.with };
        let most = of.get(usize::from(left)).copied()?;
        let first = left & left.wrapping_neg();
        let rest = left & !first;
        let mut best: Option<u16> = None;
        let mut others = 0_u16;
        loop {
            let set = others | first;
            let value = self.after(left, set);
            let value = value.and_then(|(any, with)| if found { any } else { with });
            if value == Some(most) && best.is_none_or(|best| is_before(set, best)) {
                best = Some(set);
            }
            if others == rest {
                return best;
            }
            others = others.wrapping_sub(rest) & rest;
        }
    }
}

/// Says whether a set is met before another: empty places come after all devices.
fn is_before(set: u16, other: u16) -> bool {
    let differ = set ^ other;
    set & differ & differ.wrapping_neg() != 0
}
