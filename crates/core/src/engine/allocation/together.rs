//! [`Together`]: what the devices of a policy have in common.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::Watch;
use serde::Serialize;

use super::picked::Picked;
use super::{Allocation, Answer};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Unit, Wanted};
use crate::model::{DeviceId, Str};
use crate::outcome::StopCause;
use crate::rules::RequestName;
use crate::topology::{AffinityScope, Groups, Machine, best_cut, nested};

/// Is the level of a unit, if it reached one, with its devices.
type Near = (Option<Str>, Vec<usize>);

/// Says what the devices of one placement policy have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Together {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Names of the requests that the policy is for; empty for all of the claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<Str>,
    /// In the order of its levels: the first scope of each that all devices have in
    /// common; none where they have nothing in common of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Option<Str>>,
    /// The units, those at the best level first. None where more than 16 devices are in
    /// places that cross each other, which is refused unless nothing counts the units, and
    /// where a deadline or a cancel flag ended the call before they were found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<UnitTogether>,
}

/// Is one unit of a placement policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnitTogether {
    /// The first scope that its devices have in common; none where they have nothing in
    /// common.
    pub level: Option<Str>,
    /// Its devices.
    pub devices: Vec<DeviceId>,
}

impl Allocation {
    /// Returns what the devices of each policy with levels or units have in common, in
    /// the order of claims and policies; none where no policy has any.
    pub fn placement(&self) -> &[Together] {
        self.together.as_deref().unwrap_or_default()
    }

    /// Adds what devices have in common.
    ///
    /// A claim has 32 devices at most, so only cuts into units that cross can take long.
    pub(in crate::engine) fn placed(
        mut self,
        machine: &Arc<Machine>,
        meter: &mut Meter<'_>,
    ) -> Self {
        let mut grace = Grace { left: GRACE, meter };
        let claims = self.answer.compiled.claims.iter().enumerate();
        let wanted = claims.flat_map(|(claim, prepared)| {
            let wanted = prepared.wanted().iter();
            wanted.map(move |wanted| (claim, wanted))
        });
        let together: Vec<Together> = wanted
            .map(|(claim, wanted)| together(&self.answer, (claim, wanted), machine, &mut grace))
            .collect();
        if !together.is_empty() {
            self.together = Some(together.into());
        }
        self
    }
}

/// The steps that cuts may take before somebody is asked: some milliseconds.
const GRACE: u64 = 1 << 17;

/// Is told of cuts after an answer is found. The first steps are free, so that an answer
/// for which the time was just enough tells its units, too.
struct Grace<'m, 'b> {
    left: u64,
    meter: &'m mut Meter<'b>,
}

impl Watch for Grace<'_, '_> {
    type Stop = StopCause;

    fn steps(&mut self, steps: u64) -> Result<(), StopCause> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.meter.steps(steps),
        }
    }
}

fn together(
    answer: &Answer,
    (claim, wanted): (usize, &Wanted),
    machine: &Arc<Machine>,
    grace: &mut Grace<'_, '_>,
) -> Together {
    let name = |picked: &Picked| {
        let request = answer.compiled.claims.get(claim)?;
        let request = request.requests.get(picked.request as usize)?;
        Some(request.alternatives.first()?.name.request())
    };
    let picked = answer.picked.as_slice().iter();
    let own = picked.filter(|picked| picked.claim as usize == claim && !picked.admin_access);
    let own = own.filter_map(|picked| Some((name(picked)?, picked.device as usize)));
    let is_member = |(name, _): &(&str, usize)| {
        RequestName::new((*name).into(), None).is_among(&wanted.requests)
    };
    let own: Vec<(&str, usize)> = own.filter(is_member).collect();
    let all: Vec<usize> = own.iter().map(|(_, device)| *device).collect();
    let levels = wanted.levels.iter().map(|levels| {
        let mut levels = levels.iter();
        let first = levels.find(|level| are_together(machine, **level, &all));
        first.map(|level| level.as_str().into())
    });
    let units = wanted.unit.as_ref();
    // Units are none rather than others than the best.
    let units = units.and_then(|unit| units_of(machine, unit, own, grace).ok());
    let id = |device: usize| answer.view.entry(device).id();
    let units = units.unwrap_or_default().into_iter();
    let units = units.map(|(level, devices)| UnitTogether {
        level,
        devices: devices.into_iter().map(id).collect(),
    });
    Together {
        claim,
        requests: wanted.requests.clone(),
        levels: levels.collect(),
        units: units.collect(),
    }
}

