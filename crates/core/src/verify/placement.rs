//! What placement policies require of the devices together.
//!
//! Policies are read from the configurations of claims and classes, not from what was
//! prepared of them.

use std::collections::{BTreeMap, BTreeSet};

use super::Pick;
use super::linked::{Cut, Linked, MOST_CUT};
use super::requests::{Alternative, Request};
use super::violation::{Report, ViolationCode};
use crate::model::{
    OpaqueDeviceConfiguration, PlacementPolicy, PlacementUnit, Quantity, ResourceClaim, Str,
};
use crate::rules::RequestName;
use crate::store::DeviceKey;
use crate::topology::AffinityScope;
use crate::validate::PLACEMENT_DRIVER;
use crate::wire;

/// Is what a policy requires of the devices of its requests together.
#[derive(Clone)]
pub(super) enum Requirement {
    /// They have something in common; the word that the policy has for it.
    Level(Str),
    Unit(PlacementUnit),
    /// Rings through the linked devices carry so many GB/s.
    Ring(Quantity),
    /// They are one of the fabric partitions that devices publish.
    Partition,
}

/// Is a device with the name of the request that it is for.
pub(super) type For<'r> = (&'r str, DeviceKey);

impl Requirement {
    /// Returns whether it looks at a request.
    pub(super) fn is_about(&self, request: &str) -> bool {
        match self {
            Self::Level(_) | Self::Ring(_) | Self::Partition => true,
            Self::Unit(unit) => unit.requests.keys().any(|name| **name == *request),
        }
    }

