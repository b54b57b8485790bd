//! Warnings about extended resources that pods ask for by names that nothing has.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{Amounts, DeviceClass, Pod};
use dralloc::{ExtendedResources, Features};

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use crate::cluster::kind::Kind as _;
use crate::cluster::{Cluster, ObjectName, meant, pods};

/// Says which resources nothing serves; once for all pods that ask for the same.
pub(super) fn check<'c>(cluster: &'c Cluster, features: &Features, findings: &mut Findings<'c>) {
    if cluster.device_classes.is_empty() || !features.extended_resources {
        return;
    }
    let classes = cluster.device_classes.values().map(|given| &given.object);
    let served = classes.clone();
    let served = served.filter_map(|class| class.spec.extended_resource_name.as_deref());
    let served: BTreeSet<&str> = served.collect();
    let nodes = cluster.nodes.values();
    let listed = nodes.flat_map(|given| given.object.status.allocatable.keys());
    let listed: BTreeSet<&str> = listed.map(|name| &**name).collect();
    let mut pending: Vec<_> = cluster
        .pods
        .iter()
        .filter(|(_, given)| pods::is_pending(&given.object))
        .collect();
    pending.sort_by_key(|(_, given)| given.place);
    let mut told: BTreeMap<(String, Code, String), Object<'c>> = BTreeMap::new();
    for (name, given) in pending {
        let pod = &given.object;
        // An amount that cannot be is a fault.
        let Ok(resources) = ExtendedResources::of_pod(pod, classes.clone(), features) else {
            continue;
        };
        for resource in resources.resources() {
            let own = &*resource.name;
            if resource.device_class.is_some() || listed.contains(own) {
                continue;
            }
            let (code, message) = if let Some(class) = DeviceClass::named_by(own) {
                let class = ObjectName::new("", class);
                let message = meant::absent(DeviceClass::KIND, &class, &cluster.device_classes);
                (Code::UnknownClass, message)
            } else {
                let hint = meant::meant(own, served.union(&listed).copied());
                // What nodes do not say in files that were written by hand may be there.
                if hint.is_none() && listed.is_empty() {
                    continue;
                }
                let hint = meant::did_you_mean(hint);
                let nodes = if listed.is_empty() {
                    ""
                } else {
                    ", and no node has it"
                };
                let message = format!("no DeviceClass serves `{own}`{nodes}{hint}");
                (Code::UnknownExtendedResource, message)
            };
            told.entry((path_of(pod, own), code, message))
                .and_modify(|first| first.others += 1)
                .or_insert_with(|| Object::of(name, given));
        }
    }
    for ((path, code, message), object) in told {
        findings.add(code, object, path, message);
    }
}

/// Returns where a pod asks for a resource first.
fn path_of(pod: &Pod, resource: &str) -> String {
    let spec = &pod.spec;
    let lists = [
        ("initContainers", &spec.init_containers),
        ("containers", &spec.containers),
    ];
    let mut containers = lists.into_iter().flat_map(|(list, containers)| {
        (0..)
            .zip(containers)
            .map(move |(place, one)| (list, place, one))
    });
    let has = |amounts: &Amounts| amounts.contains_key(resource);
    let found = containers.find_map(|(list, place, one): (_, usize, _)| {
        let fields = [
            ("limits", &one.resources.limits),
            ("requests", &one.resources.requests),
        ];
        let (field, _) = fields.into_iter().find(|(_, amounts)| has(amounts))?;
        Some(format!(
            "spec.{list}[{place}].resources.{field}[{resource}]"
        ))
    });
    found.unwrap_or_else(|| "spec.containers".to_owned())
}
