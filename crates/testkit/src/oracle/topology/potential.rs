//! What free devices are still good for.

use std::collections::BTreeSet;

use dralloc_topology::VertexKind;

use super::{Machine, wide};

/// How often jobs of a size come.
const MIX: [(usize, i128); 5] = [(1, 45), (2, 25), (3, 5), (4, 20), (6, 5)];

impl Machine {
    /// Returns the potential of free devices: of each size the greatest sum of qualities
    /// of disjoint sets.
    pub(super) fn potential(&self, free: &BTreeSet<usize>) -> i128 {
        if let Some(known) = self.potentials.borrow().get(free) {
            return *known;
        }
        let found = self.find_potential(free);
        self.potentials.borrow_mut().insert(free.clone(), found);
        found
    }

    fn find_potential(&self, free: &BTreeSet<usize>) -> i128 {
        let all: Vec<usize> = self.here(VertexKind::Gpu).into_iter().collect();
        let free: Vec<usize> = free.iter().copied().collect();
        let sum = MIX.into_iter().map(|(size, weight)| {
            let best = subsets(&all, size)
                .into_iter()
                .filter(|set| self.is_allowed(set))
                .map(|set| self.fabric.rings(&set))
                .reduce(|one, other| {
                    if one.0 * other.1 < other.0 * one.1 {
                        other
                    } else {
                        one
                    }
                });
            let quality = |set: &[usize]| match best {
                _ if !self.is_allowed(set) => 0,
                _ if size == 1 => 1000,
                Some((above, below)) if above > 0 => {
                    let (own, part) = self.fabric.rings(set);
                    1000 * own * below / (part * above)
                }
                _ => 0,
            };
            weight * wide(size) * packed(&free, size, &quality)
        });
        sum.sum()
    }

    fn is_allowed(&self, set: &[usize]) -> bool {
        let set: BTreeSet<usize> = set.iter().copied().collect();
        self.allowed.as_ref().is_none_or(|sets| sets.contains(&set))
    }
}

/// Returns the greatest sum over disjoint sets: the first device is in one of them or in none.
fn packed(free: &[usize], size: usize, quality: &dyn Fn(&[usize]) -> i128) -> i128 {
    let Some((first, rest)) = free.split_first().filter(|_| free.len() >= size) else {
        return 0;
    };
    let mut most = packed(rest, size, quality);
    for others in subsets(rest, size - 1) {
        let mut set = vec![*first];
        set.extend(&others);
        let own = quality(&set);
        if own > 0 {
            let left: Vec<usize> = rest
                .iter()
                .filter(|one| !others.contains(one))
                .copied()
                .collect();
            most = most.max(own + packed(&left, size, quality));
        }
    }
    most
}

fn subsets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    let Some((first, rest)) = of.split_first().filter(|_| size > 0) else {
        return if size == 0 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let mut with = subsets(rest, size - 1);
    for set in &mut with {
        set.insert(0, *first);
    }
    with.extend(subsets(rest, size));
    with
}
