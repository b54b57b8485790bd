//! The devices behind a value.

use super::merge::NONE;
use super::tables::Tables;
use crate::watch::Watch;

impl Tables<'_> {
    /// Returns the devices of the best set of a domain.
    ///
    /// Goes from the domain down: of each domain's children the first gives as many as
    /// any best set lets it, then the next.
    pub(super) fn pick<W: Watch>(
        &self,
        domain: usize,
        count: usize,
        watch: &mut W,
    ) -> Result<Vec<usize>, W::Stop> {
        let mut devices = Vec::with_capacity(count);
        let mut open = vec![(domain, count)];
        while let Some((next, count)) = open.pop() {
            if count == 0 {
                continue;
            }
            if self.mesh(next).is_some() {
                let best = self.of_mesh(next, count, watch)?;
                devices.extend(best.into_iter().flat_map(|(_, set)| set));
                continue;
            }
            if self.is_mixed(next) || (next == domain && self.has_own(domain)) {
                if let Some((filter, _)) = self.sorted_out(next, count) {
                    let under = self.under(&filter, (next, count), watch)?;
                    devices.extend(under.pick(next, count, watch)?);
                }
                continue;
            }
            let place = &self.tree.domains()[next];
            if place.children.is_empty() || self.open_in(next) == count {
                let inside = self
                    .tree
                    .devices(place)
                    .iter()
                    .map(|&device| device as usize);
                devices.extend(inside.filter(|&device| self.filter.is_open(device)));
                continue;
            }
            let behind = self.behind(next, count, watch)?;
            let shares = shares(&self.children(next), behind, count);
            for (&child, count) in place.children.iter().zip(shares) {
                open.push((child as usize, count));
            }
        }
        Ok(devices)
    }

    /// Returns how many devices of a domain may be taken.
    fn open_in(&self, domain: usize) -> usize {
        let place = &self.tree.domains()[domain];
        let devices = self.tree.devices(place).iter();
        devices
            .filter(|&&device| self.filter.is_open(device as usize))
            .count()
    }
}

/// Returns how many each child gives, the first as many as it can, for the best sum.
fn shares(tables: &[&[i64]], mut behind: Vec<Vec<i64>>, count: usize) -> Vec<usize> {
    let mut left = count;
    let mut shares = Vec::with_capacity(tables.len());
    for table in tables {
        let rest = behind.pop().unwrap_or_default();
        let value = |share: usize| {
            let own = table.get(share).copied().unwrap_or(NONE);
            let others = rest.get(left - share).copied().unwrap_or(NONE);
            (own != NONE && others != NONE).then(|| own + others)
        };
        let most = (0..=left.min(table.len().saturating_sub(1)))
            .filter_map(|share| Some((value(share)?, share)))
            .max();
        let share = most.map_or(0, |(_, share)| share);
        shares.push(share);
        left -= share;
    }
    shares
}
