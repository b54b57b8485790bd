//! [`Groups`]: devices that are near each other.

/// Joins devices to groups, but for those that are told to be far apart.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    count: usize,
    /// The group of each device, which is the number of its first.
    group: Vec<usize>,
    /// Which groups must not become one, by the numbers of both.
    apart: Vec<bool>,
}

impl Groups {
    /// Returns so many devices, each by itself.
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            group: (0..count).collect(),
            apart: vec![false; count * count],
        }
    }

    /// Returns the group of each device.
    pub(super) fn of_each(&self) -> &[usize] {
        &self.group
    }

    /// Forgets what was far apart, and learns which pairs are.
    pub(super) fn forbid(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        self.apart.fill(false);
        for (a, b) in pairs {
            let (Some(&a), Some(&b)) = (self.group.get(a), self.group.get(b)) else {
                continue;
            };
            self.set(a, b);
        }
    }

    /// Joins the groups of each pair, unless any two of their devices are far apart.
    ///
    /// Time: a look at each pair, and a step for each device and join.
    pub(super) fn join(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        for (a, b) in pairs {
            let (Some(&a), Some(&b)) = (self.group.get(a), self.group.get(b)) else {
                continue;
            };
            if a != b && !self.is_apart(a, b) {
                self.unite(a.min(b), a.max(b));
            }
        }
    }

    fn unite(&mut self, into: usize, from: usize) {
        for group in &mut self.group {
            if *group == from {
                *group = into;
            }
        }
        for other in 0..self.count {
            if self.is_apart(from, other) {
                self.set(into, other);
            }
        }
    }

    fn is_apart(&self, a: usize, b: usize) -> bool {
        self.apart.get(a * self.count + b).copied().unwrap_or(false)
    }

    fn set(&mut self, a: usize, b: usize) {
        for place in [a * self.count + b, b * self.count + a] {
            if let Some(apart) = self.apart.get_mut(place) {
                *apart = true;
            }
        }
    }
}
