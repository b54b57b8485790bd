//! Which nodes have a slice or a device.

use super::name_format::{is_dns_subdomain, is_label_name};
use crate::error::{Code, Error};
use crate::model::{
    Device, Map, Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ResourceSlice, Str,
};

/// Longest value of a label (`meta/v1`).
const LABEL_VALUE_MAX_LENGTH: usize = 63;

/// Longest DNS subdomain (RFC 1123).
const DNS_SUBDOMAIN_MAX_LENGTH: usize = 253;

/// Is how a slice or a device says where it is.
#[derive(Clone, Copy)]
pub(crate) enum NodeSelection<'a> {
    /// On the node of this name.
    Name(&'a str),
    /// On every node.
    All,
    /// On the nodes that a selector chooses.
    Selector(&'a NodeSelector),
    /// On no node, or in a way that is not known here.
    None,
}

impl<'a> NodeSelection<'a> {
    /// A name counts before `allNodes`, and that before a selector; an empty name is none.
    fn new(name: Option<&'a Str>, all: Option<bool>, selector: Option<&'a NodeSelector>) -> Self {
        match (
            name.map_or("", |name| &**name),
            all.unwrap_or(false),
            selector,
        ) {
            ("", true, _) => Self::All,
            ("", false, Some(selector)) => Self::Selector(selector),
            ("", false, None) => Self::None,
            (name, ..) => Self::Name(name),
        }
    }

    /// Returns what a slice says for all its devices.
    pub(crate) fn of_slice(slice: &'a ResourceSlice) -> Self {
        let spec = &slice.spec;
        Self::new(
            spec.node_name.as_ref(),
            spec.all_nodes,
            spec.node_selector.as_deref(),
        )
    }

    /// Returns what a device says for itself.
    pub(crate) fn of_device(device: &'a Device) -> Self {
        Self::new(
            device.node_name.as_ref(),
            device.all_nodes,
            device.node_selector.as_deref(),
        )
    }

    /// Returns whether a node is among the nodes.
    ///
    /// # Errors
    ///
    /// [`Code::NodeSelector`] if a selector is malformed, whatever else it matches.
    pub(crate) fn on_node(self, node: &Node) -> Result<bool, Error> {
        match self {
            Self::Name(name) => Ok(*name == *node.metadata.name),
            Self::All => Ok(true),
            Self::Selector(selector) => selector.matches(node),
            Self::None => Ok(false),
        }
    }
}

impl NodeSelector {
    /// Returns whether any term matches a node (`core/v1 NodeSelector`).
    ///
    /// # Errors
    ///
    /// [`Code::NodeSelector`] with the path of the first malformed requirement,
    /// also where another term matches.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{Node, NodeSelector};
    ///
    /// let selector: NodeSelector = serde_json::from_str(
    ///     r#"{"nodeSelectorTerms": [{"matchExpressions":
    ///         [{"key": "zone", "operator": "In", "values": ["a"]}]}]}"#,
    /// )?;
    /// assert!(selector.matches(&Node::new("node-1", [("zone", "a")]))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(&self, node: &Node) -> Result<bool, Error> {
        check_selector(self)?;
        Ok(selector_matches(self, node))
    }
}

/// Checks that every requirement of a selector can be evaluated.
pub(super) fn check_selector(selector: &NodeSelector) -> Result<(), Error> {
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        let path = |list: &str, place: usize| format!("nodeSelectorTerms[{index}].{list}[{place}]");
        for (place, requirement) in term.match_expressions.iter().enumerate() {
            check_expression(requirement)
                .map_err(|error| error.under(&path("matchExpressions", place)))?;
        }
        for (place, requirement) in term.match_fields.iter().enumerate() {
            check_field(requirement).map_err(|error| error.under(&path("matchFields", place)))?;
        }
    }
    Ok(())
}

fn malformed(message: String, field: &str) -> Error {
    Error::new(Code::NodeSelector, message).at(field)
}

