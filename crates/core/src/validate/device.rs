//! Devices of slices.

use super::binding::binding_conditions;
use super::capacity::capacity;
use super::node_selector::Selection;
use super::report::{Path, Report};
use super::{limits, names, resource_slice, taint};
use crate::features::Features;
use crate::model::{Device, DeviceAttribute, DeviceCounterConsumption, Map, QualifiedName, Str};

/// Checks one device; `per_device` says whether devices select their nodes.
pub(super) fn device(
    report: &mut Report,
    path: &Path<'_>,
    device: &Device,
    per_device: bool,
    features: Features,
) {
    report.check(&path.field("name"), names::dns_label(&device.name));
    attributes_and_capacity(report, path, device, features);
    if features.device_taints {
        taint::taints(report, &path.field("taints"), &device.taints);
    }
    if features.partitionable_devices {
        let consumed = &device.consumes_counters;
        consumes_counters(report, &path.field("consumesCounters"), consumed, features);
        node_selection(report, path, device, per_device);
    }
    if features.device_binding_and_status {
        let conditions = device.binding_conditions.as_deref().unwrap_or_default();
        let failures = device
            .binding_failure_conditions
            .as_deref()
            .unwrap_or_default();
        binding_conditions(report, path, conditions, failures);
    }
}

fn attributes_and_capacity(
    report: &mut Report,
    path: &Path<'_>,
    device: &Device,
    features: Features,
) {
    let (attributes, capacities) = (&device.attributes, &device.capacity);
    let found = attributes.len() + capacities.len();
    let limit = limits::ATTRIBUTES_AND_CAPACITIES;
    if !report.size(path, limit, found, "attributes and capacities") {
        return;
    }
    let values = attributes
        .values()
        .map(|value| list_length(value).unwrap_or(1).max(1))
        .sum();
    report.size(path, limits::ATTRIBUTE_VALUES, values, "attribute values");
    self::attributes(report, &path.field("attributes"), attributes, features);
    let capacities_path = &path.field("capacity");
    let shared = device.allow_multiple_allocations == Some(true);
    for (name, value) in capacities {
        report.check(capacities_path, names::qualified(name));
        capacity(report, &capacities_path.key(name), value, shared, features);
    }
}

/// Checks attributes that are not those of a published device.
pub(super) fn attributes(
    report: &mut Report,
    path: &Path<'_>,
    attributes: &Map<QualifiedName, DeviceAttribute>,
    features: Features,
) {
    let limit = limits::ATTRIBUTES_AND_CAPACITIES;
    if report.size(path, limit, attributes.len(), "attributes") {
        for (name, value) in attributes {
            report.check(path, names::qualified(name));
            attribute(report, &path.key(name), value, features);
        }
    }
}

/// Returns how many values an attribute has that is a list.
pub(super) fn list_length(attribute: &DeviceAttribute) -> Option<usize> {
    match attribute {
        DeviceAttribute::Ints(values) => Some(values.len()),
        DeviceAttribute::Bools(values) => Some(values.len()),
        DeviceAttribute::Strings(values) | DeviceAttribute::Versions(values) => Some(values.len()),
        _ => None,
    }
}

fn attribute(report: &mut Report, path: &Path<'_>, value: &DeviceAttribute, features: Features) {
    if list_length(value).is_some() && !features.list_type_attributes {
        return report.disabled(path, "DRAListTypeAttributes");
    }
    match value {
        DeviceAttribute::Int(_) | DeviceAttribute::Bool(_) => {}
        DeviceAttribute::String(text) => string(report, &path.field("string"), text),
        DeviceAttribute::Version(text) => {
            report.check(&path.field("version"), names::version(text));
        }
        DeviceAttribute::Ints(values) => not_empty(report, &path.field("ints"), values),
        DeviceAttribute::Bools(values) => not_empty(report, &path.field("bools"), values),
        DeviceAttribute::Strings(values) => {
            let path = &path.field("strings");
            not_empty(report, path, values);
            for (index, text) in values.iter().enumerate() {
                string(report, &path.index(index), text);
            }
        }
        DeviceAttribute::Versions(values) => {
            let path = &path.field("versions");
            not_empty(report, path, values);
            for (index, text) in values.iter().enumerate() {
                report.check(&path.index(index), names::version(text));
            }
        }
        DeviceAttribute::Unknown => {
            report.invalid(path, "expected exactly one of the types of attributes");
        }
    }
}

fn string(report: &mut Report, path: &Path<'_>, text: &str) {
    report.size(path, limits::ATTRIBUTE_VALUE_BYTES, text.len(), "bytes");
}

fn not_empty<T>(report: &mut Report, path: &Path<'_>, values: &[T]) {
    if values.is_empty() {
        report.required(path, "at least one value");
    }
}

fn consumes_counters(
    report: &mut Report,
    path: &Path<'_>,
    consumed: &[DeviceCounterConsumption],
    features: Features,
) {
    if !report.size(
        path,
        limits::COUNTER_CONSUMPTIONS,
        consumed.len(),
        "counter sets",
    ) {
        return;
    }
    for (index, item) in consumed.iter().enumerate() {
        let path = &path.index(index);
        report.check(
            &path.field("counterSet"),
            names::dns_label(&item.counter_set),
        );
        resource_slice::counters(report, &path.field("counters"), &item.counters);
        if features.compatibility_groups {
            groups(
                report,
                &path.field("compatibilityGroups"),
                &item.compatibility_groups,
            );
        }
    }
    report.unique(
        path,
        "counter set",
        consumed.iter().map(|item| &*item.counter_set),
    );
}

fn groups(report: &mut Report, path: &Path<'_>, groups: &[Str]) {
    if report.size(path, limits::COMPATIBILITY_GROUPS, groups.len(), "groups") {
        for (index, group) in groups.iter().enumerate() {
            report.check(&path.index(index), names::dns_label(group));
        }
        report.unique(path, "group", groups.iter().map(|group| &**group));
    }
}

fn node_selection(report: &mut Report, path: &Path<'_>, device: &Device, per_device: bool) {
    let selection = Selection {
        node_name: device.node_name.as_deref(),
        node_selector: device.node_selector.as_deref(),
        all_nodes: device.all_nodes,
        per_device: None,
    };
    if per_device {
        selection.check(report, path, "`nodeName`, `nodeSelector` and `allNodes`");
    } else if selection.is_used() {
        report.invalid(
            path,
            "expected no selection of nodes without `perDeviceNodeSelection`",
        );
    }
}
