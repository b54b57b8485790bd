//! [`Together`]: what the devices of a policy have in common.

use std::collections::BTreeMap;

use serde::Serialize;

use super::picked::Picked;
use super::{Allocation, Answer};
use crate::claims::{Unit, Wanted};
use crate::model::{DeviceId, Str};
use crate::rules::RequestName;
use crate::topology::{AffinityScope, Machine};

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
    /// The units, those at the best level first.
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
    pub(in crate::engine) fn placed(mut self, machine: &Machine) -> Self {
        let claims = self.answer.compiled.claims.iter().enumerate();
        let wanted = claims.flat_map(|(claim, prepared)| {
            let wanted = prepared.wanted().iter();
            wanted.map(move |wanted| (claim, wanted))
        });
        let together = wanted.map(|(claim, wanted)| together(&self.answer, claim, wanted, machine));
        let together: Vec<Together> = together.collect();
        if !together.is_empty() {
            self.together = Some(together.into());
        }
        self
    }
}

fn together(answer: &Answer, claim: usize, wanted: &Wanted, machine: &Machine) -> Together {
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
    let units = wanted.unit.as_ref().map(|unit| units(machine, unit, own));
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

/// Cuts devices into units, from the nearest level up: as many as each domain holds.
///
/// Where domains are inside each other no other way has more units at any level.
fn units(
    machine: &Machine,
    unit: &Unit,
    mut left: Vec<(&str, usize)>,
) -> Vec<(Option<Str>, Vec<usize>)> {
    left.retain(|(name, _)| unit.count_of(name).is_some());
    let mut units = Vec::new();
    for scope in &unit.levels {
        let mut domains: BTreeMap<u32, Vec<(&str, usize)>> = BTreeMap::new();
        let mut order: Vec<u32> = Vec::new();
        for (name, device) in &left {
            if let [domain, ..] = machine.domains().of(*scope, *device) {
                let of_domain = domains.entry(*domain).or_insert_with(|| {
                    order.push(*domain);
                    Vec::new()
                });
                of_domain.push((*name, *device));
            }
        }
        for domain in order {
            let mut open = domains.remove(&domain).unwrap_or_default();
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
