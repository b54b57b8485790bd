//! How far units are from their best level.

use std::collections::BTreeMap;

use super::value::wide;
use super::{Cut, Linked, MOST_CUT};
use crate::model::Str;
use crate::store::DeviceKey;
use crate::topology::AffinityScope;

impl Linked {
    /// Returns the value of units: for each level those that are not within it, the first
    /// level most. None where that is not known.
    ///
    /// Few devices are cut in all ways. Where there is no cut, no unit counts as within a
    /// level; devices that make no whole units count nothing. Of more devices, a domain has
    /// as many units as its scarcest member allows. Is nothing known of a wider domain,
    /// that of the nearer level stands for it. Domains of a level are inside of those of
    /// the next, or the question was refused; so the most units within one level and within
    /// the others are had at once.
    pub(super) fn units(
        &self,
        requests: &[(Str, i64)],
        (levels, apart_over): (&[Str], Option<&Str>),
        devices: &[(DeviceKey, &str)],
    ) -> Option<i128> {
        let counts = requests
            .iter()
            .map(|(_, count)| usize::try_from(*count).unwrap_or(0).max(1));
        let counts: Vec<usize> = counts.collect();
        let member = |name: &str| requests.iter().position(|(member, _)| **member == *name);
        let members: Vec<(usize, DeviceKey)> = devices
            .iter()
            .filter_map(|(device, name)| Some((member(name)?, *device)))
            .collect();
        if members.len() <= MOST_CUT {
            let cut = Cut {
                counts: &counts,
                levels,
                is_required: false,
                apart_over,
                devices: &members,
            };
            let worst = || cut.without(levels.len()).saturating_mul(wide(cut.units()));
            let value = cut.is_whole().then(|| self.best_cut(&cut));
            return Some(value.map_or(0, |best| best.unwrap_or_else(worst)));
        }
        if apart_over.is_some() {
            return None;
        }
        let mut totals = vec![0; counts.len()];
        for (member, _) in &members {
            totals[*member] += 1;
        }
        let groups = totals
            .iter()
            .zip(&counts)
            .map(|(total, count)| total / count);
        let groups = groups.max().unwrap_or(0);
        let mut value = 0_i128;
        // By member pick, the level that tells of its domain, and the number there.
        let mut domains: Vec<Option<(usize, u32)>> = vec![None; members.len()];
        for (place, level) in levels.iter().enumerate() {
            let scope = AffinityScope::new(level)?;
            let mut by_domain: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
            for ((member, device), domain) in members.iter().zip(&mut domains) {
                let keys = members.iter().map(|(_, device)| *device);
                match &*self.domains(scope, *device, keys)?.1 {
                    [] => {}
                    [known] => *domain = Some((place, *known)),
                    _ => return None,
                }
                if let Some(domain) = *domain {
                    let picked = by_domain.entry(domain);
                    picked.or_insert_with(|| vec![0; counts.len()])[*member] += 1;
                }
            }
            let within = by_domain.values().map(|picked| {
                let units = picked.iter().zip(&counts);
                units
                    .map(|(picked, count)| picked / count)
                    .min()
                    .unwrap_or(0)
            });
            let missing = groups.saturating_sub(within.sum());
            value = value
                .saturating_mul(wide(groups + 1))
                .saturating_add(wide(missing));
        }
        Some(value)
    }
}
