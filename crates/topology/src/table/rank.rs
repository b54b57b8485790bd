//! The sets of a size, the most promising first.

use std::cmp::{Ordering, Reverse};

use super::Table;

/// Is a set with an upper bound of its rings, and its links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) bound: u64,
    pub(super) links: u32,
    pub(super) set: u16,
}

impl Table {
    /// Returns the sets of a size that may be chosen: those that can have more rings
    /// first, then those with more links, then in order.
    pub(super) fn ranked(&self, count: usize) -> &[Ranked] {
        let Some(ranks) = self.ranks.get(count) else {
            return &[];
        };
        ranks.get_or_init(|| {
            let mut ranked: Vec<Ranked> = Vec::new();
            match &self.shape.allowed {
                Some(allowed) => {
                    let fitting = allowed
                        .iter()
                        .filter(|set| set.count_ones() as usize == count);
                    ranked.extend(fitting.map(|&set| self.rank(set)));
                }
                None => each_set(self.len(), count, |set| ranked.push(self.rank(set))),
            }
            ranked.sort_unstable_by(|a, b| {
                let key = |ranked: &Ranked| (Reverse(ranked.bound), Reverse(ranked.links));
                key(a).cmp(&key(b)).then_with(|| compare(a.set, b.set))
            });
            ranked
        })
    }

    fn rank(&self, set: u16) -> Ranked {
        Ranked {
            bound: self.ring_bound(set),
            links: self.links.get(usize::from(set)).copied().unwrap_or(0),
            set,
        }
    }
}

/// Compares two sets of one size in the order of their devices.
pub(super) fn compare(a: u16, b: u16) -> Ordering {
    let differ = a ^ b;
    let first = differ & differ.wrapping_neg();
    match (a & first != 0, differ) {
        (_, 0) => Ordering::Equal,
        (true, _) => Ordering::Less,
        (false, _) => Ordering::Greater,
    }
}

/// Calls for each set of `count` of `size` devices, by Gosper's rule.
pub(super) fn each_set(size: usize, count: usize, mut call: impl FnMut(u16)) {
    if count > size {
        return;
    }
    let end = 1_u32 << size;
    let mut set = (1_u32 << count) - 1;
    while set < end {
        if let Ok(set) = u16::try_from(set) {
            call(set);
        }
        if set == 0 {
            return;
        }
        let low = set & set.wrapping_neg();
        let next = set + low;
        set = next | (((set ^ next) >> 2) / low);
    }
}
