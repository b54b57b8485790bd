//! The result in the form that Kubernetes stores.

use dralloc::model::{
    AllocationResult, DeviceAllocationConfiguration, DeviceAllocationResult,
    DeviceRequestAllocationResult, DeviceToleration, Map, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, Quantity, ResourceClaim, Str,
};
use std::collections::BTreeSet;

use super::failure::{Failure, FailureKind};
use super::requests::Alternative;
use super::search::Progress;
use super::world::{Pick, World};

/// Returns one result per claim; shares are named `<share-0>`, `<share-1>`, …
pub(super) fn build(
    world: &World<'_>,
    progress: &Progress<'_, '_>,
) -> Result<Vec<AllocationResult>, Failure> {
    let mut shares = 0;
    let mut results = Vec::new();
    for (index, claim) in world.case.claims.iter().enumerate() {
        let mine = |pick: &&Pick<'_, '_>| pick.alternative.claim == index;
        let picks: Vec<&Pick<'_, '_>> = progress.picks.iter().filter(mine).collect();
        let chosen: Vec<&Alternative<'_>> = progress
            .chosen
            .iter()
            .copied()
            .filter(|alternative| alternative.claim == index)
            .collect();
        let mut devices = Vec::new();
        for pick in &picks {
            devices.push(device(world, claim, pick, &mut shares));
        }
        results.push(AllocationResult {
            devices: DeviceAllocationResult {
                results: devices,
                config: configuration(claim, &chosen),
            },
            node_selector: node_selector(world, &picks)?,
            allocation_timestamp: None,
        });
    }
    Ok(results)
}

fn device(
    world: &World<'_>,
    claim: &ResourceClaim,
    pick: &Pick<'_, '_>,
    shares: &mut u32,
) -> DeviceRequestAllocationResult {
    let offer = world.offer(pick.place);
    let has_conditions = world.case.features.device_binding_and_status;
    let conditions = |list: &Option<Vec<Str>>| -> Vec<Str> {
        list.iter()
            .flatten()
            .filter(|_| has_conditions)
            .cloned()
            .collect()
    };
    let share_id = pick.is_share.then(|| {
        let id = format!("<share-{shares}>");
        *shares += 1;
        id.into()
    });
    let amounts: Map<Str, Quantity> = pick
        .amounts
        .iter()
        .map(|(name, amount)| (name.clone(), Quantity::from(amount.clone())))
        .collect();
    DeviceRequestAllocationResult {
        request: pick.alternative.full_name().into(),
        driver: offer.id.driver.clone(),
        pool: offer.id.pool.clone(),
        device: offer.id.device.clone(),
        admin_access: pick.alternative.is_admin.then_some(true),
        tolerations: tolerations(claim, pick.alternative).to_vec(),
        binding_conditions: conditions(&offer.device.binding_conditions),
        binding_failure_conditions: conditions(&offer.device.binding_failure_conditions),
        share_id,
        consumed_capacity: (!amounts.is_empty()).then_some(amounts),
        skip_node_operations: offer.slice.spec.skip_node_operations.to_vec(),
    }
}

/// Kubernetes finds the request by its name again, so of several with one name
/// the tolerations of the first are copied.
fn tolerations<'a>(
    claim: &'a ResourceClaim,
    alternative: &Alternative<'a>,
) -> &'a [DeviceToleration] {
    let mut named = claim
        .spec
        .devices
        .requests
        .iter()
        .filter(|request| *request.name == *alternative.request_name);
    match alternative.sub_name {
        None => named
            .find_map(|request| request.exactly.as_ref())
            .map(|it| &*it.tolerations),
        Some(sub) => named
            .flat_map(|request| &request.first_available)
            .find(|candidate| *candidate.name == *sub)
            .map(|it| &*it.tolerations),
    }
    .unwrap_or(alternative.tolerations)
}

/// That of each class once, for all requests of the class; then that of the
/// claim, where it names something that was chosen. What is for all requests
/// names none.
fn configuration(
    claim: &ResourceClaim,
    chosen: &[&Alternative<'_>],
) -> Vec<DeviceAllocationConfiguration> {
    let mut list = Vec::new();
    let mut classes: Vec<&str> = Vec::new();
    for alternative in chosen {
        let name = &*alternative.class.metadata.name;
        if classes.contains(&name) {
            continue;
        }
        classes.push(name);
        let same_class = chosen
            .iter()
            .filter(|other| *other.class.metadata.name == *name);
        let requests: Vec<Str> = same_class.map(|other| other.full_name().into()).collect();
        list.extend(alternative.class.spec.config.iter().map(|config| {
            DeviceAllocationConfiguration {
                source: "FromClass".into(),
                requests: requests.clone(),
                opaque: config.opaque.clone(),
            }
        }));
    }
    for config in &claim.spec.devices.config {
        let is_for_one = chosen
            .iter()
            .any(|alternative| alternative.is_named_in(&config.requests));
        if config.requests.is_empty() || is_for_one {
            list.push(DeviceAllocationConfiguration {
                source: "FromClaim".into(),
                requests: config.requests.clone(),
                opaque: config.opaque.clone(),
            });
        }
    }
    for config in &mut list {
        if chosen
            .iter()
            .all(|alternative| alternative.is_named_in(&config.requests))
        {
            config.requests.clear();
        }
    }
    list
}

/// The node alone if any device is tied to a node, else the requirements of all
/// devices together, each once.
fn node_selector(
    world: &World<'_>,
    picks: &[&Pick<'_, '_>],
) -> Result<Option<NodeSelector>, Failure> {
    let mut union = NodeSelectorTerm::default();
    for pick in picks {
        let offer = world.offer(pick.place);
        let spec = &offer.slice.spec;
        let (name, selector) = if spec.per_device_node_selection == Some(true) {
            (&offer.device.node_name, &offer.device.node_selector)
        } else {
            (&spec.node_name, &spec.node_selector)
        };
        // An empty name ties to the node too.
        if name.is_some() || offer.device.binds_to_node == Some(true) {
            return Ok(Some(only(world.case.node.metadata.name.clone())));
        }
        let Some(selector) = selector else { continue };
        match &*selector.node_selector_terms {
            [] => {}
            [term] => {
                add(&term.match_fields, &mut union.match_fields);
                add(&term.match_expressions, &mut union.match_expressions);
            }
            _ => {
                return Err(Failure::new(
                    FailureKind::NodeSelector,
                    "node selector with several terms, expected one",
                ));
            }
        }
    }
    let is_empty = union.match_fields.is_empty() && union.match_expressions.is_empty();
    Ok((!is_empty).then(|| NodeSelector {
        node_selector_terms: vec![union],
    }))
}

fn only(node: Str) -> NodeSelector {
    let requirement = NodeSelectorRequirement {
        key: "metadata.name".into(),
        operator: "In".into(),
        values: vec![node],
    };
    let term = NodeSelectorTerm {
        match_fields: vec![requirement],
        ..NodeSelectorTerm::default()
    };
    NodeSelector {
        node_selector_terms: vec![term],
    }
}

fn add(from: &[NodeSelectorRequirement], to: &mut Vec<NodeSelectorRequirement>) {
    let values = |requirement: &NodeSelectorRequirement| -> BTreeSet<Str> {
        requirement.values.iter().cloned().collect()
    };
    for requirement in from {
        let is_known = to.iter().any(|known| {
            known.key == requirement.key
                && known.operator == requirement.operator
                && values(known) == values(requirement)
        });
        if !is_known {
            to.push(requirement.clone());
        }
    }
}