    /// Checks devices.
    ///
    /// # Errors
    ///
    /// What they are, and what was expected.
    pub(super) fn check(&self, linked: &Linked, devices: &[For<'_>]) -> Result<(), String> {
        let keys = || devices.iter().map(|(_, key)| *key);
        let (holds, message) = match self {
            Self::Level(word) => (
                AffinityScope::new(word).is_some_and(|scope| linked.share(scope, keys())),
                format!("no `{word}` in common, expected one"),
            ),
            Self::Unit(unit) => (
                has_units(linked, unit, devices),
                match &unit.apart_over {
                    Some(apart) if *unit.mode != *"required" => {
                        format!("no units with a `{apart}` of their own, expected such")
                    }
                    _ => format!("no units with a `{}` each, expected such", unit.scope),
                },
            ),
            Self::Ring(least) => (
                linked.has_rings(least.amount(), keys()),
                format!("rings of less than {least} GB/s, expected as much"),
            ),
            Self::Partition => (
                linked.is_partition(keys()),
                "the devices are no fabric partition, expected one".to_owned(),
            ),
        };
        if holds { Ok(()) } else { Err(message) }
    }
}

/// Returns what the policies of a claim require, with the places of the requests.
pub(super) fn requirements(
    claim: &ResourceClaim,
    requests: &[Request<'_>],
) -> Vec<(Requirement, BTreeSet<usize>)> {
    let mut requirements = Vec::new();
    for (policy, places) in policies(claim, requests) {
        let levels = policy.affinity.into_iter();
        let levels = levels.filter(|level| *level.mode == *"required");
        let levels = levels.map(|level| Requirement::Level(level.scope));
        let unit = policy.unit;
        let unit = unit.filter(|unit| *unit.mode == *"required" || unit.apart_over.is_some());
        let all = levels
            .chain(unit.map(Requirement::Unit))
            .chain(policy.min_ring_gbps.map(Requirement::Ring))
            .chain(policy.fabric_partition.map(|_| Requirement::Partition));
        requirements.extend(all.map(|one| (one, places.clone())));
    }
    requirements
}

/// Checks what the policies of one claim require.
pub(super) fn of_claim(
    linked: &Linked,
    (index, claim): (usize, &ResourceClaim),
    requests: &[Request<'_>],
    picks: &[&Pick<'_, '_>],
    report: &mut Report,
) {
    for (requirement, places) in requirements(claim, requests) {
        let own = picks
            .iter()
            .filter(|pick| !pick.alternative.admin_access && places.contains(&pick.request));
        let own: Vec<For<'_>> = own
            .map(|pick| (pick.alternative.name.request(), pick.offer.key))
            .collect();
        if let Err(message) = requirement.check(linked, &own) {
            let path = format!("results[{index}].devices.results");
            report.add(ViolationCode::Placement, path, message);
        }
    }
}

/// Checks that the linked devices of all claims are a set that may be used.
pub(super) fn together(linked: &Linked, picks: &[Pick<'_, '_>], report: &mut Report) {
    let taking = picks.iter().filter(|pick| !pick.alternative.admin_access);
    if !linked.is_allowed(taking.map(|pick| pick.offer.key)) {
        let message = "the linked devices are no allowed set, expected one";
        report.add(ViolationCode::Placement, "results", message);
    }
}

/// Returns the policies that a claim and its classes carry, with places of requests.
fn policies(
    claim: &ResourceClaim,
    requests: &[Request<'_>],
) -> Vec<(PlacementPolicy, BTreeSet<usize>)> {
    let mut policies = Vec::new();
    let mut settled = BTreeSet::new();
    for config in &claim.spec.devices.config {
        let Some(policy) = read(config.opaque.as_ref()) else {
            continue;
        };
        let is_named = |request: &Request<'_>| {
            RequestName::new(request.name.into(), None).is_among(&config.requests)
        };
        let places = requests.iter().enumerate();
        let places = places.filter(|(_, request)| is_named(request));
        let places: BTreeSet<usize> = places.map(|(place, _)| place).collect();
        settled.extend(places.iter().copied());
        policies.push((policy, places));
    }
    let mut of_classes: Vec<(&str, PlacementPolicy, BTreeSet<usize>)> = Vec::new();
    for (place, request) in requests.iter().enumerate() {
        if settled.contains(&place) {
            continue;
        }
        let of_class = |alternative: &Alternative<'_>| {
            let mut config = alternative.class.spec.config.iter();
            config.find_map(|config| read(config.opaque.as_ref()))
        };
        let mut alternatives = request.alternatives.iter();
        let found = alternatives.find_map(|one| Some((&*one.class.metadata.name, of_class(one)?)));
        let Some((class, policy)) = found else {
            continue;
        };
        match of_classes.iter_mut().find(|(known, ..)| *known == class) {
            Some((.., places)) => {
                places.insert(place);
            }
            None => of_classes.push((class, policy, BTreeSet::from([place]))),
        }
    }
    policies.extend(
        of_classes
            .into_iter()
            .map(|(_, policy, places)| (policy, places)),
    );
    policies
}

fn read(opaque: Option<&OpaqueDeviceConfiguration>) -> Option<PlacementPolicy> {
    let opaque = opaque.filter(|opaque| *opaque.driver == *PLACEMENT_DRIVER)?;
    wire::placement_policy(opaque.parameters.as_ref()).ok()
}

/// Returns whether picks can be cut into equal groups as a unit says.
fn has_units(linked: &Linked, unit: &PlacementUnit, devices: &[For<'_>]) -> bool {
    let counts = unit.requests.iter();
    let counts = counts.map(|(_, count)| usize::try_from(*count).unwrap_or(0).max(1));
    let counts: Vec<usize> = counts.collect();
    let members = devices.iter().filter_map(|(request, key)| {
        let mut names = unit.requests.iter();
        let member = names.position(|(name, _)| **name == **request)?;
        Some((member, *key))
    });
    let members: Vec<(usize, DeviceKey)> = members.collect();
    let cut = Cut {
        counts: &counts,
        levels: std::slice::from_ref(&unit.scope),
        is_required: *unit.mode == *"required",
        apart_over: unit.apart_over.as_ref(),
        devices: &members,
    };
    if members.len() <= MOST_CUT {
        return linked.best_cut(&cut).is_some();
    }
    // Nothing cuts so many devices into units that need no domain, so nothing is right.
    cut.is_required && has_domains(linked, unit, &cut).unwrap_or(false)
}

/// Returns whether each domain has whole units, and no two that are to be apart, where each
/// device is in one domain; none where one is in several.
fn has_domains(linked: &Linked, unit: &PlacementUnit, cut: &Cut<'_>) -> Option<bool> {
    let scope = AffinityScope::new(&unit.scope)?;
    let apart = unit.apart_over.as_ref();
    let apart = apart.and_then(|word| AffinityScope::new(word));
    let mut shares: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    // By domain that keeps units apart, those with devices in it.
    let mut beside: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let keys = || cut.devices.iter().map(|(_, key)| *key);
    for (member, key) in cut.devices {
        let (_, domains) = linked.domains(scope, *key, keys())?;
        let [domain] = *domains else {
            return None;
        };
        let own = shares.entry(domain);
        own.or_insert_with(|| vec![0; cut.counts.len()])[*member] += 1;
        if let Some(apart) = apart {
            for around in &*linked.domains(apart, *key, keys())?.1 {
                beside.entry(*around).or_default().insert(domain);
            }
        }
    }
    let units = |shares: &Vec<usize>| {
        let units = shares.iter().zip(cut.counts);
        units.map(|(own, count)| own / count).max().unwrap_or(0)
    };
    let is_whole = shares.values().all(|own| {
        let mut members = own.iter().zip(cut.counts);
        members.all(|(found, count)| *found == count * units(own))
    });
    let is_apart = |around: &BTreeSet<u32>| {
        let inside = around.iter().filter_map(|domain| shares.get(domain));
        inside.map(units).sum::<usize>() <= 1
    };
    Some(is_whole && beside.values().all(is_apart))
}
