//! The node selector of a claim selects the nodes that have all of its devices.

use std::collections::BTreeSet;

use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::{NodeSelector, NodeSelectorRequirement, Str};
use crate::rules;

/// Is one requirement: whether on a field, key, operator and values.
type Requirement = (bool, Str, Str, BTreeSet<Str>);

/// Compares the node selector of a result with what its devices demand. The
/// order of requirements and of values carries no meaning.
pub(super) fn check(
    world: &World<'_>,
    picks: &[&Pick<'_, '_>],
    found: Option<&NodeSelector>,
    path: &str,
    report: &mut Report,
) {
    let mut add = |message: String| report.add(ViolationCode::NodeSelector, path, message);
    let mut expected: BTreeSet<Requirement> = BTreeSet::new();
    // An empty name ties to the node too, as in Kubernetes.
    let is_tied = picks.iter().any(|pick| {
        rules::node_of(pick.offer.spec, pick.offer.device)
            .0
            .is_some()
            || pick.offer.device.binds_to_node == Some(true)
    });
    if is_tied {
        let node = world.node.metadata.name.clone();
        expected.insert((true, "metadata.name".into(), "In".into(), [node].into()));
    } else {
        for pick in picks {
            let selector = rules::node_of(pick.offer.spec, pick.offer.device).1;
            match selector.map(|selector| selector.node_selector_terms.as_slice()) {
                None | Some([]) => {}
                Some([term]) => {
                    expected.extend(requirements(true, &term.match_fields));
                    expected.extend(requirements(false, &term.match_expressions));
                }
                Some(terms) => {
                    add(format!(
                        "device `{}` has a selector with {} terms, expected at most one",
                        pick.offer.id(),
                        terms.len()
                    ));
                    return;
                }
            }
        }
    }
    let terms = found.map(|selector| selector.node_selector_terms.as_slice());
    match (terms, expected.is_empty()) {
        (None, true) => {}
        (Some(_), true) => add("there is one, expected none: all nodes have the devices".into()),
        (Some([term]), false) => {
            let mut found: BTreeSet<Requirement> = BTreeSet::new();
            found.extend(requirements(true, &term.match_fields));
            found.extend(requirements(false, &term.match_expressions));
            if let Some((_, key, operator, _)) = expected.difference(&found).next() {
                add(format!(
                    "no requirement `{key} {operator}` as of a device, expected it"
                ));
            }
            if let Some((_, key, operator, _)) = found.difference(&expected).next() {
                add(format!(
                    "a requirement `{key} {operator}` of no device, expected none"
                ));
            }
        }
        (terms, false) => {
            let count = terms.map_or(0, <[_]>::len);
            add(format!("{count} terms, expected one"));
        }
    }
}

fn requirements(
    is_field: bool,
    list: &[NodeSelectorRequirement],
) -> impl Iterator<Item = Requirement> + '_ {
    list.iter().map(move |one| {
        let values = one.values.iter().cloned().collect();
        (is_field, one.key.clone(), one.operator.clone(), values)
    })
}
