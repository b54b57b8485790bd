//! Device holds.

use super::device::attributes;
use super::metadata::{self, Reach};
use super::names as rules;
use super::report::{Path, Report};
use crate::error::Error;
use crate::features::Features;
use crate::model::{DeviceHold, DeviceHoldSelector, DeviceId, Str};

/// Returns what is wrong with a hold.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::DeviceHold, validate};
///
/// let mut hold = DeviceHold::default();
/// hold.metadata.name = "node-1".into();
/// hold.spec.node_name = "node-1".into();
/// hold.spec.count = Some(-1);
/// let errors = validate::device_hold(&hold, &Features::all());
/// assert_eq!(errors[0].to_string(), "spec.count: expected 0 or more, found -1");
/// ```
pub fn device_hold(hold: &DeviceHold, features: &Features) -> Vec<Error> {
    let mut errors = Report::default();
    let report = &mut errors;
    metadata::object(report, &hold.metadata, Reach::Cluster);
    let (spec, path) = (&hold.spec, &Path::root("spec"));
    report.check(
        &path.field("nodeName"),
        rules::dns_subdomain(&spec.node_name),
    );
    let devices = &path.field("devices");
    for (index, id) in spec.devices.iter().enumerate() {
        device_id(report, &devices.index(index), id);
    }
    let ids: Vec<String> = spec.devices.iter().map(ToString::to_string).collect();
    report.unique(devices, "device", ids.iter().map(|id| &**id));
    let count = &path.field("count");
    match spec.count {
        None => {
            for (field, is_used) in [
                ("selector", spec.selector.is_some()),
                ("disjointFrom", !spec.disjoint_from.is_empty()),
            ] {
                if is_used {
                    report.invalid(&path.field(field), "expected `count` beside it");
                }
            }
        }
        Some(_) if !spec.devices.is_empty() => {
            report.invalid(count, "expected either `devices` or `count`, found both");
        }
        Some(number) if number < 0 => {
            report.invalid(count, format!("expected 0 or more, found {number}"));
        }
        Some(_) => {}
    }
    if let Some(one) = &spec.selector {
        selector(report, &path.field("selector"), one, features);
    }
    let disjoint = &path.field("disjointFrom");
    for (index, one) in spec.disjoint_from.iter().enumerate() {
        let path = &disjoint.index(index);
        selector(report, path, one, features);
        // It would release everything.
        if *one == DeviceHoldSelector::default() {
            report.required(path, "something to select devices by");
        }
    }
    errors.into_errors()
}

fn selector(
    report: &mut Report,
    path: &Path<'_>,
    selector: &DeviceHoldSelector,
    features: &Features,
) {
    let given = [&selector.driver, &selector.pool, &selector.device];
    names(report, path, given);
    let path = &path.field("attributes");
    attributes(report, path, &selector.attributes, *features);
}

/// Checks the names of driver, pool and device that a selector gives.
pub(super) fn names(report: &mut Report, path: &Path<'_>, names: [&Option<Str>; 3]) {
    let [driver, pool, device] = names;
    if let Some(driver) = driver {
        report.check(&path.field("driver"), rules::driver(driver));
    }
    if let Some(pool) = pool {
        report.check(&path.field("pool"), rules::pool(pool));
    }
    if let Some(device) = device {
        report.check(&path.field("device"), rules::dns_label(device));
    }
}

/// Checks the full name of a device.
pub(super) fn device_id(report: &mut Report, path: &Path<'_>, id: &DeviceId) {
    report.check(&path.field("driver"), rules::driver(&id.driver));
    report.check(&path.field("pool"), rules::pool(&id.pool));
    report.check(&path.field("device"), rules::dns_label(&id.device));
}
