//! Constraints of claims.

use super::report::{Path, Report};
use super::resource_claim::{RequestNames, references};
use super::{limits, names};
use crate::features::Features;
use crate::model::DeviceConstraint;

/// Checks the constraints of a claim.
pub(super) fn constraints(
    report: &mut Report,
    path: &Path<'_>,
    constraints: &[DeviceConstraint],
    names: &RequestNames<'_>,
    features: Features,
) {
    if report.size(path, limits::CONSTRAINTS, constraints.len(), "constraints") {
        for (index, constraint) in constraints.iter().enumerate() {
            let path = &path.index(index);
            references(report, &path.field("requests"), &constraint.requests, names);
            kind(report, path, constraint, features);
        }
    }
}

fn kind(report: &mut Report, path: &Path<'_>, constraint: &DeviceConstraint, features: Features) {
    let match_attribute = constraint.match_attribute.as_deref();
    let distinct_attribute = constraint.distinct_attribute.as_deref();
    if let Some(name) = match_attribute {
        report.check(&path.field("matchAttribute"), names::fully_qualified(name));
    }
    let Some(name) = distinct_attribute.filter(|_| features.consumable_capacity) else {
        return match (match_attribute, distinct_attribute) {
            (Some(_), _) => {}
            (None, Some(_)) => {
                report.disabled(&path.field("distinctAttribute"), "DRAConsumableCapacity");
            }
            (None, None) => {
                report.required(path, "one of `matchAttribute` and `distinctAttribute`");
            }
        };
    };
    report.check(
        &path.field("distinctAttribute"),
        names::fully_qualified(name),
    );
    if match_attribute.is_some() {
        report.invalid(
            path,
            "expected one of `matchAttribute` and `distinctAttribute`, found both",
        );
    }
}
