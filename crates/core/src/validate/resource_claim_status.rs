//! What was given for a claim.

use std::collections::BTreeSet;

use super::binding::binding_conditions;
use super::node_operations::skip_node_operations;
use super::report::{Path, Quoted, Report};
use super::resource_claim::{RequestNames, references};
use super::{configuration, limits, names, node_selector, taint};
use crate::error::Code;
use crate::features::Features;
use crate::model::{
    DeviceAllocationConfiguration, DeviceRequestAllocationResult, ResourceClaimStatus,
};

/// Checks the status of a claim.
pub(super) fn status(
    report: &mut Report,
    path: &Path<'_>,
    status: &ResourceClaimStatus,
    requests: &RequestNames<'_>,
    features: Features,
) {
    reserved_for(report, &path.field("reservedFor"), status);
    let Some(allocation) = &status.allocation else {
        return;
    };
    let path = &path.field("allocation");
    let devices = &path.field("devices");
    let results = &devices.field("results");
    if report.size(
        results,
        limits::RESULTS,
        allocation.devices.results.len(),
        "results",
    ) {
        for (index, item) in allocation.devices.results.iter().enumerate() {
            result(report, &results.index(index), item, requests, features);
        }
        unique_shares(report, results, &allocation.devices.results);
    }
    let configs = &devices.field("config");
    let limit = limits::ALLOCATION_CONFIGS;
    if report.size(
        configs,
        limit,
        allocation.devices.config.len(),
        "configurations",
    ) {
        for (index, item) in allocation.devices.config.iter().enumerate() {
            config(report, &configs.index(index), item, requests);
        }
    }
    if let Some(selector) = &allocation.node_selector {
        node_selector::node_selector(report, &path.field("nodeSelector"), selector);
    }
}

fn reserved_for(report: &mut Report, path: &Path<'_>, status: &ResourceClaimStatus) {
    let users = &status.reserved_for;
    if !report.size(path, limits::RESERVED_FOR, users.len(), "users") {
        return;
    }
    for (index, user) in users.iter().enumerate() {
        let path = &path.index(index);
        for (field, value, what) in [
            ("resource", &user.resource, "a resource such as `pods`"),
            ("name", &user.name, "the name of the user"),
            ("uid", &user.uid, "the uid of the user"),
        ] {
            if value.is_empty() {
                report.required(&path.field(field), what);
            }
        }
    }
    report.unique(path, "uid", users.iter().map(|user| &*user.uid));
    if !users.is_empty() && status.allocation.is_none() {
        report.invalid(path, "expected no users of a claim that is not allocated");
    }
}

fn result(
    report: &mut Report,
    path: &Path<'_>,
    result: &DeviceRequestAllocationResult,
    requests: &RequestNames<'_>,
    features: Features,
) {
    report.check(&path.field("request"), requests.check(&result.request));
    report.check(&path.field("driver"), names::driver(&result.driver));
    report.check(&path.field("pool"), names::pool(&result.pool));
    report.check(&path.field("device"), names::dns_label(&result.device));
    if features.device_taints {
        taint::tolerations(report, &path.field("tolerations"), &result.tolerations);
    }
    if features.device_binding_and_status {
        let failures = &result.binding_failure_conditions;
        binding_conditions(report, path, &result.binding_conditions, failures);
    }
    if features.consumable_capacity
        && let Some(share) = &result.share_id
    {
        report.check(&path.field("shareID"), names::uuid(share));
    }
    if features.optional_node_operations {
        let path = &path.field("skipNodeOperations");
        skip_node_operations(report, path, &result.skip_node_operations);
    }
}

fn unique_shares(report: &mut Report, path: &Path<'_>, results: &[DeviceRequestAllocationResult]) {
    let mut seen = BTreeSet::new();
    for (index, result) in results.iter().enumerate() {
        let share = (
            &result.driver,
            &result.pool,
            &result.device,
            &result.share_id,
        );
        if !seen.insert(share) {
            let message = format!(
                "duplicate device {}, expected each share once",
                Quoted(&result.device)
            );
            report.add(Code::Duplicate, &path.index(index), message);
        }
    }
}

fn config(
    report: &mut Report,
    path: &Path<'_>,
    config: &DeviceAllocationConfiguration,
    requests: &RequestNames<'_>,
) {
    if !matches!(&*config.source, "FromClass" | "FromClaim") {
        let expected = "`FromClass` or `FromClaim`";
        report.unsupported(&path.field("source"), expected, &config.source);
    }
    references(report, &path.field("requests"), &config.requests, requests);
    configuration::opaque(report, path, config.opaque.as_ref());
}
