//! Warnings about classes.

use std::collections::BTreeMap;

use dralloc::model::DeviceClass;

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::super::matches::{Failures, Matches};
use super::super::published::{Published, name_of};
use super::Context;
use crate::cluster::Cluster;
use crate::words::{finds_none, of_all};

/// Says which selectors fail, and which classes have no device.
pub(super) fn check<'c>(
    context: &Context<'_, 'c>,
    matches: &mut Matches<'_, 'c>,
    findings: &mut Findings<'c>,
) {
    for (name, given) in &context.cluster.device_classes {
        let Some(selected) = matches.class(&given.object.metadata.name) else {
            continue;
        };
        let object = Object::of(name, given);
        for (place, failures) in &selected.failures {
            let path = format!("spec.selectors[{place}].cel.expression");
            let message = failure(failures, context.published);
            findings.add(Code::SelectorFails, object, path, message);
        }
        let is_sure = !selected.is_unknown && selected.failures.is_empty();
        if selected.groups.is_empty() && is_sure {
            let (verb, devices) = (("match", "matches"), context.published.devices);
            let message = finds_none(verb, devices, "published device");
            findings.add(Code::ClassWithoutDevice, object, "spec.selectors", message);
        }
    }
}

/// Says on how many devices a selector fails, and how.
pub(super) fn failure(failures: &Failures, published: &Published<'_>) -> String {
    let first = name_of(&published.groups[failures.first].first);
    let Failures {
        devices,
        asked,
        message,
        ..
    } = failures;
    let such_as = if *devices == 1 { "" } else { "such as " };
    let devices = of_all(*devices, *asked, "device");
    format!("fails on {devices}, {such_as}`{first}`: {message}")
}

/// Says which classes serve the same extended resource.
pub(super) fn same_extended_resource<'c>(cluster: &'c Cluster, findings: &mut Findings<'c>) {
    let mut serving: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (name, given) in &cluster.device_classes {
        if let Some(resource) = &given.object.spec.extended_resource_name {
            serving.entry(resource).or_default().push((name, given));
        }
    }
    for (resource, classes) in serving {
        let objects = classes.iter().map(|(_, given)| &given.object);
        let [(first, _), others @ ..] = &*classes else {
            continue;
        };
        let Some(counts) = DeviceClass::of_extended_resource(resource, objects) else {
            continue;
        };
        let counts = &counts.metadata.name;
        for (name, given) in others {
            let message = format!(
                "DeviceClass `{first}` serves `{resource}`, too; only DeviceClass `{counts}` counts"
            );
            let object = Object::of(name, given);
            let path = "spec.extendedResourceName";
            findings.add(Code::SameExtendedResource, object, path, message);
        }
    }
}
