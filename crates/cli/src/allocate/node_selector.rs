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

#[cfg(test)]
mod tests {
    use dralloc::model::NodeSelectorTerm;

    use super::*;

    fn requirement(key: &str, operator: &str, values: &[&str]) -> NodeSelectorRequirement {
        NodeSelectorRequirement {
            key: key.into(),
            operator: operator.into(),
            values: values.iter().map(|&value| value.into()).collect(),
        }
    }

    fn is_chosen(term: NodeSelectorTerm) -> bool {
        let node = Node::new("node-1", [("zone", "a"), ("gen", "5")]);
        let selector = NodeSelector {
            node_selector_terms: vec![term],
        };
        matches(&selector, &node)
    }

    #[test]
    fn labels_are_compared() {
        for (key, operator, values, expected) in [
            ("zone", "In", &["b", "a"][..], true),
            ("zone", "In", &["b"], false),
            ("none", "In", &["a"], false),
            ("zone", "NotIn", &["a"], false),
            ("none", "NotIn", &["a"], true),
            ("zone", "Exists", &[], true),
            ("none", "DoesNotExist", &[], true),
            ("gen", "Gt", &["4"], true),
            ("gen", "Lt", &["5"], false),
            ("zone", "Gt", &["4"], false),
            ("zone", "Is", &["a"], false),
        ] {
            let match_expressions = vec![requirement(key, operator, values)];
            let term = NodeSelectorTerm {
                match_expressions,
                ..NodeSelectorTerm::default()
            };
            assert_eq!(is_chosen(term), expected, "{key} {operator} {values:?}");
        }
    }

    #[test]
    fn names_are_compared() {
        for (key, operator, value, expected) in [
            ("metadata.name", "In", "node-1", true),
            ("metadata.name", "In", "node-2", false),
            ("metadata.name", "NotIn", "node-1", false),
            ("metadata.uid", "In", "node-1", false),
        ] {
            let match_fields = vec![requirement(key, operator, &[value])];
            let term = NodeSelectorTerm {
                match_fields,
                ..NodeSelectorTerm::default()
            };
            assert_eq!(is_chosen(term), expected, "{key} {operator} {value}");
        }
        assert!(!is_chosen(NodeSelectorTerm::default()));
    }
}
