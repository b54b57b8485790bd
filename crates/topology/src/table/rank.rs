//! The sets of a size, the most promising first.

use std::cmp::{Ordering, Reverse};

use super::Table;
use crate::watch::Watch;

/// The steps that a bound of rings takes, and to put a set in its order.
const STEPS_OF_A_BOUND: u64 = 8;

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
    pub(super) fn ranked<W: Watch>(
        &self,
        count: usize,
        watch: &mut W,
    ) -> Result<&[Ranked], W::Stop> {
        let Some(ranks) = self.ranks.get(count) else {
            return Ok(&[]);
        };
        if let Some(ranked) = ranks.get() {
            return Ok(ranked);
        }
        let mut ranked: Vec<Ranked> = Vec::new();
        for set in self.choosable(count) {
            watch.steps(STEPS_OF_A_BOUND)?;
            ranked.push(self.rank(set));
        }
        watch.steps(STEPS_OF_A_BOUND * ranked.len() as u64)?;
        ranked.sort_unstable_by(|a, b| {
            let key = |ranked: &Ranked| (Reverse(ranked.bound), Reverse(ranked.links));
            key(a).cmp(&key(b)).then_with(|| compare(a.set, b.set))
        });
        Ok(ranks.get_or_init(|| ranked))
    }

    /// Returns the sets of a size that may be chosen, as numbers ascending.
    pub(super) fn choosable(&self, count: usize) -> impl Iterator<Item = u16> {
        let allowed = self.shape.allowed.as_deref();
        let all = allowed.is_none().then(|| sets_of(self.len(), count));
        let of_size = move |set: &u16| set.count_ones() as usize == count;
        let allowed = allowed.into_iter().flatten().copied().filter(of_size);
        all.into_iter().flatten().chain(allowed)
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

/// Returns each set of `count` of `size` devices, by Gosper's rule.
fn sets_of(size: usize, count: usize) -> impl Iterator<Item = u16> {
    let end = 1_u32 << size;
    let first = (count <= size).then(|| (1_u32 << count) - 1);
    let next = move |&set: &u32| {
        let low = set & set.wrapping_neg();
        let next = set + low;
        let after = next | ((set ^ next) >> 2).checked_div(low)?;
        Some(after).filter(|&set| set < end)
    };
    let sets = std::iter::successors(first, next);
    sets.filter_map(|set| u16::try_from(set).ok())
}
