//! Device health.

use super::device_hold::device_id;
use super::metadata::{self, Reach};
use super::names;
use super::report::{Path, Report};
use super::topology::attribute_match;
use crate::error::Error;
use crate::model::DeviceHealth;

/// Returns what is wrong with the health of a device.
///
/// # Examples
///
/// ```
/// use dralloc::{model::DeviceHealth, validate};
///
/// let health: DeviceHealth = serde_json::from_str(
///     r#"{"metadata": {"name": "gpu-3"}, "spec": {
///         "device": {"driver": "gpu.example.com", "pool": "node-1", "device": "gpu-3"},
///         "failures": [{"time": "yesterday", "reason": "xid-79"}]}}"#,
/// )?;
/// let errors = validate::device_health(&health);
/// assert_eq!(errors[0].path(), "spec.failures[0].time");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn device_health(health: &DeviceHealth) -> Vec<Error> {
    let mut errors = Report::default();
    let report = &mut errors;
    metadata::object(report, &health.metadata, Reach::Cluster);
    let (spec, path) = (&health.spec, &Path::root("spec"));
    match (&spec.device, &spec.matches) {
        (Some(device), None) => device_id(report, &path.field("device"), device),
        (None, Some(matches)) => attribute_match(report, &path.field("match"), matches),
        (Some(_), Some(_)) => {
            report.invalid(path, "expected either `device` or `match`, found both");
        }
        (None, None) => report.required(path, "`device` or `match`"),
    }
    if let Some(node) = &spec.node_name {
        let path = &path.field("nodeName");
        if spec.device.is_some() {
            report.invalid(path, "expected no node beside `device`");
        }
        report.check(path, names::dns_subdomain(node));
    }
    let failures = &path.field("failures");
    for (index, failure) in spec.failures.iter().enumerate() {
        let path = &failures.index(index);
        report.check(&path.field("time"), names::timestamp(&failure.time));
        if failure.reason.is_empty() {
            report.required(&path.field("reason"), "a reason");
        }
        if let Some(weight) = failure.weight.filter(|weight| *weight < 1) {
            let message = format!("expected 1 or more, found {weight}");
            report.invalid(&path.field("weight"), message);
        }
    }
    errors.into_errors()
}
