//! The value of each term on the picks of a scope.

use dralloc::model::{AffinityLevel, PlacementUnit};
use dralloc_topology::VertexKind;

use super::fabric::{NO_RING, around};
use super::{Machine, Picked, domains, units, wide};
use crate::oracle::world::Place;

/// What kinds of levels are apart.
const KIND: i128 = 10_000_000_000;

/// Returns the value of a term by its name; none for those that need no topology.
pub(in crate::oracle) fn value(machine: &Machine, term: &str, places: &[Place]) -> Option<i128> {
    let picked = machine.picked(places);
    Some(match term {
        "ring" => machine.ring(&picked),
        "links" => machine.links(&picked),
        "bottleneck" => machine.bottleneck(&picked),
        "nicAlignment" => machine.alignment(&picked.gpus, &picked.nics),
        "hostUplink" => machine.uplink(&picked.gpus),
        "span" => machine.span(&picked),
        "linkPotential" => {
            let left = machine.free.difference(&picked.gpus).copied().collect();
            machine.potential(&machine.free) - machine.potential(&left)
        }
        _ => return None,
    })
}

/// Returns the place of the first level that all picks share.
pub(in crate::oracle) fn level_value(
    machine: &Machine,
    level: &AffinityLevel,
    places: &[Place],
) -> i128 {
    let mut levels = std::iter::once(&level.scope).chain(&level.fallback);
    let reached = levels.position(|scope| machine.share(scope, places));
    wide(reached.unwrap_or(1 + level.fallback.len()))
}

/// Returns how far units are from the first level, of the best way to cut picks into them.
///
/// `places` are the picks of each request of the unit, with how many of them a unit has.
/// None where they cannot be cut at all.
pub(in crate::oracle) fn unit_value(
    machine: &Machine,
    unit: &PlacementUnit,
    places: &[(usize, Vec<Place>)],
) -> Option<i128> {
    let levels: Vec<&str> = std::iter::once(&unit.scope)
        .chain(&unit.fallback)
        .map(|scope| &**scope)
        .collect();
    let cuts = units::cuts(places).into_iter();
    let cuts = cuts.filter(|cut| units::are_apart(machine, unit, cut));
    let values = cuts.map(|cut| {
        let mut value = 0;
        for place in 0..levels.len() {
            let is_within = |group: &&Vec<Place>| {
                let mut nearer = levels[..=place].iter();
                nearer.any(|scope| machine.share(scope, group))
            };
            let missing = cut.iter().filter(|group| !is_within(group)).count();
            value = value * wide(cut.len() + 1) + wide(missing);
        }
        value
    });
    values.min()
}

impl Machine {
    fn ring(&self, picked: &Picked) -> i128 {
        let gpus: Vec<usize> = picked.gpus.iter().copied().collect();
        match gpus.len() + picked.outsiders {
            0 | 1 => 0,
            _ if picked.outsiders > 0 => NO_RING,
            _ => around(self.fabric.rings(&gpus)),
        }
    }

    fn pairs(of: &std::collections::BTreeSet<usize>) -> Vec<(usize, usize)> {
        let pairs = |a: &usize| of.range(..*a).map(|b| (*b, *a)).collect::<Vec<_>>();
        of.iter().flat_map(pairs).collect()
    }

    fn count(&self, (a, b): (usize, usize)) -> i128 {
        self.fabric.wire(a, b).map_or(0, |wire| wire.count)
    }

    fn links(&self, picked: &Picked) -> i128 {
        let here = Self::pairs(&self.here(VertexKind::Gpu));
        let most = here.into_iter().map(|pair| self.count(pair)).max();
        let inside = Self::pairs(&picked.gpus).into_iter();
        let lacking: i128 = inside
            .map(|pair| most.unwrap_or(0) - self.count(pair))
            .sum();
        let (gpus, others) = (picked.gpus.len(), picked.outsiders);
        let beside = others * gpus + others * others.saturating_sub(1) / 2;
        lacking + most.unwrap_or(0) * wide(beside)
    }

    fn bottleneck(&self, picked: &Picked) -> i128 {
        if picked.outsiders > 0 && picked.outsiders + picked.gpus.len() > 1 {
            return 7 * KIND;
        }
        let cost = |(a, b): (usize, usize)| match self.fabric.wire(a, b) {
            Some(wire) if wire.is_xgmi => 2 * KIND - wire.count,
            Some(wire) => KIND - wire.count,
            None => KIND * wide(self.plan.level(a, b) + 1),
        };
        let pairs = Self::pairs(&picked.gpus).into_iter();
        pairs.map(cost).max().unwrap_or(0)
    }

    fn span(&self, picked: &Picked) -> i128 {
        let places = &picked.places;
        if places.windows(2).all(|pair| pair[0] == pair[1]) {
            return 0;
        }
        let mut scopes = domains::SCOPES.into_iter();
        let nearest = scopes.position(|scope| self.share(scope, places));
        wide(nearest.unwrap_or(7) + 1)
    }
}