fn check_expression(requirement: &NodeSelectorRequirement) -> Result<(), Error> {
    let values = &requirement.values;
    match &*requirement.operator {
        "In" | "NotIn" if values.is_empty() => {
            return Err(malformed(
                "no values, expected at least one".into(),
                "values",
            ));
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            return Err(malformed(
                format!("{} values, expected none", values.len()),
                "values",
            ));
        }
        "Gt" | "Lt" => match values.as_slice() {
            [value] if parse_integer(value).is_some() => {}
            [value] => {
                return Err(malformed(
                    format!("`{value}`, expected an integer"),
                    "values",
                ));
            }
            _ => {
                return Err(malformed(
                    format!("{} values, expected one", values.len()),
                    "values",
                ));
            }
        },
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        other => {
            return Err(malformed(
                format!("`{other}`, expected In, NotIn, Exists, DoesNotExist, Gt or Lt"),
                "operator",
            ));
        }
    }
    if !is_label_key(&requirement.key) {
        return Err(malformed(
            format!("`{}`, expected a label key", requirement.key),
            "key",
        ));
    }
    match values.iter().find(|value| !is_label_value(value)) {
        Some(value) => Err(malformed(
            format!("`{value}`, expected a label value"),
            "values",
        )),
        None => Ok(()),
    }
}

fn check_field(requirement: &NodeSelectorRequirement) -> Result<(), Error> {
    match (&*requirement.operator, requirement.values.len()) {
        ("In" | "NotIn", 1) => Ok(()),
        ("In" | "NotIn", count) => {
            Err(malformed(format!("{count} values, expected one"), "values"))
        }
        (other, _) => Err(malformed(
            format!("`{other}`, expected In or NotIn"),
            "operator",
        )),
    }
}

/// Accepts what Go's `strconv.ParseInt` accepts in base 10.
fn parse_integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Is `[prefix/]name` with a DNS subdomain as prefix.
fn is_label_key(key: &str) -> bool {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    !name.is_empty() && is_label_value(name) && prefix.is_none_or(is_subdomain)
}

fn is_label_value(value: &str) -> bool {
    value.len() <= LABEL_VALUE_MAX_LENGTH && (value.is_empty() || is_label_name(value))
}

fn is_subdomain(name: &str) -> bool {
    name.len() <= DNS_SUBDOMAIN_MAX_LENGTH && is_dns_subdomain(name)
}

/// Returns whether any term of a selector that was checked matches a node.
pub(super) fn selector_matches(selector: &NodeSelector, node: &Node) -> bool {
    selector
        .node_selector_terms
        .iter()
        .any(|term| term_matches(term, node))
}

fn term_matches(term: &NodeSelectorTerm, node: &Node) -> bool {
    if term.match_expressions.is_empty() && term.match_fields.is_empty() {
        return false;
    }
    let labels = &node.metadata.labels;
    term.match_expressions
        .iter()
        .all(|requirement| expression_matches(requirement, labels))
        && (node.metadata.name.is_empty()
            || term
                .match_fields
                .iter()
                .all(|requirement| field_matches(requirement, node)))
}

fn expression_matches(requirement: &NodeSelectorRequirement, labels: &Map<Str, Str>) -> bool {
    let label = labels.get(&*requirement.key);
    let values = &requirement.values;
    let compare = |holds: fn(&i64, &i64) -> bool| {
        let label = label.and_then(|label| parse_integer(label));
        let value = values.first().and_then(|value| parse_integer(value));
        label
            .zip(value)
            .is_some_and(|(label, value)| holds(&label, &value))
    };
    match &*requirement.operator {
        "In" => label.is_some_and(|label| values.contains(label)),
        "NotIn" => label.is_none_or(|label| !values.contains(label)),
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        "Gt" => compare(i64::gt),
        "Lt" => compare(i64::lt),
        _ => false,
    }
}

