//! Which nodes a selector selects.

use dralloc::model::{Device, Node, NodeSelector, NodeSelectorRequirement, ResourceSlice};

use super::failure::{Failure, FailureKind};

/// Says whether a slice tells which nodes it is for, and whether this is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relevance {
    Relevant,
    OtherNode,
    /// No known way of choosing nodes: a future extension of the API.
    Unknown,
}

/// Returns whether a slice offers something to a node.
///
/// Of devices that choose nodes themselves, the first one that matches decides:
/// selectors of later ones are not looked at.
pub(super) fn slice_relevance(slice: &ResourceSlice, node: &Node) -> Result<Relevance, Failure> {
    let spec = &slice.spec;
    let name = spec.node_name.as_deref().unwrap_or_default();
    let all = spec.all_nodes.unwrap_or_default();
    if !name.is_empty() || all || spec.node_selector.is_some() {
        let matches = node_matches(node, name, all, spec.node_selector.as_deref())?;
        return Ok(if matches {
            Relevance::Relevant
        } else {
            Relevance::OtherNode
        });
    }
    if spec.per_device_node_selection != Some(true) {
        return Ok(Relevance::Unknown);
    }
    for device in &spec.devices {
        if device_matches(device, node)? {
            return Ok(Relevance::Relevant);
        }
    }
    Ok(Relevance::OtherNode)
}

/// Returns whether a device that chooses nodes itself chooses this one.
pub(super) fn device_matches(device: &Device, node: &Node) -> Result<bool, Failure> {
    node_matches(
        node,
        device.node_name.as_deref().unwrap_or_default(),
        device.all_nodes.unwrap_or_default(),
        device.node_selector.as_deref(),
    )
}

fn node_matches(
    node: &Node,
    name: &str,
    all: bool,
    selector: Option<&NodeSelector>,
) -> Result<bool, Failure> {
    if !name.is_empty() {
        return Ok(*node.metadata.name == *name);
    }
    if all {
        return Ok(true);
    }
    selector.map_or(Ok(false), |selector| selector_matches(selector, node))
}

/// A malformed term is an error even where another term matches.
fn selector_matches(selector: &NodeSelector, node: &Node) -> Result<bool, Failure> {
    for term in &selector.node_selector_terms {
        for requirement in &term.match_expressions {
            check_expression(requirement)?;
        }
        for requirement in &term.match_fields {
            check_field(requirement)?;
        }
    }
    Ok(selector.node_selector_terms.iter().any(|term| {
        let is_empty = term.match_expressions.is_empty() && term.match_fields.is_empty();
        !is_empty
            && term
                .match_expressions
                .iter()
                .all(|requirement| expression(requirement, node))
            && term
                .match_fields
                .iter()
                .all(|requirement| field(requirement, node))
    }))
}

fn expression(requirement: &NodeSelectorRequirement, node: &Node) -> bool {
    let label = node.metadata.labels.get(&*requirement.key);
    let number = |text: &str| text.parse::<i64>().ok();
    match &*requirement.operator {
        "In" => label.is_some_and(|label| requirement.values.contains(label)),
        "NotIn" => label.is_none_or(|label| !requirement.values.contains(label)),
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        operator => {
            let label = label.and_then(|label| number(label));
            let bound = requirement.values.first().and_then(|value| number(value));
            match (label, bound) {
                (Some(label), Some(bound)) if operator == "Gt" => label > bound,
                (Some(label), Some(bound)) => label < bound,
                _ => false,
            }
        }
    }
}

/// Only the name of a node is a field; others read as empty. A node without a
/// name has no fields, and requirements on them do not count.
fn field(requirement: &NodeSelectorRequirement, node: &Node) -> bool {
    let name = &*node.metadata.name;
    if name.is_empty() {
        return true;
    }
    let value = if &*requirement.key == "metadata.name" {
        name
    } else {
        ""
    };
    let is_equal = requirement
        .values
        .first()
        .is_some_and(|expected| **expected == *value);
    is_equal == (&*requirement.operator == "In")
}

fn check_expression(requirement: &NodeSelectorRequirement) -> Result<(), Failure> {
    let values = &requirement.values;
    let is_count_right = match &*requirement.operator {
        "In" | "NotIn" => !values.is_empty(),
        "Exists" | "DoesNotExist" => values.is_empty(),
        "Gt" | "Lt" => values.len() == 1 && values[0].parse::<i64>().is_ok(),
        _ => false,
    };
    let is_right = is_count_right
        && is_label_key(&requirement.key)
        && values
            .iter()
            .all(|value| value.is_empty() || is_label_name(value));
    if is_right {
        Ok(())
    } else {
        Err(malformed(requirement))
    }
}

fn check_field(requirement: &NodeSelectorRequirement) -> Result<(), Failure> {
    let is_known = matches!(&*requirement.operator, "In" | "NotIn");
    if is_known && requirement.values.len() == 1 {
        Ok(())
    } else {
        Err(malformed(requirement))
    }
}

fn malformed(requirement: &NodeSelectorRequirement) -> Failure {
    let NodeSelectorRequirement { key, operator, .. } = requirement;
    Failure::new(
        FailureKind::NodeSelector,
        format!("malformed requirement `{key} {operator}` in a node selector"),
    )
}

/// `[domain/]name` (`IsQualifiedName` of Kubernetes' validation).
fn is_label_key(key: &str) -> bool {
    match key.split_once('/') {
        Some((domain, name)) => is_domain(domain) && is_label_name(name),
        None => is_label_name(key),
    }
}

fn is_label_name(name: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    bytes.len() <= 63
        && is_end(bytes.first())
        && is_end(bytes.last())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// DNS-1123 subdomain.
fn is_domain(domain: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    domain.len() <= 253
        && domain.split('.').all(|label| {
            let bytes = label.as_bytes();
            bytes.first().is_some_and(|byte| is_inner(*byte))
                && bytes.last().is_some_and(|byte| is_inner(*byte))
                && bytes.iter().all(|byte| is_inner(*byte) || *byte == b'-')
        })
}
