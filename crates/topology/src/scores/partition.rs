//! The set that the best partition gives.

use std::cmp::Reverse;

use super::PairScores;

/// No partition: what is added to it leaves it below all sums.
const NONE: i64 = i64::MIN / 2;

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
        let full = sets.filter(|&(_, set)| partitions.role(set) == Role::Answer);
        let best = full.max_by_key(|&(place, set)| (partitions.score(set), Reverse(place)));
        best.map(|(_, set)| set)
    }
}

/// Has the best partitions of what may be left of some free devices.
struct Partitions {
    scores: Vec<u64>,
    free: u16,
    /// What each set of free devices can be in a partition.
    roles: Vec<Role>,
    /// The greatest sums of scores of what is parted.
    sums: Vec<Sums>,
}

/// Says what a set can be in a partition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It has neither size.
    None,
    /// It has `count` devices, or as many as remain.
    Part,
    /// It can be the answer too.
    Answer,
}

/// Has the greatest sum over all partitions, and over those with a set that can be the
/// answer.
#[derive(Clone, Copy)]
struct Sums {
    any: i64,
    with: i64,
}

impl Partitions {
    fn new(scores: Vec<u64>, free: u16, required: u16, count: usize) -> Self {
        let rest = free.count_ones() as usize % count;
        let role = |set: usize| {
            let set = u16::try_from(set).unwrap_or(u16::MAX);
            let len = set.count_ones() as usize;
            if set & !free != 0 || (len != count && (len != rest || rest == 0)) {
                Role::None
            } else if len == count && required & !set == 0 {
                Role::Answer
            } else {
                Role::Part
            }
        };
        let none = Sums {
            any: NONE,
            with: NONE,
        };
        let mut partitions = Self {
            free,
            roles: (0..scores.len()).map(role).collect(),
            sums: vec![none; scores.len()],
            scores,
        };
        if let Some(sums) = partitions.sums.first_mut() {
            sums.any = 0;
        }
        let mut by_first: Vec<Vec<u16>> = vec![Vec::new(); 16];
        for set in (1..=free).filter(|&set| partitions.role(set) != Role::None) {
            if let Some(list) = by_first.get_mut(set.trailing_zeros() as usize) {
                list.push(set);
            }
        }
        // From few devices to many: a subset has the lower number. The first device goes
        // with the first set, so nothing is ever left with it.
        let (first, mut left) = (free & free.wrapping_neg(), 0_u16);
        while left != free {
            left = left.wrapping_sub(free) & free;
            let over = left.count_ones() as usize % count;
            if (over == 0 || over == rest) && (left == free || left & first == 0) {
                let sums = partitions.part(left, &by_first);
                if let Some(entry) = partitions.sums.get_mut(usize::from(left)) {
                    *entry = sums;
                }
            }
        }
        partitions
    }

    fn role(&self, set: u16) -> Role {
        self.roles
            .get(usize::from(set))
            .copied()
            .unwrap_or(Role::None)
    }

    fn score(&self, set: u16) -> u64 {
        self.scores.get(usize::from(set)).copied().unwrap_or(0)
    }

    /// Returns the sums of what is left, by its first sets.
    fn part(&self, left: u16, by_first: &[Vec<u16>]) -> Sums {
        let mut sums = Sums {
            any: NONE,
            with: NONE,
        };
        let mut weigh = |set: u16| {
            if let Some(after) = self.after(left, set) {
                sums.any = sums.any.max(after.any);
                sums.with = sums.with.max(after.with);
            }
        };
        let first = left & left.wrapping_neg();
        let rest = left & !first;
        let list = by_first.get(left.trailing_zeros() as usize);
        let list = list.map_or(&[][..], Vec::as_slice);
        // Whatever are fewer: the sets with that device, or those inside of what is left.
        if list.len() < 1 << rest.count_ones() {
            for &set in list.iter().filter(|&&set| set & !left == 0) {
                weigh(set);
            }
        } else {
            each_within(rest, |others| weigh(others | first));
        }
        sums
    }

    /// Returns the sums of what is left with a first set of it; none where it can be none.
    fn after(&self, left: u16, set: u16) -> Option<Sums> {
        let role = self.role(set);
        if role == Role::None {
            return None;
        }
        let sums = self.sums.get(usize::from(left & !set))?;
        let own = i64::try_from(self.score(set)).unwrap_or(0);
        let with = if role == Role::Answer {
            sums.any
        } else {
            sums.with
        };
        Some(Sums {
            any: sums.any.saturating_add(own),
            with: with.saturating_add(own),
        })
    }

    /// Returns the sets of the first best partition.
    fn best(&self) -> Option<Vec<u16>> {
        let mut sets = Vec::new();
        let (mut left, mut found) = (self.free, false);
        while left != 0 {
            let set = self.first(left, found)?;
            found |= self.role(set) == Role::Answer;
            left &= !set;
            sets.push(set);
        }
        found.then_some(sets)
    }

    /// Returns the first set of the first best partition of what is left.
    fn first(&self, left: u16, found: bool) -> Option<u16> {
        let sum = |sums: Sums| if found { sums.any } else { sums.with };
        let most = sum(*self.sums.get(usize::from(left))?);
        if most < 0 {
            return None;
        }
        let first = left & left.wrapping_neg();
        let mut best: Option<u16> = None;
        each_within(left & !first, |others| {
            let set = others | first;
            let value = self.after(left, set).map(sum);
            if value == Some(most) && best.is_none_or(|best| is_before(set, best)) {
                best = Some(set);
            }
        });
        best
    }
}

/// Calls for each subset of a set, the empty one first.
fn each_within(set: u16, mut call: impl FnMut(u16)) {
    let mut subset = 0_u16;
    loop {
        call(subset);
        if subset == set {
            return;
        }
        subset = subset.wrapping_sub(set) & set;
    }
}

/// Says whether a set is met before another: empty places come after all devices.
fn is_before(set: u16, other: u16) -> bool {
    let differ = set ^ other;
    set & differ & differ.wrapping_neg() != 0
}
