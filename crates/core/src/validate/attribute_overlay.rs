//! Attribute overlays.

use super::device::attributes;
use super::metadata::{self, Reach};
use super::node_selector::node_selector;
use super::report::{Path, Quoted, Report};
use super::{device_hold, limits, names};
use crate::error::Error;
use crate::features::Features;
use crate::model::{AttributeOverlay, AttributeRename, NodeSelector, Str};

/// Returns what is wrong with an overlay; attributes follow the rules that the
/// API server has for those of devices.
///
/// How many attributes a device may have is not checked: that depends on what
/// its driver publishes.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::AttributeOverlay, validate};
///
/// let mut overlay = AttributeOverlay::default();
/// overlay.metadata.name = "rails".into();
/// let errors = validate::attribute_overlay(&overlay, &Features::all());
/// assert_eq!(errors[0].path(), "spec.selector");
/// ```
pub fn attribute_overlay(overlay: &AttributeOverlay, features: &Features) -> Vec<Error> {
    let mut errors = Report::default();
    let report = &mut errors;
    metadata::object(report, &overlay.metadata, Reach::Cluster);
    let (spec, path) = (&overlay.spec, &Path::root("spec"));
    match &spec.selector {
        None => report.required(&path.field("selector"), "a selector, `{}` for all devices"),
        Some(selector) => {
            let path = &path.field("selector");
            let names = [&selector.driver, &selector.pool, &selector.device];
            device_hold::names(report, path, names);
            if let Some(nodes) = &selector.node_selector {
                let path = &path.field("nodeSelector");
                node_selector(report, path, nodes);
                not_an_integer(report, path, nodes);
            }
            let path = &path.field("attributes");
            attributes(report, path, &selector.attributes, *features);
        }
    }
    renames(report, &path.field("rename"), &spec.rename);
    attributes(
        report,
        &path.field("attributes"),
        &spec.attributes,
        *features,
    );
    errors.into_errors()
}

/// The API server takes such selectors, which then match nothing.
fn not_an_integer(report: &mut Report, path: &Path<'_>, selector: &NodeSelector) {
    let path = &path.field("nodeSelectorTerms");
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        let term_path = path.index(index);
        let path = &term_path.field("matchExpressions");
        for (index, requirement) in term.match_expressions.iter().enumerate() {
            let compares = matches!(&*requirement.operator, "Gt" | "Lt");
            let bad = |value: &&Str| compares && value.parse::<i64>().is_err();
            if let Some(value) = requirement.values.iter().find(bad) {
                let message = format!("expected an integer, found {}", Quoted(value));
                report.invalid(&path.index(index).field("values"), message);
            }
        }
    }
}

fn renames(report: &mut Report, path: &Path<'_>, renames: &[AttributeRename]) {
    let limit = limits::ATTRIBUTES_AND_CAPACITIES;
    if !report.size(path, limit, renames.len(), "renames") {
        return;
    }
    for (index, rename) in renames.iter().enumerate() {
        let path = &path.index(index);
        report.check(&path.field("from"), names::qualified(&rename.from));
        report.check(&path.field("to"), names::qualified(&rename.to));
    }
    report.unique(path, "name", renames.iter().map(|rename| &*rename.from));
    report.unique(path, "name", renames.iter().map(|rename| &*rename.to));
}
