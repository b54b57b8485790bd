//! Conditions that pods wait for before they are bound.

use std::collections::BTreeSet;

use super::report::{Path, Report};
use super::{limits, names};
use crate::model::Str;

/// Checks the two lists of conditions of a device; one needs the other.
pub(super) fn binding_conditions(
    report: &mut Report,
    path: &Path<'_>,
    conditions: &[Str],
    failure_conditions: &[Str],
) {
    let success = &path.field("bindingConditions");
    let failure = &path.field("bindingFailureConditions");
    list(report, success, conditions);
    list(report, failure, failure_conditions);
    let known: BTreeSet<&Str> = conditions.iter().collect();
    for (index, condition) in failure_conditions.iter().enumerate() {
        if known.contains(condition) {
            let message = "expected a condition that is not in `bindingConditions` too";
            report.invalid(&failure.index(index), message);
        }
    }
    if conditions.is_empty() != failure_conditions.is_empty() {
        if conditions.is_empty() {
            report.required(success, "conditions beside `bindingFailureConditions`");
        } else {
            report.required(failure, "conditions beside `bindingConditions`");
        }
    }
}

fn list(report: &mut Report, path: &Path<'_>, conditions: &[Str]) {
    if report.size(
        path,
        limits::BINDING_CONDITIONS,
        conditions.len(),
        "conditions",
    ) {
        for (index, condition) in conditions.iter().enumerate() {
            report.check(&path.index(index), names::label_key(condition));
        }
        report.unique(
            path,
            "condition",
            conditions.iter().map(|condition| &**condition),
        );
    }
}
