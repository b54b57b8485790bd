//! What placement policies require of the devices together.
//!
//! Policies are read from the configurations of claims and classes, not from what was
//! prepared of them.

use std::collections::{BTreeMap, BTreeSet};

use super::Pick;
use super::linked::Linked;
use super::requests::{Alternative, Request};
use super::violation::{Report, ViolationCode};
use crate::model::{OpaqueDeviceConfiguration, PlacementPolicy, PlacementUnit, ResourceClaim};
use crate::rules::RequestName;
use crate::topology::DomainScope;
use crate::validate::PLACEMENT_DRIVER;
use crate::wire;

/// So many ways to say in which domains devices are are looked at.
const WAYS: usize = 1 << 12;

/// Checks what the policies of one claim require.
pub(super) fn of_claim(
    linked: &Linked,
    (index, claim): (usize, &ResourceClaim),
    requests: &[Request<'_>],
    picks: &[&Pick<'_, '_>],
    report: &mut Report,
) {
    for (policy, places) in policies(claim, requests) {
        let own: Vec<&Pick<'_, '_>> = picks
            .iter()
            .filter(|pick| !pick.alternative.admin_access && places.contains(&pick.request))
            .copied()
            .collect();
        let path = format!("results[{index}].devices.results");
        let mut add = |message: String| report.add(ViolationCode::Placement, &*path, message);
        let keys = || own.iter().map(|pick| pick.offer.key);
        for level in &policy.affinity {
            let scope = DomainScope::new(&level.scope);
            let shared = scope.is_some_and(|scope| linked.share(scope, keys()));
            if *level.mode == *"required" && !shared {
                add(format!("no `{}` in common, expected one", level.scope));
            }
        }
        if let Some(unit) = policy
            .unit
            .as_ref()
            .filter(|unit| *unit.mode == *"required")
            && !has_units(linked, unit, &own)
        {
            add(format!(
                "no units with a `{}` each, expected such",
                unit.scope
            ));
        }
        if let Some(least) = &policy.min_ring_gbps
            && !linked.has_rings(least.amount(), keys())
        {
            add(format!("rings of less than {least} GB/s, expected as much"));
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
    let mut of_classes: BTreeMap<&str, (PlacementPolicy, BTreeSet<usize>)> = BTreeMap::new();
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
        if let Some((class, policy)) = found {
            let known = of_classes.entry(class);
            known.or_insert((policy, BTreeSet::new())).1.insert(place);
        }
    }
    policies.extend(of_classes.into_values());
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
fn has_units(linked: &Linked, unit: &PlacementUnit, picks: &[&Pick<'_, '_>]) -> bool {
    let Some(scope) = DomainScope::new(&unit.scope) else {
        return false;
    };
    let mut members: Vec<(usize, usize, &[u32])> = Vec::new();
    let mut counts = Vec::new();
    let mut ways = 1_usize;
    for (member, (name, count)) in unit.requests.iter().enumerate() {
        counts.push(usize::try_from(*count).unwrap_or(0).max(1));
        let own = picks
            .iter()
            .filter(|pick| *pick.alternative.name.request() == **name);
        for pick in own {
            let Some((place, domains)) = linked.domains(scope, pick.offer.key) else {
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
            .and_then(|word| DomainScope::new(word));
        let places = devices.iter().map(|(_, place)| *place);
        let common = keeping.map_or_else(Vec::new, |scope| linked.common(scope, places));
        let is_apart = common.is_empty() || groups < 2;
        is_whole && is_apart && common.into_iter().all(|domain| apart.insert(domain))
    })
}
