//! Selectors of nodes, names of nodes.

use super::names;
use super::report::{Path, Report};
use crate::model::{NodeSelector, NodeSelectorRequirement};

const LABEL_OPERATORS: &str = "`In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`";

/// Checks a selector of nodes.
pub(super) fn node_selector(report: &mut Report, path: &Path<'_>, selector: &NodeSelector) {
    let path = &path.field("nodeSelectorTerms");
    if selector.node_selector_terms.is_empty() {
        report.required(path, "at least one term");
    }
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        let path = &path.index(index);
        for (index, requirement) in term.match_expressions.iter().enumerate() {
            label(
                report,
                &path.field("matchExpressions").index(index),
                requirement,
            );
        }
        for (index, requirement) in term.match_fields.iter().enumerate() {
            field(report, &path.field("matchFields").index(index), requirement);
        }
    }
}

/// Says which of the ways to select nodes an object uses.
pub(super) struct Selection<'a> {
    pub(super) node_name: Option<&'a str>,
    pub(super) node_selector: Option<&'a NodeSelector>,
    pub(super) all_nodes: Option<bool>,
    /// Only slices have this way.
    pub(super) per_device: Option<bool>,
}

impl Selection<'_> {
    /// Returns whether any field is there, with whatever value.
    pub(super) fn is_used(&self) -> bool {
        self.node_name.is_some()
            || self.node_selector.is_some()
            || self.all_nodes.is_some()
            || self.per_device.is_some()
    }

    /// Checks that exactly one way is used, and that it is used well.
    pub(super) fn check(&self, report: &mut Report, path: &Path<'_>, ways: &str) {
        let mut used = 0;
        match self.node_name {
            None => {}
            Some("") => report.required(&path.field("nodeName"), "the name of a node or no field"),
            Some(name) => {
                used += 1;
                report.check(&path.field("nodeName"), names::dns_subdomain(name));
            }
        }
        if let Some(selector) = self.node_selector {
            used += 1;
            node_selector(report, &path.field("nodeSelector"), selector);
        }
        for (field, value) in [
            ("allNodes", self.all_nodes),
            ("perDeviceNodeSelection", self.per_device),
        ] {
            match value {
                None => {}
                Some(true) => used += 1,
                Some(false) => report.invalid(&path.field(field), "expected `true` or no field"),
            }
        }
        if used != 1 {
            report.invalid(
                path,
                format!("expected exactly one of {ways}, found {used}"),
            );
        }
    }
}

fn label(report: &mut Report, path: &Path<'_>, requirement: &NodeSelectorRequirement) {
    let found = requirement.values.len();
    let values = &path.field("values");
    match &*requirement.operator {
        "In" | "NotIn" if found == 0 => report.required(values, "at least one value"),
        "Exists" | "DoesNotExist" if found > 0 => {
            report.invalid(
                values,
                format!("expected no values for this operator, found {found}"),
            );
        }
        "Gt" | "Lt" if found != 1 => {
            report.invalid(values, format!("expected one value, found {found}"));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
        other => report.unsupported(&path.field("operator"), LABEL_OPERATORS, other),
    }
    report.check(&path.field("key"), names::label_key(&requirement.key));
    for (index, value) in requirement.values.iter().enumerate() {
        report.check(&values.index(index), names::label_value(value));
    }
}

fn field(report: &mut Report, path: &Path<'_>, requirement: &NodeSelectorRequirement) {
    let found = requirement.values.len();
    let values = &path.field("values");
    match &*requirement.operator {
        "In" | "NotIn" if found != 1 => {
            report.invalid(values, format!("expected one value, found {found}"));
        }
        "In" | "NotIn" => {}
        other => report.unsupported(&path.field("operator"), "`In` or `NotIn`", other),
    }
    if &*requirement.key != "metadata.name" {
        report.unsupported(&path.field("key"), "`metadata.name`", &requirement.key);
        return;
    }
    for (index, value) in requirement.values.iter().enumerate() {
        report.check(&values.index(index), names::dns_subdomain(value));
    }
}
