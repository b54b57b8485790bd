//! Whether a node selector chooses a node.

use dralloc::model::{Map, Node, NodeSelector, NodeSelectorRequirement, Str};

/// Returns whether a selector, such as an API server stores it, chooses a node.
pub(super) fn matches(selector: &NodeSelector, node: &Node) -> bool {
    selector.node_selector_terms.iter().any(|term| {
        let (expressions, fields) = (&term.match_expressions, &term.match_fields);
        !(expressions.is_empty() && fields.is_empty())
            && expressions
                .iter()
                .all(|one| label_matches(one, &node.metadata.labels))
            && fields
                .iter()
                .all(|one| name_matches(one, &node.metadata.name))
    })
}

fn label_matches(requirement: &NodeSelectorRequirement, labels: &Map<Str, Str>) -> bool {
    let label = labels.get(&requirement.key);
    let values = &requirement.values;
    let integers = || {
        let label = label?.parse::<i64>().ok()?;
        Some((label, values.first()?.parse::<i64>().ok()?))
    };
    match &*requirement.operator {
        "In" => label.is_some_and(|label| values.contains(label)),
        "NotIn" => label.is_none_or(|label| !values.contains(label)),
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        "Gt" => integers().is_some_and(|(label, value)| label > value),
        "Lt" => integers().is_some_and(|(label, value)| label < value),
        _ => false,
    }
}

fn name_matches(requirement: &NodeSelectorRequirement, name: &Str) -> bool {
    let is_name = &*requirement.key == "metadata.name" && requirement.values.contains(name);
    match &*requirement.operator {
        "In" => is_name,
        "NotIn" => !is_name,
        _ => false,
    }
}
