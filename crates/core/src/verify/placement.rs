//! What placement policies require of the devices together.
//!
//! Policies are read from the configurations of claims and classes, not from what was
//! prepared of them.

use std::collections::{BTreeMap, BTreeSet};

use super::Pick;
use super::linked::Linked;
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

/// So many ways to say in which domains devices are are looked at.
const WAYS: usize = 1 << 12;

/// Is what a policy requires of the devices of its requests together.
#[derive(Clone)]
pub(super) enum Requirement {
    /// They have something in common; the word that the policy has for it.
    Level(Str),
    Unit(PlacementUnit),
    /// Rings through the linked devices carry so many GB/s.
    Ring(Quantity),
}

/// Is a device with the name of the request that it is for.
pub(super) type For<'r> = (&'r str, DeviceKey);

impl Requirement {
    /// Returns whether it looks at a request.
    pub(super) fn is_about(&self, request: &str) -> bool {
        match self {
            Self::Level(_) | Self::Ring(_) => true,
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
                format!("no units with a `{}` each, expected such", unit.scope),
            ),
            Self::Ring(least) => (
                linked.has_rings(least.amount(), keys()),
                format!("rings of less than {least} GB/s, expected as much"),
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
        let unit = policy.unit.filter(|unit| *unit.mode == *"required");
        let all = levels
            .chain(unit.map(Requirement::Unit))
            .chain(policy.min_ring_gbps.map(Requirement::Ring));
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

/// Returns whether picks can be cut into equal groups, each with a domain of its own or in
/// one with others, as a unit says.
///
/// A device in several domains may be in the group of any of them.
fn has_units(linked: &Linked, unit: &PlacementUnit, devices: &[For<'_>]) -> bool {
    let Some(scope) = AffinityScope::new(&unit.scope) else {
        return false;
    };
    let mut members: Vec<(usize, usize, &[u32])> = Vec::new();
    let mut counts = Vec::new();
    let mut ways = 1_usize;
    for (member, (name, count)) in unit.requests.iter().enumerate() {
        counts.push(usize::try_from(*count).unwrap_or(0).max(1));
        let own = devices.iter().filter(|(request, _)| *request == &**name);
        for (_, key) in own {
            let Some((place, domains)) = linked.domains(scope, *key) else {
                return false;
            };
            ways = ways.saturating_mul(domains.len());
            members.push((member, place, domains));
        }
    }
    // Nothing cuts devices of so many domains here, so nothing is right that was cut there.
    (ways <= WAYS)
        && (0..ways).any(|way| {
            let mut rest = way;
            let chosen = members.iter().map(|(member, place, domains)| {
                let domain = domains.get(rest % domains.len().max(1)).copied();
                rest /= domains.len().max(1);
                (domain, *member, *place)
            });
            are_units(linked, unit, &counts, &chosen.collect::<Vec<_>>())
        })
}

/// Returns whether every domain has whole groups, and what keeps groups apart does.
fn are_units(
    linked: &Linked,
    unit: &PlacementUnit,
    counts: &[usize],
    chosen: &[(Option<u32>, usize, usize)],
) -> bool {
    let mut by_domain: BTreeMap<Option<u32>, Vec<(usize, usize)>> = BTreeMap::new();
    for (domain, member, place) in chosen {
        by_domain
            .entry(*domain)
            .or_default()
            .push((*member, *place));
    }
    let mut apart: BTreeSet<u32> = BTreeSet::new();
    by_domain.values().all(|devices| {
        let of_member = |(member, count): (usize, &usize)| {
            let own = devices.iter().filter(|(other, _)| *other == member);
            (own.count(), *count)
        };
        let shares: Vec<(usize, usize)> = counts.iter().enumerate().map(of_member).collect();
        let groups = shares.iter().map(|(found, count)| found / count).max();
        let groups = groups.unwrap_or(0);
        let is_whole = shares.iter().all(|(found, count)| *found == count * groups);
        let keeping = unit
            .apart_over
            .as_ref()
            .and_then(|word| AffinityScope::new(word));
        let places = devices.iter().map(|(_, place)| *place);
        let common = keeping.map_or_else(Vec::new, |scope| linked.common(scope, places));
        let is_apart = common.is_empty() || groups < 2;
        is_whole && is_apart && common.into_iter().all(|domain| apart.insert(domain))
    })
}
