//! The form of an answer that Kubernetes stores.

use std::collections::BTreeSet;

use super::form::{DeviceForm, DevicesForm};
use super::picked::Picked;
use super::shares::Share;
use crate::claims::{Alternative, PreparedClaim};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    DeviceAllocationConfiguration, DeviceToleration, Node, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, Str,
};
use crate::rules;
use crate::store::{DeviceEntry, NodeView};

/// Returns the devices of a claim and their configuration.
pub(super) fn devices<'a>(
    claim: &'a PreparedClaim,
    chosen: &[&'a Alternative],
    picked: impl Iterator<Item = (&'a Picked, Option<&'a Share>)>,
    features: &Features,
    view: &'a NodeView,
) -> DevicesForm<'a> {
    let results = picked.map(|(picked, share)| {
        let alternative = chosen[picked.request as usize];
        result((picked, share), claim, alternative, features, view)
    });
    DevicesForm {
        results: results.collect(),
        config: config(claim, chosen),
    }
}

fn result<'a>(
    (picked, share): (&Picked, Option<&'a Share>),
    claim: &'a PreparedClaim,
    alternative: &'a Alternative,
    features: &Features,
    view: &'a NodeView,
) -> DeviceForm<'a> {
    let entry = view.entry(picked.device as usize);
    let (spec, device) = (&entry.stored.slice.spec, entry.device());
    let binding = features.device_binding_and_status;
    let conditions = |list: &'a Option<Vec<Str>>| {
        let list = list.as_deref().filter(|_| binding);
        list.unwrap_or_default()
    };
    let amounts = share.map_or(&[][..], |share| &share.amounts);
    let consumed = device.capacity.keys().cloned().zip(amounts.iter().cloned());
    DeviceForm {
        request: alternative.name.in_results(),
        driver: &spec.driver,
        pool: &spec.pool.name,
        device: &device.name,
        admin_access: picked.admin_access.then_some(true),
        tolerations: tolerations(claim, alternative),
        binding_conditions: conditions(&device.binding_conditions),
        binding_failure_conditions: conditions(&device.binding_failure_conditions),
        share_id: share.map(|share| share.id.text()),
        consumed_capacity: (!amounts.is_empty()).then(|| consumed.collect()),
        skip_node_operations: &spec.skip_node_operations,
    }
}

/// Returns the tolerations of a request; of several with one name, which the
/// API does not allow, the first counts as in Kubernetes.
fn tolerations<'a>(claim: &'a PreparedClaim, alternative: &Alternative) -> &'a [DeviceToleration] {
    let first = claim
        .alternatives()
        .find(|other| other.name == alternative.name);
    first.map_or(&[], |first| &first.tolerations)
}

/// Returns the configuration of the classes, each once and in the order of the
/// requests, and then that of the claim, as far as it is for what was chosen.
fn config(claim: &PreparedClaim, chosen: &[&Alternative]) -> Vec<DeviceAllocationConfiguration> {
    let mut config: Vec<DeviceAllocationConfiguration> = Vec::new();
    let mut classes: BTreeSet<&str> = BTreeSet::new();
    for alternative in chosen {
        let class = &alternative.class;
        if class.spec.config.is_empty() || !classes.insert(&class.metadata.name) {
            continue;
        }
        let of_class = |other: &&&Alternative| other.class.metadata.name == class.metadata.name;
        let requests: Vec<Str> = chosen
            .iter()
            .filter(of_class)
            .map(|other| other.name.in_results().into_owned())
            .collect();
        config.extend(
            class
                .spec
                .config
                .iter()
                .map(|one| DeviceAllocationConfiguration {
                    source: "FromClass".into(),
                    requests: requests.clone(),
                    opaque: one.opaque.clone(),
                }),
        );
    }
    for one in &claim.spec.config {
        let is_for = |alternative: &&Alternative| alternative.name.is_listed(&one.requests);
        if one.requests.is_empty() || chosen.iter().any(is_for) {
            config.push(DeviceAllocationConfiguration {
                source: "FromClaim".into(),
                requests: one.requests.clone(),
                opaque: one.opaque.clone(),
            });
        }
    }
    for one in &mut config {
        // An empty list means all requests.
        if chosen
            .iter()
            .all(|alternative| alternative.name.is_listed(&one.requests))
        {
            one.requests.clear();
        }
    }
    config
}

/// Returns the nodes where the devices of a claim can be used; none for all.
///
/// # Errors
///
/// [`Code::NodeSelector`] for a device whose selector has several terms: they
/// cannot be joined with those of other devices in one term.
pub(super) fn node_selector<'a>(
    devices: impl Iterator<Item = &'a DeviceEntry>,
    node: &Node,
) -> Result<Option<NodeSelector>, Error> {
    let mut joined = NodeSelectorTerm::default();
    for entry in devices {
        let (spec, device) = (&entry.stored.slice.spec, entry.device());
        let (name, selector) = rules::node_of(spec, device);
        if name.is_some() || device.binds_to_node == Some(true) {
            return Ok(Some(only(node)));
        }
        let terms = selector.map_or(&[][..], |selector| &selector.node_selector_terms);
        match terms {
            [] => {}
            [term] => {
                add(&mut joined.match_fields, &term.match_fields);
                add(&mut joined.match_expressions, &term.match_expressions);
            }
            terms => {
                let message = format!(
                    "device `{}` has a node selector with {} terms, expected at most one",
                    entry.id(),
                    terms.len()
                );
                return Err(Error::new(Code::NodeSelector, message));
            }
        }
    }
    let empty = joined.match_fields.is_empty() && joined.match_expressions.is_empty();
    Ok((!empty).then(|| NodeSelector {
        node_selector_terms: vec![joined],
    }))
}

fn only(node: &Node) -> NodeSelector {
    let requirement = NodeSelectorRequirement {
        key: Str::METADATA_NAME,
        operator: Str::IN,
        values: vec![node.metadata.name.clone()],
    };
    let term = NodeSelectorTerm {
        match_fields: vec![requirement],
        ..NodeSelectorTerm::default()
    };
    NodeSelector {
        node_selector_terms: vec![term],
    }
}

/// Adds requirements that are not there yet; the order of values has no meaning.
fn add(requirements: &mut Vec<NodeSelectorRequirement>, more: &[NodeSelectorRequirement]) {
    let values =
        |one: &NodeSelectorRequirement| -> BTreeSet<Str> { one.values.iter().cloned().collect() };
    for one in more {
        let known = requirements.iter().any(|other| {
            other.key == one.key && other.operator == one.operator && values(other) == values(one)
        });
        if !known {
            requirements.push(one.clone());
        }
    }
}