/// Only `metadata.name` is a field; any other reads as empty.
fn field_matches(requirement: &NodeSelectorRequirement, node: &Node) -> bool {
    let field = if &*requirement.key == "metadata.name" {
        &*node.metadata.name
    } else {
        ""
    };
    let equal = requirement
        .values
        .first()
        .is_some_and(|value| &**value == field);
    equal == (&*requirement.operator == "In")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(key: &str, operator: &str, values: &[&str]) -> NodeSelectorRequirement {
        NodeSelectorRequirement {
            key: key.into(),
            operator: operator.into(),
            values: values.iter().map(|&value| value.into()).collect(),
        }
    }

    fn expressions(requirements: &[NodeSelectorRequirement]) -> NodeSelector {
        NodeSelector {
            node_selector_terms: vec![NodeSelectorTerm {
                match_expressions: requirements.to_vec(),
                match_fields: vec![],
            }],
        }
    }

    fn on_node(selector: &NodeSelector) -> Result<bool, String> {
        let node = Node::new("node-1", [("zone", "a"), ("gen", "5"), ("odd", "x5")]);
        NodeSelection::Selector(selector)
            .on_node(&node)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn expressions_compare_labels() {
        for (key, operator, values, expected) in [
            ("zone", "In", &["b", "a"][..], true),
            ("none", "In", &["a"], false),
            ("zone", "NotIn", &["a"], false),
            ("none", "NotIn", &["a"], true),
            ("zone", "Exists", &[], true),
            ("none", "DoesNotExist", &[], true),
            ("gen", "Gt", &["4"], true),
            ("gen", "Gt", &["5"], false),
            ("gen", "Lt", &["6"], true),
            ("odd", "Lt", &["6"], false),
        ] {
            let selector = expressions(&[requirement(key, operator, values)]);
            assert_eq!(
                on_node(&selector),
                Ok(expected),
                "{key} {operator} {values:?}"
            );
        }
    }

    #[test]
    fn malformed_requirements_are_errors() {
        for (key, operator, values, expected) in [
            (
                "zone",
                "Is",
                &["a"][..],
                "operator: `Is`, expected In, NotIn, Exists, DoesNotExist, Gt or Lt",
            ),
            (
                "zone",
                "In",
                &[],
                "values: no values, expected at least one",
            ),
            ("zone", "Exists", &["a"], "values: 1 values, expected none"),
            ("zone", "Gt", &["x"], "values: `x`, expected an integer"),
            ("zone!", "Exists", &[], "key: `zone!`, expected a label key"),
            (
                "zone",
                "In",
                &["a b"],
                "values: `a b`, expected a label value",
            ),
        ] {
            let selector = expressions(&[requirement(key, operator, values)]);
            let expected = format!("nodeSelectorTerms[0].matchExpressions[0].{expected}");
            assert_eq!(on_node(&selector), Err(expected));
        }
    }

    #[test]
    fn empty_selectors_and_terms_match_nothing() {
        assert_eq!(on_node(&NodeSelector::default()), Ok(false));
        assert_eq!(on_node(&expressions(&[])), Ok(false));
    }

    #[test]
    fn fields_compare_the_name() {
        for (key, operator, value, expected) in [
            ("metadata.name", "In", "node-1", true),
            ("metadata.name", "NotIn", "node-1", false),
            ("metadata.uid", "In", "node-1", false),
            ("metadata.uid", "In", "", true),
        ] {
            let selector = NodeSelector {
                node_selector_terms: vec![NodeSelectorTerm {
                    match_expressions: vec![],
                    match_fields: vec![requirement(key, operator, &[value])],
                }],
            };
            assert_eq!(on_node(&selector), Ok(expected), "{key} {operator} {value}");
        }
    }

    #[test]
    fn a_name_counts_before_all_nodes_and_an_empty_name_is_none() {
        let device = |name: &str, all| {
            let json = format!(r#"{{"name":"d","nodeName":"{name}","allNodes":{all}}}"#);
            crate::wire::from_json::<Device>(&json).unwrap()
        };
        let node = Node::new("node-1", []);
        let on = |device: &Device| NodeSelection::of_device(device).on_node(&node);
        assert_eq!(on(&device("node-2", true)), Ok(false));
        assert_eq!(on(&device("", true)), Ok(true));
        assert_eq!(on(&device("", false)), Ok(false));
    }
}
