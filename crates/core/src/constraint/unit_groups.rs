//! [`UnitGroups`]: devices can be cut into equal groups, each in one domain.

/// Keeps how many devices of each request are in each domain.
///
/// The devices of a group are in one domain, and each device is in one. So a domain with
/// `c` devices of a request that has `r` in a group needs `c / r` groups, rounded up, and
/// the most of that over its requests; a device may join while all domains together need
/// no more groups than there are. In the end each request has `r` devices for each group,
/// and sums that are equal have equal parts: no group is left open.
#[derive(Debug, Default)]
pub(crate) struct UnitGroups {
    groups: usize,
    /// By request: how many devices a group has.
    counts: Vec<usize>,
    /// By request of the question, its place among those with groups.
    members: Vec<Option<usize>>,
    /// By device, its domain.
    domains: Vec<Option<usize>>,
    /// By domain, by request.
    picked: Vec<Vec<usize>>,
    /// By domain, the wider one that may have one group only; none where nothing is known
    /// of it, so that groups have none in common.
    apart: Option<Vec<Option<usize>>>,
    order: Vec<(usize, usize)>,
}

impl UnitGroups {
    /// Returns one with nothing picked: how many groups there are, what a group has of
    /// each request that is a member, the place of each request among the members, the
    /// domain of each device, and the wider ones that may have one group only.
    pub(crate) fn new(
        groups: usize,
        (counts, members): (Vec<usize>, Vec<Option<usize>>),
        domains: Vec<Option<usize>>,
        apart: Option<Vec<Option<usize>>>,
    ) -> Self {
        let count = domains.iter().flatten().max().map_or(0, |last| last + 1);
        Self {
            groups,
            picked: vec![vec![0; counts.len()]; count],
            counts,
            members,
            domains,
            apart,
            order: Vec::new(),
        }
    }

    fn member(&self, request: usize) -> Option<usize> {
        self.members.get(request).copied().flatten()
    }

    /// Returns the domain of a device.
    pub(crate) fn domain(&self, device: usize) -> Option<usize> {
        self.domains.get(device).copied().flatten()
    }

    /// Returns whether a device of a request may join.
    pub(crate) fn admits(&self, request: usize, device: usize) -> bool {
        let (Some(domain), Some(member)) = (self.domain(device), self.member(request)) else {
            return false;
        };
        let needed = (0..self.picked.len()).map(|place| {
            let more = (place == domain).then_some(member);
            self.needed(place, more)
        });
        let needed: Vec<usize> = needed.collect();
        if needed.iter().sum::<usize>() > self.groups {
            return false;
        }
        let Some(apart) = &self.apart else {
            return true;
        };
        let Some(own) = apart.get(domain).copied().flatten() else {
            return true;
        };
        let beside = apart.iter().zip(&needed);
        let beside = beside.filter(|(place, _)| **place == Some(own));
        beside.map(|(_, needed)| needed).sum::<usize>() <= 1
    }

    /// Returns how many groups a domain needs, with one more device of a request.
    fn needed(&self, domain: usize, more: Option<usize>) -> usize {
        let picked = self.picked.get(domain).into_iter().flatten();
        let groups = picked.zip(&self.counts).enumerate();
        let groups = groups.map(|(request, (picked, count))| {
            let picked = picked + usize::from(more == Some(request));
            picked.div_ceil((*count).max(1))
        });
        groups.max().unwrap_or(0)
    }

    /// Lets a device of a request join.
    pub(crate) fn add(&mut self, request: usize, device: usize) {
        if let (Some(domain), Some(member)) = (self.domain(device), self.member(request))
            && let Some(picked) = self.picked_in(domain, member)
        {
            *picked += 1;
            self.order.push((domain, member));
        }
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        if let Some((domain, request)) = self.order.pop()
            && let Some(picked) = self.picked_in(domain, request)
        {
            *picked -= 1;
        }
    }

    fn picked_in(&mut self, domain: usize, request: usize) -> Option<&mut usize> {
        self.picked.get_mut(domain)?.get_mut(request)
    }
}
