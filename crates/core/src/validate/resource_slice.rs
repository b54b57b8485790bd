//! Resource slices.

use super::capacity::not_negative;
use super::device::{self, device};
use super::metadata::{self, Reach};
use super::node_operations::skip_node_operations;
use super::node_selector::Selection;
use super::report::{Path, Report};
use super::{limits, names};
use crate::error::Error;
use crate::features::Features;
use crate::model::{
    Counter, CounterSet, Device, DeviceAttribute, Map, ResourceSlice, ResourceSliceSpec, Str,
};

/// Returns what the API server would refuse about a slice.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::ResourceSlice, validate};
///
/// let mut resource_slice = ResourceSlice::default();
/// resource_slice.metadata.name = "node-1-gpus".into();
/// resource_slice.spec.driver = "gpu_example".into();
/// let errors = validate::resource_slice(&resource_slice, &Features::all());
/// assert_eq!(errors[0].path(), "spec.driver");
/// ```
pub fn resource_slice(resource_slice: &ResourceSlice, features: &Features) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &resource_slice.metadata, Reach::Cluster);
    spec(
        &mut report,
        &Path::root("spec"),
        &resource_slice.spec,
        *features,
    );
    report.into_errors()
}

fn spec(report: &mut Report, path: &Path<'_>, spec: &ResourceSliceSpec, features: Features) {
    report.check(&path.field("driver"), names::driver(&spec.driver));
    pool(report, &path.field("pool"), spec);
    node_selection(report, path, spec, features);
    if features.partitionable_devices {
        if !spec.shared_counters.is_empty() && !spec.devices.is_empty() {
            report.invalid(
                path,
                "expected at most one of `sharedCounters` and `devices`, found both",
            );
        }
        counter_sets(report, &path.field("sharedCounters"), &spec.shared_counters);
        partition_type(report, path, spec);
    }
    devices(report, &path.field("devices"), spec, features);
    if features.optional_node_operations {
        skip_node_operations(
            report,
            &path.field("skipNodeOperations"),
            &spec.skip_node_operations,
        );
    }
}

fn pool(report: &mut Report, path: &Path<'_>, spec: &ResourceSliceSpec) {
    report.check(&path.field("name"), names::pool(&spec.pool.name));
    let (generation, count) = (spec.pool.generation, spec.pool.resource_slice_count);
    if generation < 0 {
        report.invalid(
            &path.field("generation"),
            format!("expected 0 or more, found {generation}"),
        );
    }
    if count <= 0 {
        let path = &path.field("resourceSliceCount");
        report.invalid(path, format!("expected 1 or more, found {count}"));
    }
}

fn node_selection(
    report: &mut Report,
    path: &Path<'_>,
    spec: &ResourceSliceSpec,
    features: Features,
) {
    let selection = Selection {
        node_name: spec.node_name.as_deref(),
        node_selector: spec.node_selector.as_deref(),
        all_nodes: spec.all_nodes,
        per_device: spec
            .per_device_node_selection
            .filter(|_| features.partitionable_devices),
    };
    let dropped = spec.per_device_node_selection.is_some() && selection.per_device.is_none();
    if dropped && !selection.is_used() {
        report.disabled(
            &path.field("perDeviceNodeSelection"),
            "DRAPartitionableDevices",
        );
        return;
    }
    let ways = "`nodeName`, `nodeSelector`, `allNodes` and `perDeviceNodeSelection`";
    selection.check(report, path, ways);
    // One term, so that the selectors of several slices can be merged.
    let terms = spec
        .node_selector
        .as_ref()
        .map_or(1, |given| given.node_selector_terms.len());
    if terms > 1 {
        let path = &path.field("nodeSelector.nodeSelectorTerms");
        report.invalid(path, format!("expected exactly one term, found {terms}"));
    }
}

fn counter_sets(report: &mut Report, path: &Path<'_>, sets: &[CounterSet]) {
    if report.size(path, limits::COUNTER_SETS, sets.len(), "counter sets") {
        for (index, set) in sets.iter().enumerate() {
            let path = &path.index(index);
            report.check(&path.field("name"), names::dns_label(&set.name));
            counters(report, &path.field("counters"), &set.counters);
        }
        report.unique(path, "counter set", sets.iter().map(|set| &*set.name));
    }
}

/// Checks the counters of a set, or what a device takes of them.
pub(super) fn counters(report: &mut Report, path: &Path<'_>, counters: &Map<Str, Counter>) {
    if counters.is_empty() {
        report.required(path, "at least one counter");
    }
    if report.size(path, limits::COUNTERS, counters.len(), "counters") {
        for (name, counter) in counters {
            report.check(path, names::dns_label(name));
            not_negative(report, &path.key(name).field("value"), &counter.value);
        }
    }
}

fn devices(report: &mut Report, path: &Path<'_>, spec: &ResourceSliceSpec, features: Features) {
    let advanced = spec.devices.iter().any(|item| is_advanced(item, features));
    let (limit, what) = if advanced {
        let what = "devices where some have taints, consume counters or have lists as attributes";
        (limits::DEVICES_WITH_ADVANCED_FEATURES, what)
    } else {
        (limits::DEVICES, "devices")
    };
    if report.size(path, limit, spec.devices.len(), what) {
        let per_device = spec.per_device_node_selection == Some(true);
        for (index, item) in spec.devices.iter().enumerate() {
            device(report, &path.index(index), item, per_device, features);
        }
        report.unique(path, "device", spec.devices.iter().map(|item| &*item.name));
    }
}

fn is_advanced(item: &Device, features: Features) -> bool {
    (features.device_taints && !item.taints.is_empty())
        || (features.partitionable_devices && !item.consumes_counters.is_empty())
        || (features.list_type_attributes
            && item
                .attributes
                .values()
                .any(|value| device::list_length(value).is_some()))
}

/// Checks that each device that consumes counters says which type of partition it is.
fn partition_type(report: &mut Report, path: &Path<'_>, spec: &ResourceSliceSpec) {
    let Some(name) = &spec.partition_type_attribute else {
        return;
    };
    let own = &path.field("partitionTypeAttribute");
    if !report.check(own, names::fully_qualified(name)) {
        return;
    }
    let bare = name
        .strip_prefix(&*spec.driver)
        .and_then(|rest| rest.strip_prefix('/'));
    let mut consumers = 0;
    for (index, item) in spec.devices.iter().enumerate() {
        if item.consumes_counters.is_empty() {
            continue;
        }
        consumers += 1;
        let attribute = item
            .attributes
            .get(name)
            .or_else(|| bare.and_then(|bare| item.attributes.get(bare)));
        if !matches!(attribute, Some(DeviceAttribute::String(_))) {
            let path = &path.field("devices");
            let path = &path.index(index);
            let path = &path.field("attributes");
            report.required(
                &path.key(name),
                "the string that `partitionTypeAttribute` names",
            );
        }
    }
    if consumers == 0 {
        report.invalid(
            own,
            "expected no type of partition where no device consumes counters",
        );
    }
}