/// Says whether devices have something in common, all of them.
fn are_together(machine: &Machine, level: AffinityScope, devices: &[usize]) -> bool {
    let AffinityScope::Domain(scope) = level else {
        let mut pairs = devices.iter().enumerate();
        return pairs.all(|(place, one)| {
            let mut others = devices.iter().take(place);
            others.all(|other| machine.share(level, *one, *other))
        });
    };
    let mut devices = devices.iter();
    let Some(first) = devices.next() else {
        return true;
    };
    let mut common = machine.domains().of(scope, *first).to_vec();
    for device in devices {
        let other = machine.domains().of(scope, *device);
        common.retain(|domain| other.contains(domain));
    }
    !common.is_empty()
}

/// Cuts devices into units, as near as they can be.
fn units_of(
    machine: &Arc<Machine>,
    unit: &Unit,
    mut left: Vec<(&str, usize)>,
    grace: &mut Grace<'_, '_>,
) -> Result<Vec<Near>, StopCause> {
    left.retain(|(name, _)| unit.count_of(name).is_some());
    let mut devices = Bitmap::new(left.iter().map(|(_, device)| device + 1).max().unwrap_or(0));
    for (_, device) in &left {
        devices.insert(*device);
    }
    let apart = unit.apart_over.map(AffinityScope::Domain);
    let levels: Vec<AffinityScope> = unit.levels.iter().copied().chain(apart).collect();
    match nested(machine, &levels, &devices) {
        // Units within their level are apart if that is inside of what keeps them apart.
        Ok(domains) if unit.is_required || apart.is_none() => {
            Ok(nearest_first(unit, &domains, left))
        }
        _ => crossed(machine, unit, &left, grace),
    }
}

/// Cuts devices from the nearest level up: as many units as each domain holds.
///
/// Where domains are inside each other no other way has more units at any level.
fn nearest_first(
    unit: &Unit,
    levels: &[Vec<Option<usize>>],
    mut left: Vec<(&str, usize)>,
) -> Vec<Near> {
    let mut units = Vec::new();
    for (scope, of_devices) in unit.levels.iter().zip(levels) {
        let mut domains: BTreeMap<usize, Vec<(&str, usize)>> = BTreeMap::new();
        for (name, device) in &left {
            if let Some(domain) = of_devices.get(*device).copied().flatten() {
                domains.entry(domain).or_default().push((*name, *device));
            }
        }
        for mut open in domains.into_values() {
            while let Some(taken) = take(unit, &mut open) {
                left.retain(|picked| !taken.contains(picked));
                units.push((Some(scope.as_str().into()), devices_of(taken)));
            }
        }
    }
    while let Some(taken) = take(unit, &mut left) {
        units.push((None, devices_of(taken)));
    }
    units
}

/// Cuts devices where domains cross, or units are preferred and must be apart; no units of
/// more devices than are cut by trying.
fn crossed(
    machine: &Arc<Machine>,
    unit: &Unit,
    picked: &[(&str, usize)],
    grace: &mut Grace<'_, '_>,
) -> Result<Vec<Near>, StopCause> {
    let members = unit.counts.iter().enumerate();
    let picks = members.flat_map(|(member, (name, _))| {
        let own = picked.iter().filter(move |(own, _)| **own == **name);
        own.map(move |(_, device)| (member, *device))
    });
    let picks: Vec<(usize, usize)> = picks.collect();
    let counts = unit.counts.iter().enumerate().map(|(member, (_, count))| {
        let own = picks.iter().filter(|(own, _)| *own == member);
        own.count() / (*count).max(1)
    });
    let groups = Groups {
        machine: Arc::clone(machine),
        count: counts.max().unwrap_or(0),
        sizes: unit.counts.iter().map(|(_, count)| *count).collect(),
        levels: unit.levels.clone(),
        is_required: unit.is_required,
        apart: unit.apart_over,
    };
    let cut = best_cut(&groups, picks.iter().copied(), grace)?.into_iter();
    let cut = cut.map(|(level, group)| {
        let level = level.and_then(|level| unit.levels.get(level));
        let devices = group.iter().filter_map(|pick| picks.get(*pick));
        let devices = devices.map(|(_, device)| *device);
        (level.map(|level| level.as_str().into()), devices.collect())
    });
    Ok(cut.collect())
}

fn devices_of(picked: Vec<(&str, usize)>) -> Vec<usize> {
    picked.into_iter().map(|(_, device)| device).collect()
}

/// Takes the picks of one unit out of some, if there are enough of each request.
///
/// A shared device may be picked for several requests; each has it once.
fn take<'n>(unit: &Unit, open: &mut Vec<(&'n str, usize)>) -> Option<Vec<(&'n str, usize)>> {
    let mut taken = Vec::new();
    for (member, count) in &unit.counts {
        let own = open.iter().filter(|(name, _)| **name == **member);
        let before = taken.len();
        taken.extend(own.take(*count).copied());
        if taken.len() - before < *count {
            return None;
        }
    }
    open.retain(|picked| !taken.contains(picked));
    Some(taken).filter(|taken| !taken.is_empty())
}
