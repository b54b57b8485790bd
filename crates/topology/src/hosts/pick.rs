//! From least values to the hosts that give devices.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::Halt;
use super::solver::Solver;

/// What each part gives, and with how many hosts.
type Shares = Vec<(u32, u32)>;

impl Solver<'_> {
    /// Returns the hosts of the best answer, ascending, with the devices that each gives.
    pub(super) fn pick(&mut self, count: u32) -> Result<Vec<(usize, u32)>, Halt> {
        let tree = self.tree;
        let mut known: BTreeMap<(usize, u32, u32), Shares> = BTreeMap::new();
        let mut slices = Vec::new();
        let mut open = vec![(0_usize, count, 0_u32)];
        while let Some((node, units, hosts)) = open.pop() {
            let this = &tree.nodes[node];
            if this.level > tree.levels {
                slices.push((this.first, units.saturating_mul(tree.unit)));
                continue;
            }
            let key = (this.class, units, hosts);
            let shares = match known.entry(key) {
                Entry::Occupied(shares) => shares.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(self.shares(node, units, hosts)?),
            };
            let given = this.parts.iter().zip(&*shares);
            let given = given.filter(|(_, (units, _))| *units > 0);
            open.extend(given.map(|(&part, &(units, hosts))| (part, units, hosts)));
        }
        slices.sort_unstable();
        Ok(slices)
    }

    /// Returns what each part of a domain gives, the first part first.
    fn shares(&mut self, node: usize, units: u32, hosts: u32) -> Result<Shares, Halt> {
        let Some((layers, mut place)) = self.trace(node, units, hosts)? else {
            return Ok(Shares::new());
        };
        let mut shares = Shares::new();
        for layer in layers.iter().skip(1).rev() {
            let Some(state) = layer.get(place) else { break };
            shares.push(state.given);
            place = state.after;
        }
        Ok(shares)
    }
}
