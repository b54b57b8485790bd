//! The values of terms over links and places, by their definitions.

use std::collections::BTreeSet;

use dralloc_topology::{ASSUMED_LINK, ASSUMED_NIC, Level, NO_NIC, NO_RING, Ratio, Topology};

use super::potential::Potential;
use super::{Linked, Picked};
use crate::objective::Term;
use crate::store::DeviceKey;
use crate::topology::AffinityScope;

/// Is what no right value is: the term has none here.
const NO_VALUE: i128 = -1;

impl Linked {
    /// Returns the value of a term on devices picked for requests; less than nothing where
    /// the term has no value.
    pub(in crate::verify) fn value<'r>(
        &self,
        term: &Term,
        devices: impl Iterator<Item = (DeviceKey, &'r str)> + Clone,
    ) -> i128 {
        let picked = self.picked(devices.clone().map(|(device, _)| device));
        let Some(topology) = self.machine.topology() else {
            return NO_VALUE;
        };
        match term {
            Term::Ring => self.ring(topology, &picked),
            Term::Links => self.links(topology, &picked),
            Term::Bottleneck => bottleneck(topology, &picked),
            Term::NicAlignment => self.alignment(topology, &picked),
            Term::HostUplink => self.uplink(topology, &picked),
            Term::Span => self.machine.span(picked.places.iter().copied()) as i128,
            Term::AffinityLevel { levels } => {
                let mut scopes = levels.iter().map(|word| AffinityScope::new(word));
                let reached = scopes.position(|scope| {
                    let keys = devices.clone().map(|(device, _)| device);
                    scope.is_some_and(|scope| self.share(scope, keys))
                });
                wide(reached.unwrap_or(levels.len()))
            }
            Term::UnitLevel {
                requests,
                levels,
                apart,
            } => {
                let devices: Vec<(DeviceKey, &str)> = devices.collect();
                let units = self.units(requests, (levels, apart.as_ref()), &devices);
                units.unwrap_or(NO_VALUE)
            }
            Term::LinkPotential => {
                let potential = self
                    .potential
                    .get_or_init(|| Potential::new(self, topology));
                let Some(potential) = potential else {
                    return NO_VALUE;
                };
                let left: BTreeSet<usize> = self.free.difference(&picked.gpus).copied().collect();
                i128::from(potential.of(&self.free)) - i128::from(potential.of(&left))
            }
            _ => 0,
        }
    }

    fn ring(&self, topology: &Topology, picked: &Picked) -> i128 {
        match picked.gpus.len() + picked.outsiders {
            0 | 1 => 0,
            _ if picked.outsiders > 0 => i128::from(NO_RING),
            _ => around(self.rate(topology, &list(&picked.gpus))),
        }
    }

    /// Returns the rate of the rings of a set in thousandths of GB/s, as a fraction.
    pub(super) fn rate(&self, topology: &Topology, set: &[usize]) -> (u128, u128) {
        let rings = self.rings(topology, set);
        let unit = topology.unit().rate().unwrap_or(ASSUMED_LINK);
        let above = u128::from(rings.numerator()) * u128::from(unit.thousandths());
        (above, u128::from(rings.denominator()))
    }

    /// Returns the rings of a set. Those that are packed are proved, so that no solver is
    /// trusted; without a proof that holds they count as the most there can be.
    pub(super) fn rings(&self, topology: &Topology, set: &[usize]) -> Ratio {
        if let Some(known) = self.rings.borrow().get(set) {
            return *known;
        }
        let rings = match topology.ring_proof(set) {
            Some(proof) if proof.holds(topology) => proof.rings,
            Some(_) => Ratio::new(u64::MAX, 1).unwrap_or_else(|| topology.ring(set).rings),
            None => topology.ring(set).rings,
        };
        self.rings.borrow_mut().insert(set.to_vec(), rings);
        rings
    }

    fn links(&self, topology: &Topology, picked: &Picked) -> i128 {
        let here = list(&self.gpus);
        let count = |(a, b): (usize, usize)| topology.wire(a, b).map_or(0, |wire| wire.count);
        let most = i128::from(pairs(&here).map(count).max().unwrap_or(0));
        let (gpus, outsiders) = (wide(picked.gpus.len()), wide(picked.outsiders));
        let all = (gpus + outsiders) * (gpus + outsiders - 1) / 2;
        all * most - i128::from(topology.links(&list(&picked.gpus)))
    }

    fn alignment(&self, topology: &Topology, picked: &Picked) -> i128 {
        if picked.gpus.is_empty() || self.nics.is_empty() {
            return 0;
        }
        if picked.nics.is_empty() {
            return i128::from(NO_NIC);
        }
        let cost = topology.nic_alignment(&list(&picked.gpus), &list(&picked.nics));
        cost.map_or(NO_VALUE, i128::from)
    }

    /// The NICs of the node count that are nearest to a device, in its host.
    fn uplink(&self, topology: &Topology, picked: &Picked) -> i128 {
        if picked.gpus.is_empty() || self.nics.is_empty() {
            return 0;
        }
        let mut serving = BTreeSet::new();
        for gpu in &picked.gpus {
            let level = |nic: usize| topology.nic_level(*gpu, nic).steps();
            let nearest = self.nics.iter().map(|nic| level(*nic)).min();
            let nics = self.nics.iter().copied();
            serving.extend(nics.filter(|nic| {
                Some(level(*nic)) == nearest && topology.nic_level(*gpu, *nic) < Level::Net
            }));
        }
        let rate = |nic: usize| {
            let rate = topology.nic(nic).and_then(|vertex| vertex.bandwidth);
            rate.unwrap_or(ASSUMED_NIC).thousandths()
        };
        let rates = serving.into_iter().map(rate);
        around((rates.map(u128::from).sum(), 1))
    }
}

/// Returns the nanoseconds that a terabyte takes at a rate, rounded up.
fn around((above, below): (u128, u128)) -> i128 {
    const ONE: u128 = 1_000_000_000_000_000;
    let most = i128::from(NO_RING);
    if above == 0 {
        return most;
    }
    let cost = ONE.saturating_mul(below).div_ceil(above);
    i128::try_from(cost).map_or(most, |cost| cost.min(most))
}

fn bottleneck(topology: &Topology, picked: &Picked) -> i128 {
    if picked.outsiders > 0 && picked.outsiders + picked.gpus.len() > 1 {
        return i128::from(Level::Net.cost());
    }
    let gpus = list(&picked.gpus);
    let levels = pairs(&gpus).map(|(a, b)| i128::from(topology.level(a, b).cost()));
    levels.max().unwrap_or(0)
}

fn list(set: &BTreeSet<usize>) -> Vec<usize> {
    set.iter().copied().collect()
}

fn pairs(list: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let all = list.iter().enumerate();
    all.flat_map(move |(place, a)| list.iter().take(place).map(move |b| (*a, *b)))
}

pub(super) fn wide(count: usize) -> i128 {
    i128::try_from(count).unwrap_or(i128::MAX)
}
